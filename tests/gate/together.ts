import { pathToFileURL } from "node:url";

/**
 * Test files in one process, where what they import is loaded and compiled once for all of them:
 * `deno test tests/gate/together.ts -- FILE…`, each named from the project's folder.
 */
for (const file of Deno.args) await import(pathToFileURL(file).href);
