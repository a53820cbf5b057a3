import assert from "node:assert/strict";
import { ecdfPlot } from "@/plots/ecdf_plot.ts";
import { lines, texts } from "./read_svg.ts";

const draw = (...times: (number | undefined)[][]) =>
  ecdfPlot({
    series: times.map((times, i) => ({ label: `s${i}`, times })),
    ...{ rounds: 20, event: "a majority first forms", synthetic: false },
  });

/** Corners of the staircases, the legend's strokes left out. */
const stairs = (svg: string) => lines(svg).map(({ parts }) => parts[0]!).filter((points) => points.length > 2);

Deno.test("a staircase rises by the share of runs at each round, and to one only at never", () => {
  const { rows } = draw([2, 2, 5, undefined]);
  const share = (round: number) => rows.find((row) => row.round === round)!.share;
  assert.deepEqual([0, 1, 2, 4, 5, 20, 21].map(share), [0, 0, 0.5, 0.5, 0.75, 0.75, 1]);
  assert.deepEqual(rows.filter(({ never }) => never).map(({ round }) => round), [21]);
});

Deno.test("what is drawn is what the rows say", () => {
  const { svg } = draw([2, 2, 5, undefined], [21 - 1]);
  const [first, second] = stairs(svg).map((points) => points.map(([, y]) => y));
  const [bottom, top] = [Math.max(...first!), Math.min(...first!)];
  const levels = [...new Set(first!.map((y) => Math.round(4 * (bottom - y) / (bottom - top))))];
  assert.deepEqual(levels, [0, 2, 3, 4]);
  assert.deepEqual([Math.max(...second!), Math.min(...second!)], [bottom, top], "one scale");
  assert.ok(texts(svg).includes("never") && !texts(svg).includes("21"));
});

Deno.test("the alt text counts runs and those that never get there; no runs are no share", () => {
  const { alt, rows } = draw([1, 1, undefined], []);
  assert.match(alt, /s0: 3 runs, 0\.67 by round 1, 1 run never\. s1: no runs/);
  assert.ok(rows.every(({ condition }) => condition === "s0"));
});

for (const time of [0, 21, 1.5, NaN]) {
  Deno.test(`ecdfPlot() refuses a time of ${time}`, () =>
    assert.throws(() => draw([time]), {
      name: "RangeError",
      message: /"s0" has a time of .*whole round from 1 to 20/,
    }));
}
