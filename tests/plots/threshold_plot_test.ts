import assert from "node:assert/strict";
import { thresholdPlot } from "@/plots/threshold_plot.ts";
import { boxes, parseSvg, textBoxes, texts } from "./read_svg.ts";
import { counts } from "./weight_samples.ts";

const steps = [0.81, 0.82, 0.83].map((threshold, i) => ({ threshold, counts: counts(24 - 6 * i, 8 + 6 * i, 3) }));

const draw = (more: object = {}) =>
  thresholdPlot({ panels: [{ title: "strong from", steps, published: 0.82, ...more }], synthetic: false });

/** The bars, without the legend's boxes. */
const bars = (svg: string) => boxes(svg).filter(({ width }) => width > 100 && width < 700);

Deno.test("bars are as high as their counts, best class at the bottom, stacked without gaps", () => {
  const drawn = bars(draw().svg);
  assert.equal(drawn.length, 12, "four classes that occur, at three thresholds");
  const first = drawn.slice(0, 4);
  assert.deepEqual(first.map(({ height }) => Math.round(height / first[3]!.height)), [24, 8, 3, 1]);
  first.slice(1).forEach(({ y, height }, i) => assert.ok(Math.abs(y + height - first[i]!.y) < 0.03));
  assert.ok(Math.abs(drawn[4]!.x - first[0]!.x - first[0]!.width) < 0.03, "the next threshold adjoins");
  assert.ok(Math.abs(drawn[4]!.height / first[0]!.height - 18 / 24) < 0.01);
});

Deno.test("letters repeat the colours, but not under the rule of the published threshold", () => {
  const { svg } = draw();
  const rule = Number(parseSvg(svg).querySelector(`g[aria-label="rule"][stroke-dasharray] line`)!.getAttribute("x1"));
  const letters = textBoxes(svg).filter(({ text }) => text === "S");
  assert.equal(letters.length, 2);
  assert.ok(letters.every(({ left, right }) => rule < left || rule > right));
  assert.equal(textBoxes(draw({ published: undefined }).svg).filter(({ text }) => text === "S").length, 3);
});

Deno.test("words give every count; only classes that occur are in the legend", () => {
  const { svg, alt, caption, rows } = draw();
  assert.match(
    alt,
    /strong from: at 0\.810 strong 24, adequate 8, brittle 3, failed no valid plan 1; at 0\.820 strong 18/,
  );
  const said = texts(svg);
  assert.ok(said.includes("F failed no valid plan") && !said.includes("? undecided"));
  assert.doesNotMatch(caption, /Undecided/);
  assert.equal(rows[1]!.BENCHMARK_STRONG, 18);
  const open = draw({ steps: [{ threshold: 0.82, counts: counts(20, 8, 3) }] });
  assert.match(open.caption, /Undecided: within rounding/);
  assert.match(open.alt, /undecided 4/);
});

Deno.test("thresholdPlot() names panel and threshold of what it refuses", () => {
  const wrong = { ...counts(24, 8, 3), BENCHMARK_BRITTLE: 0.5 };
  assert.throws(() => draw({ steps: [{ threshold: 0.82, counts: wrong }] }), {
    name: "RangeError",
    message: /"strong from" at 0\.82 has 0\.5 runs BENCHMARK_BRITTLE/,
  });
  assert.throws(() => draw({ published: NaN }), /a threshold of "strong from" is NaN/);
});
