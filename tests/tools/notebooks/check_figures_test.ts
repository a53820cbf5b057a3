import assert from "node:assert/strict";
import { code, notebookOf, prose } from "../../notebook/notebooks.ts";
import { figure } from "../../notebook/stored_figure.ts";
import { checkFigures } from "@/tools/notebooks/check_figures.ts";

/** What is said about a notebook whose second cell shows one figure. */
const complaints = (parts: Parameters<typeof figure>[0]): string[] =>
  checkFigures({ path: "/x.ipynb", notebook: notebookOf(prose("# T"), code("a"), code("b", [figure(parts)])) })
    .map((words) => words.replace("x.ipynb: code cell 2, figure f: ", ""));

Deno.test("checkFigures() finds nothing in a sound figure, synthetic or of published numbers", () => {
  assert.deepEqual(complaints({}), []);
  assert.deepEqual(complaints({ caption: '<figcaption style="a">As published: Fig. 1B.</figcaption>' }), []);
  assert.deepEqual(complaints({ caption: "<figcaption>Station paper, Tables 8 and 11.</figcaption>" }), []);
});

const wrong: Record<string, [parts: Parameters<typeof figure>[0], complaint: RegExp]> = {
  "no alt text": [{ alt: " " }, /^has no alt text$/],
  "no caption": [{ caption: "" }, /^has no caption$/],
  "a caption that does not say whose data they are": [
    { caption: "<figcaption>Runs on this paper.</figcaption>" },
    /^says neither that its data are synthetic .* nor that they are published$/,
  ],
  "a tag that is not closed": [{ svg: "<g>" }, /^is not a well-formed SVG document: <\/g> is expected/],
  "two documents": [{ document: "<svg></svg><svg></svg>" }, /^is not a well-formed SVG document: one element/],
  "a bare ampersand": [{ svg: "<text>a & b</text>" }, /not a well-formed .* & that begins no known entity/],
  "a script": [{ svg: "<script>1</script>" }, /^must only draw, but holds <script>$/],
  "a stylesheet": [{ svg: "<style>a{}</style>" }, /^must only draw, but holds <style>$/],
  "HTML inside": [{ svg: "<foreignObject/>" }, /^must only draw, but holds <foreignObject>$/],
  "an id and a use of it": [{ svg: `<g id="a" fill="url(#a)"/>` }, /^must only draw, but holds id="…", fill="…"$/],
  "a link": [{ svg: `<g xlink:href="x" onclick="y"/>` }, /holds xlink:href="…", onclick="…"$/],
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
