import assert from "node:assert/strict";
import { code, notebookOf, prose } from "../../notebook/notebooks.ts";
import { figure } from "../../notebook/stored_figure.ts";
import { checkFigures } from "./check_figures.ts";

/** What is said about a notebook whose second cell shows one figure. */
const complaints = (parts: Parameters<typeof figure>[0]): string[] =>
  checkFigures({ path: "/x.ipynb", notebook: notebookOf(prose("# T"), code("a"), code("b", [figure(parts)])) })
    .map((words) => words.replace("x.ipynb: code cell 2, figure f: ", ""));

Deno.test("checkFigures() finds nothing in a sound figure, synthetic or of published numbers", () => {
  assert.deepEqual(complaints({}), []);
  assert.deepEqual(complaints({ synthetic: "false", caption: "<figcaption>Published: Table 8.</figcaption>" }), []);
  // Markers and clips point to parts of the picture itself.
  assert.deepEqual(complaints({ svg: `<g id="a" clip-path="url(#a)"/>` }), []);
});

const wrong: Record<string, [parts: Parameters<typeof figure>[0], complaint: RegExp]> = {
  "no alt text": [{ alt: " " }, /^has no alt text$/],
  "no caption": [{ caption: "" }, /^has no caption$/],
  "a synthetic figure whose caption does not say so": [
    { caption: "<figcaption>Runs of this paper, published.</figcaption>" },
    /^is drawn from synthetic data and its caption does not say so: "Synthetic/,
  ],
  "a bare plot": [{ synthetic: "undeclared" }, /^does not declare what it is drawn from; show plot\(\{ about \}\)/],
  "a tag that is not closed": [{ svg: "<g>" }, /^is not a well-formed SVG document: /],
  "two documents": [{ document: "<svg></svg><svg></svg>" }, /^is not a well-formed SVG document: /],
  "a bare ampersand": [{ svg: "<text>a & b</text>" }, /^is not a well-formed SVG document: /],
  "a script": [{ svg: "<script>1</script>" }, /^must only draw, but holds <script>$/],
  "a stylesheet": [{ svg: "<style>a{}</style>" }, /^must only draw, but holds <style>$/],
  "HTML inside": [{ svg: "<foreignObject/>" }, /^must only draw, but holds <foreignObject>$/],
  "a use of another picture's part": [{ svg: `<g id="a" fill="url(#b)"/>` }, /^must only draw, but holds fill="…"$/],
  "a link": [{ svg: `<g href="x" onclick="y"/>` }, /holds href="…", onclick="…"$/],
  "texts over each other": [
    { svg: "<text>one</text><text x='2'>two</text>".replaceAll("'", '"') },
    /^texts cover each other: one \/ two$/,
  ],
  "a place in units that mean nothing here": [{ svg: `<text x="5%">a</text>` }, /cannot be checked: the length "5%"/],
};

for (const [what, [parts, complaint]] of Object.entries(wrong)) {
  Deno.test(`checkFigures() names cell and figure where there is ${what}`, () => {
    const found = complaints(parts);
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0]!, complaint);
  });
}
