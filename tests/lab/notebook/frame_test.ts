import assert from "node:assert/strict";
import { frame } from "@/lab/notebook/frame.ts";
import { tableOf } from "@/lab/notebook/table.ts";

Deno.test("frame() has a column for every key, and an empty cell where a record lacks one", () => {
  const df = frame([{ a: 1, b: "x" }, { a: 2, c: true }]);
  assert.deepEqual(df.columns, ["a", "b", "c"]);
  const { cells } = tableOf(df as never, { caption: "x" });
  assert.deepEqual(cells, [["1", "x", undefined], ["2", undefined, "yes"]]);
});

Deno.test("frame() groups: means by hand, 1.5 and 4", () => {
  const df = frame([{ k: "a", v: 1 }, { k: "a", v: 2 }, { k: "b", v: 4 }]);
  const means = df.groupby(["k"]).col(["v"]).mean();
  assert.deepEqual(tableOf(means as never, { caption: "x" }).cells, [["a", "1.5"], ["b", "4.0"]]);
});

Deno.test("a frame derived from another shows itself as a table where a cell ends in it", () => {
  const head = frame([{ a: 1 }, { a: 2 }]).head(1);
  const display = (head as never)[Symbol.for("Jupyter.display")] as () => Record<string, string>;
  assert.match(display.call(head)["text/html"]!, /<caption[^>]*>Data frame<\/caption>/);
});

for (
  const [value, words] of [
    [NaN, /row 2, column b: NaN is no number/],
    [Infinity, /row 2, column b: Infinity/],
    [[1], /row 2, column b: an array/],
    [{ a: 1 }, /row 2, column b: a value of type object/],
  ] as const
) {
  Deno.test(`frame() refuses ${JSON.stringify(value)}, naming row and column`, () => {
    assert.throws(() => frame([{ b: 1 }, { b: value }]), words);
  });
}

Deno.test("frame() of nothing says so", () => assert.throws(() => frame([]), /at least one record/));
