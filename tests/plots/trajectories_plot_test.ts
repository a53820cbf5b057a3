import assert from "node:assert/strict";
import { COLOURS } from "@/plots/palette.ts";
import { trajectoriesPlot } from "@/plots/trajectories_plot.ts";
import { lines, texts } from "./read_svg.ts";

const runs = [[[0.5, 0.5], [0.75, 0.25], [1, 0]], [[0.5, 0.5], [0.25, 0.75]]];
const options = ["stay", "leave"];

/** The replicates' lines, without the legend's. */
const drawn = (svg: string) => lines(svg).filter(({ strokeWidth }) => strokeWidth === "1.2");

Deno.test("each option has a panel with one line a replicate, as long as the run", () => {
  const { svg, rows } = trajectoriesPlot({ runs, options, synthetic: false });
  const paths = drawn(svg).map(({ parts }) => parts[0]!);
  assert.deepEqual(paths.map((path) => path.length), [3, 2, 3, 2]);
  assert.ok(texts(svg).includes("stay") && texts(svg).includes("leave"));
  const [stay, , leave] = paths;
  const height = stay![0]![1] - stay![2]![1];
  assert.ok(height > 60);
  assert.ok(Math.abs(stay![0]![1] - stay![1]![1] - height / 2) < 0.05, "halfway between 0.5 and 1");
  assert.ok(Math.abs(leave![2]![1] - leave![0]![1] - height) < 0.05, "the same scale, downwards");
  assert.equal(rows.length, 10);
  assert.deepEqual(rows[2], { run: 0, group: "all replicates", round: 2, option: "stay", preference: 0.75 });
});

Deno.test("groups differ in colour and dash, and the legend counts them", () => {
  const { svg, alt } = trajectoriesPlot({ runs, options, groups: ["stay", "leave"], synthetic: false });
  const looks = new Set(drawn(svg).map(({ stroke, strokeDash }) => `${stroke} ${strokeDash}`));
  assert.deepEqual([...looks], [`${COLOURS[0]} undefined`, `${COLOURS[1]} 7 3`]);
  assert.deepEqual(texts(svg).slice(0, 2), ["leave (1)", "stay (1)"]);
  assert.match(alt, /2 replicates, 3 rounds; leave 1, stay 1\. stay: from 0\.25 to 1\.00 in the last round/);
});

Deno.test("trajectoriesPlot() names the run and round of a preference it refuses", () => {
  const draw = (run: number[][], groups?: string[]) => () =>
    trajectoriesPlot({ runs: [runs[0]!, run], options, groups, synthetic: false });
  assert.throws(draw([[0.5, NaN]]), { name: "RangeError", message: /run 1 in round 1 is NaN/ });
  assert.throws(draw([[0.5, 0.5], [1]]), { name: "RangeError", message: /run 1 has 1 preferences in round 2, for 2/ });
  assert.throws(draw([[0.5, 0.5]], ["x"]), { name: "RangeError", message: /1 groups for 2 runs/ });
});
