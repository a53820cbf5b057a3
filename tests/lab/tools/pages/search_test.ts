import { parseHTML } from "linkedom";
import assert from "node:assert/strict";
import { join } from "node:path";
import { notebookOf, prose, withNotebooks } from "../../notebook/notebooks.ts";
import { PROJECT } from "@/lab/tools/notebooks/workspace.ts";
import { findFiles, findNotebooks } from "@/lab/tools/notebooks/notebook_file.ts";
import { createSearch } from "@/lab/tools/pages/search.ts";
import { type Section, sectionsOf } from "@/lab/tools/pages/search_index.ts";
import { writeSite } from "@/lab/tools/pages/site.ts";

const section = (href: string, text: string, title = href, heading = ""): Section => (
  { href, title, section: heading, text }
);

Deno.test("a search finds all words, each from its beginning, in any case and without marks", () => {
  const search = createSearch([
    section("a", "Two permutations of the λ̂ of Chairs"),
    section("b", "A permutation alone"),
    section("b#c", "Chair and permutation"),
  ]);
  assert.deepEqual(search("PERMUTATION chair").hits.map(({ href }) => href).sort(), ["a", "b#c"]);
  assert.equal(search("permutation").pages, 2, "two sections of b are one page");
  assert.deepEqual(search("λ").hits.map(({ href, word }) => [href, word]), [["a", "λ̂"]]);
  assert.deepEqual(search("permutatoin chair").hits.map(({ href }) => href), ["b#c"], "a slip is forgiven");
  assert.deepEqual(search("nowhere"), { pages: 0, hits: [] });
});

Deno.test("a hit shows the word among its neighbours, cut at whole words", () => {
  const words = Array.from({ length: 40 }, (_, i) => `w${i}`).join(" ");
  const [hit] = createSearch([section("a", `${words} <b>bootstrap</b> ${words}`)])("boot").hits;
  assert.equal(hit!.word, "bootstrap");
  assert.match(hit!.before, /^…w\d+ .* w39 <b>$/);
  assert.match(hit!.after, /^<\/b> w0 .*…$/);
  assert.ok(hit!.before.length < 80 && hit!.after.length < 80);
});

Deno.test("a page is searched by section: prose, captions and tables, not code, pictures or scripts", () => {
  const main = `<h1>T</h1><p>open</p><details class="code"><summary>Code: x</summary><pre>hidden</pre></details>` +
    `<h2 id="a-b">A b <a class="anchor" href="#a-b">#</a></h2><svg><title>hidden</title></svg><table><tr><td>cell</td><td>two</td></tr></table>` +
    `<script>hidden</script>`;
  assert.deepEqual(
    sectionsOf(`<html><head><title>T</title></head><body><nav>nav</nav><main>${main}</main></body></html>`, "p.html"),
    [
      { href: "p.html", title: "T", section: "", text: "T open" },
      { href: "p.html#a-b", title: "T", section: "A b", text: "A b cell two" },
    ],
  );
});

Deno.test("every page that says a word is found: the index of all stored pages beside a plain scan of their text", () =>
  withNotebooks({ "a.ipynb": notebookOf(prose("# A")) }, async ({ out }) => {
    const folder = join(PROJECT, "notebooks");
    await writeSite(await findNotebooks(folder), { folder, out }, { stored: true });
    const html = join(out, "html");
    const script = await Deno.readTextFile(join(html, "search-index.js"));
    const [, json] = /^globalThis\.chaosSections=(.*);$/m.exec(script)!;
    const search = createSearch(JSON.parse(json!) as Section[]);
    const texts = await Promise.all((await findFiles(html, ".html")).map(async (path) => {
      const { document } = parseHTML(
        (await Deno.readTextFile(path)).replace(/<svg.*?<\/svg>/gs, "").replaceAll("<", " <"),
      );
      for (const silent of document.querySelectorAll("script, style, details.code")) silent.remove();
      return document.querySelector("main")!.textContent;
    }));
    for (const word of ["permutation", "Lyapunov", "bootstrap", "Chair", "clerk", "refusal"]) {
      const said = texts.filter((text) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "iu").test(text)).length;
      assert.ok(said > 0, `no page says ${word}`);
      assert.equal(search(word).pages, said, word);
    }
  }));
