import assert from "node:assert/strict";
import { layOutEdges, type Point } from "@/plots/coalition_plot.ts";

const line = (x1: number, y1: number, x2: number, y2: number): [Point, Point] => [[x1, y1], [x2, y2]];

Deno.test("a label alone stands in the middle of its line", () => {
  assert.deepEqual(layOutEdges([line(0, 0, 200, 100)])[0]!.label, [100, 50]);
});

Deno.test("where two lines cross in their middles both labels move aside, each on its own line", () => {
  const [level, upright] = layOutEdges([line(0, 100, 200, 100), line(100, 0, 100, 200)]);
  assert.equal(level!.label[1], 100);
  assert.equal(upright!.label[0], 100);
  assert.ok(Math.abs(level!.label[0] - 100) >= 15 && Math.abs(upright!.label[1] - 100) >= 15);
});

Deno.test("labels of neighbouring lines keep apart", () => {
  const [first, second] = layOutEdges([line(0, 0, 200, 0), line(0, 14, 200, 14)]);
  assert.deepEqual(first!.label, [100, 0]);
  assert.deepEqual(second!.label, [68, 14]);
});
