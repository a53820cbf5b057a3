import assert from "node:assert/strict";
import { lawsPlot } from "@/plots/laws_plot.ts";
import { dots, lines, texts } from "./read_svg.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.05, `${a} is not near ${b}`);
const D = [0.01, 0.02, 0.04, 0.08];
const laws = [
  { law: "steady", fitted: [0.03, 0.03, 0.03], share: 0.25 },
  { law: "exponential", fitted: [0.02, 0.04, 0.08], share: 0.75 },
];
const panel = { title: "doubling", D, window: [2, 4] as const, laws, best: "exponential" };
/** Without the legend at the top. */
const curves = (svg: string) => lines(svg).filter(({ parts }) => parts[0]!.length > 2);
const points = (svg: string) => dots(svg).filter(({ at }) => at[1] > 60).map(({ at }) => at);

Deno.test("doubling is a straight line of equal steps on the logarithmic axis, and its law goes through it", () => {
  const { svg } = lawsPlot({ panels: [panel], synthetic: false });
  const places = points(svg);
  const step = places[1]![1] - places[0]![1];
  assert.ok(step < 0);
  places.slice(1).forEach(([, y], i) => near(y - places[i]![1], step));
  const exponential = curves(svg).find(({ strokeWidth }) => strokeWidth === "3.4")!;
  exponential.parts[0]!.forEach(([x, y], i) => {
    near(x, places[i + 1]![0]);
    near(y, places[i + 1]![1]);
  });
  assert.equal(curves(svg).filter(({ strokeWidth }) => strokeWidth === "3.4").length, 1, "the best alone is thick");
});

Deno.test("laws look alike in all panels, and unlike one another", () => {
  const { svg } = lawsPlot({ panels: [panel, { ...panel, laws: laws.toReversed() }], synthetic: false });
  const looks = curves(svg).map(({ stroke, strokeDash }) => `${stroke} ${strokeDash}`);
  assert.deepEqual([looks[0], looks[1]], [looks[3], looks[2]]);
  assert.notEqual(looks[0], looks[1]);
});

Deno.test("what is not fitted is said in words; a distance of zero is not drawn", () => {
  const none = {
    title: "alone",
    D: [0, ...D.slice(1)],
    window: [2, 4] as const,
    laws: [],
    reason: "too-few-replicates",
  };
  const { svg, alt } = lawsPlot({ panels: [none], synthetic: false });
  assert.equal(points(svg).length, 3);
  assert.ok(texts(svg).includes("undefined: too few replicates"));
  assert.match(alt, /alone: undefined: too few replicates, D from 0 to 0\.08/);
});

Deno.test("lawsPlot() names what is wrong", () => {
  const draw = (change: object) => () => lawsPlot({ panels: [{ ...panel, ...change }], synthetic: false });
  assert.throws(draw({ D: [1, -1] }), /^RangeError: D of "doubling" in round 2 is -1: a distance is never negative/);
  assert.throws(draw({ D: [NaN] }), /^RangeError: D of "doubling" in round 1 is NaN/);
  assert.throws(
    draw({ window: [1, 4] }),
    /^RangeError: "steady" of "doubling" has 3 rounds, its window 1-4 has others/,
  );
});
