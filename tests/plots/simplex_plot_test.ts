import assert from "node:assert/strict";
import { COLOURS } from "@/plots/palette.ts";
import { simplexPlot } from "@/plots/simplex_plot.ts";
import { dots, lines, type Point, texts } from "./read_svg.ts";

const options = ["stay", "leave", "wait"] as [string, string, string];
const distance = ([ax, ay]: Point, [bx, by]: Point) => Math.hypot(ax - bx, ay - by);
const last = (svg: string, fill: string) =>
  dots(svg).filter((dot) => dot.fill === fill && dot.at[1] > 60).map(({ at }) => at);

Deno.test("the corners make an equilateral triangle, and the middle of the simplex is its centre", () => {
  const runs = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1 / 3, 1 / 3, 1 / 3]].map((shares) => [shares]);
  const [top, left, right, middle] = last(simplexPlot({ runs, options, synthetic: false }).svg, COLOURS[0]);
  assert.ok(top![1] < left![1] && left![0] < right![0]);
  const sides = [distance(top!, left!), distance(left!, right!), distance(right!, top!)];
  for (const side of sides) assert.ok(Math.abs(side - sides[0]!) < 0.05);
  for (const corner of [top!, left!, right!]) {
    assert.ok(Math.abs(distance(middle!, corner) - sides[0]! / Math.sqrt(3)) < 0.05);
  }
});

Deno.test("starts are hollow, ends filled, and the path joins them", () => {
  const runs = [[[0.4, 0.3, 0.3], [0.6, 0.2, 0.2], [0.8, 0.1, 0.1]], [[0.3, 0.4, 0.3], [0.1, 0.8, 0.1]]];
  const { svg, alt } = simplexPlot({ runs, options, groups: ["stay", "leave"], synthetic: false });
  const marks = dots(svg).filter(({ at }) => at[1] > 60);
  for (const colour of [COLOURS[0], COLOURS[1]]) {
    const path = lines(svg).filter(({ stroke }) => stroke === colour).at(-1)!.parts[0]!;
    const start = marks.find(({ stroke, fill }) => stroke === colour && fill === "white")!;
    const end = marks.find(({ fill }) => fill === colour)!;
    assert.ok(distance(start.at, path[0]!) < 0.05 && distance(end.at, path.at(-1)!) < 0.05);
  }
  assert.ok(texts(svg).includes("leave (1)"));
  assert.match(alt, /stay: 1 replicate, mean of the last round: 0\.80, 0\.10, 0\.10/);
});

Deno.test("simplexPlot() refuses shares that are none", () => {
  const draw = (shares: number[]) => () => simplexPlot({ runs: [[shares]], options, synthetic: false });
  assert.throws(draw([0.5, 0.5, 0.5]), { name: "RangeError", message: /run 0 in round 1 is \(0.5, 0.5, 0.5\)/ });
  assert.throws(draw([1.2, -0.1, -0.1]), RangeError);
  assert.throws(draw([0.5, 0.5]), { name: "RangeError", message: /2 preferences in round 1, for 3 options/ });
});
