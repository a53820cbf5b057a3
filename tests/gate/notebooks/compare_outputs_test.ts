import assert from "node:assert/strict";
import { code, notebookOf, prose, shown } from "../../lab/notebook/notebooks.ts";
import { compareOutputs } from "./compare_outputs.ts";
import type { Output } from "@/lab/tools/notebooks/notebook_file.ts";

const compare = (stored: Output[], fresh: Output[]) =>
  compareOutputs(
    notebookOf(prose("#"), code(""), code("a"), code("b", stored)),
    notebookOf(code("a"), code("b", fresh)),
  );

const html = (text: string): Output => ({ "output_type": "display_data", data: { "text/html": text }, metadata: {} });
const embed = (type: string, text: string) =>
  `<img src="data:${type};base64,${new TextEncoder().encode(text).toBase64()}">`;

Deno.test("compareOutputs() finds nothing in equal notebooks, whatever their prose", () => {
  assert.deepEqual(compare([shown("0.08")], [shown("0.08")]), []);
});

Deno.test("compareOutputs() names cell, output, type and both texts", () => {
  assert.deepEqual(compare([shown("a"), shown("slope 0.08")], [shown("a"), shown("slope 0.09")]), [
    { cell: 2, words: `output 2, text/plain: stored "slope 0.08", when run "slope 0.09"` },
  ]);
  assert.match(compare([shown("a")], [])[0]!.words, /1 stored outputs, 0 when run/);
  const [kind] = compare([{ "output_type": "stream", name: "stdout", text: "a" }], [shown("a")]);
  assert.match(kind!.words, /stdout: stored "a", when run "nothing"/);
});

Deno.test("compareOutputs() compares Markdown as any text", () => {
  const said = (text: string): Output => ({ ...shown("same"), data: { "text/markdown": text } } as Output);
  assert.deepEqual(compare([said("λ̂ is **0.08**")], [said("λ̂ is **0.08**")]), []);
  assert.match(
    compare([said("λ̂ is **0.08**")], [said("λ̂ is **0.09**")])[0]!.words,
    /text\/markdown: stored .*0\.08.*0\.09/,
  );
});

Deno.test("compareOutputs() looks into embedded files, except PNG", () => {
  const png = (data: string): Output => ({ "output_type": "display_data", data: { "image/png": data }, metadata: {} });
  assert.deepEqual(compare([png("1")], [png("2")]), []);
  assert.deepEqual(compare([html(embed("image/png", "1"))], [html(embed("image/png", "2"))]), []);
  const [csv] = compare([html(embed("text/csv;charset=utf-8", "a,1"))], [html(embed("text/csv;charset=utf-8", "a,2"))]);
  assert.match(csv!.words, /a,1.*a,2/);
  const [svg] = compare([html(embed("image/svg+xml", "<svg>1</svg>"))], [html(embed("image/svg+xml", "<svg>2</svg>"))]);
  assert.match(svg!.words, /<svg>1.*<svg>2/);
});
