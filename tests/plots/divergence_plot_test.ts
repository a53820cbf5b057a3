import assert from "node:assert/strict";
import { divergencePlot } from "@/plots/divergence_plot.ts";
import { COLOURS } from "@/plots/palette.ts";
import { boxes, dots, lines, texts } from "./read_svg.ts";

const near = (a: number, b: number, tolerance = 0.05) =>
  assert.ok(Math.abs(a - b) < tolerance, `${a} is not near ${b}`);

/** Pixels of the first series, without its legend sign. */
const drawn = (svg: string) => dots(svg).filter(({ fill }) => fill === COLOURS[0]).slice(1).map(({ at }) => at);

const doubling = {
  ...{ label: "doubling", D: [0.01, 0.02, 0.04, 0.08, 0.16], n: 7, window: [2, 5] as const },
  fit: { lambda: Math.LN2, intercept: Math.log(0.005) },
};

Deno.test("on the log axis equal ratios are equal steps, and the exact fit runs through the points", () => {
  const { svg } = divergencePlot({ series: [doubling], synthetic: false });
  const points = drawn(svg);
  assert.equal(points.length, 5);
  const step = points[0]![1] - points[1]![1];
  assert.ok(step > 20);
  for (let i = 1; i < 5; i++) {
    near(points[i - 1]![1] - points[i]![1], step);
    near(points[i]![0] - points[i - 1]![0], points[1]![0] - points[0]![0]);
  }
  const fit = lines(svg).find(({ stroke, strokeWidth }) => stroke === COLOURS[0] && strokeWidth === "5")!.parts[0]!;
  near(fit[0]![0], points[1]![0]);
  near(fit[0]![1], points[1]![1]);
  near(fit.at(-1)![0], points[4]![0]);
  near(fit.at(-1)![1], points[4]![1]);
});

Deno.test("on the linear axis heights are proportional to D", () => {
  const points = drawn(divergencePlot({ series: [doubling], scale: "linear", synthetic: false }).svg);
  const unit = points[0]![1] - points[1]![1];
  [1, 2, 4, 8].forEach((times, i) => near(points[i]![1] - points[i + 1]![1], times * unit, 0.1));
});

Deno.test("the shaded window spans its rounds, the legend says slope, n and window", () => {
  const { svg, caption } = divergencePlot({ series: [doubling], synthetic: false });
  const points = drawn(svg);
  const shade = boxes(svg).at(-1)!;
  const round = points[1]![0] - points[0]![0];
  near(shade.x, points[1]![0] - round / 4);
  near(shade.width, 3.5 * round);
  assert.deepEqual(texts(svg).slice(0, 3), [
    "doubling: λ\u0302 = 0.6931, n = 7",
    "least-squares fit of ln D(t)",
    "fit window, rounds 2–5",
  ]);
  assert.match(caption, /over rounds 2–5, in nats per round/);
});

Deno.test("series with different windows have no common shade", () => {
  const other = { ...doubling, label: "other", window: [1, 5] as const };
  const { svg, caption } = divergencePlot({ series: [doubling, other], synthetic: false });
  assert.ok(!texts(svg).some((text) => text.startsWith("fit window")));
  assert.match(caption, /each condition's own window/);
});

Deno.test("rounds without distance are gaps on the log axis, listed in the caption, and points on the linear one", () => {
  const series = [{ label: "late", D: [0, 0.1, 0.2, 0, 0.4], n: 3, window: [1, 5] as const, lambda: -0.5 }];
  const log = divergencePlot({ series, synthetic: false });
  assert.equal(drawn(log.svg).length, 3);
  const path = lines(log.svg).filter(({ stroke }) => stroke === COLOURS[0]).at(-1)!;
  assert.deepEqual(path.parts.map((part) => part.length), [2, 1]);
  assert.match(log.caption, /late: D = 0 in rounds 1, 4, not drawn/);
  assert.match(texts(log.svg)[0]!, /λ\u0302 = −0.5000/);
  const linear = divergencePlot({ series, scale: "linear", synthetic: false });
  assert.equal(drawn(linear.svg).length, 5);
  assert.doesNotMatch(linear.caption, /not drawn/);
  assert.equal(log.rows[0]!.distance, 0);
});

Deno.test("a slope that does not exist is said in words, also when the fit gives the reason", () => {
  const one = { label: "one", D: [0.1, 0.1, 0.1], n: 2, window: [1, 3] as const, fit: { reason: "too-few-rounds" } };
  const { svg, alt, rows } = divergencePlot({ series: [one], synthetic: false });
  assert.equal(texts(svg)[0], "one: λ\u0302 undefined: too few rounds, n = 2");
  assert.match(alt, /slope undefined: too few rounds over rounds 1 to 3/);
  assert.equal(rows[0]!.lambda, undefined);
  assert.ok(!texts(svg).includes("least-squares fit of ln D(t)"));
});

Deno.test("a fit far above the points stretches the axis instead of leaving it", () => {
  const steep = { ...doubling, D: [0.01, 0.01, 0.01, 0.01, 0.01] };
  const { svg } = divergencePlot({ series: [steep], synthetic: false });
  const fit = lines(svg).find(({ strokeWidth, stroke }) => strokeWidth === "5" && stroke === COLOURS[0])!.parts[0]!;
  const shade = boxes(svg).at(-1)!;
  assert.ok(fit.every(([, y]) => y >= shade.y - 0.1 && y <= shade.y + shade.height + 0.1));
});

Deno.test("a band down to zero runs out at the bottom of the log axis", () => {
  const band = { low: [0, 0.01, 0.02, 0.04, 0.08], high: [0.02, 0.04, 0.08, 0.16, 0.32] };
  const { caption, svg, rows } = divergencePlot({ series: [{ ...doubling, band }], synthetic: false });
  assert.deepEqual(rows.map(({ low, high }) => [low, high]), band.low.map((low, i) => [low, band.high[i]]));
  assert.match(caption, /Bands are pointwise\. A band that reaches zero/);
  assert.doesNotMatch(svg, /NaN|Infinity/);
});

Deno.test("divergencePlot() refuses what is no distance, and windows outside the rounds", () => {
  const draw = (change: object) => () => divergencePlot({ series: [{ ...doubling, ...change }], synthetic: false });
  assert.throws(draw({ D: [0.1, NaN] }), { name: "RangeError", message: /D of "doubling" in round 2 is NaN/ });
  assert.throws(draw({ D: [0.1, -1] }), { name: "RangeError", message: /round 2 is -1: a distance is never negative/ });
  assert.throws(draw({ window: [3, 20] }), { name: "RangeError", message: /window 3-20 .* within rounds 1-5/ });
  assert.throws(draw({ lambda: Infinity }), { name: "RangeError", message: /slope of "doubling" is Infinity/ });
});
