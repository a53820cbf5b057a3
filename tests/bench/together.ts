/**
 * Test files in one process, where what they import is loaded and compiled once for all of them:
 * `deno test tests/bench/together.ts -- FILE…`, each named from the project's folder.
 */
for (const file of Deno.args) await import(new URL(`../../${file}`, import.meta.url).href);
