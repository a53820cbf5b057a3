import fc from "fast-check";
import assert from "node:assert/strict";
import { distributionPlot, type DistributionRun } from "@/plots/distribution_plot.ts";
import { boxes, dots, parseSvg, texts } from "./read_svg.ts";

const draw = (runs: DistributionRun[], more: object = {}) =>
  distributionPlot({ groups: [{ label: "no model", runs, ...more }], synthetic: false });

/** The runs' dots, without the legend's, which are symbols as paths. */
const runDots = (svg: string) =>
  dots(svg).filter(({ at }) => !Number.isNaN(at[0])).filter(({ fill }) => fill === "#0072B2");

const ruleAt = (svg: string, dash: string) => {
  const groups = [...parseSvg(svg).querySelectorAll(`g[aria-label="rule"][stroke-dasharray="${dash}"]`)];
  return groups.map((group) => Number(group.firstElementChild!.getAttribute("x1")));
};

Deno.test("dots stand at their values, on one scale with the class thresholds", () => {
  const { svg } = draw([{ value: 0.7 }, { value: 0.76 }, { value: 0.82 }]);
  const [low, middle, high] = runDots(svg).slice(-3).map(({ at }) => at[0]);
  assert.ok(Math.abs(middle! - (low! + high!) / 2) < 0.05);
  assert.ok(Math.abs(ruleAt(svg, "6 3")[0]! - low!) < 1 && Math.abs(ruleAt(svg, "2 3")[0]! - high!) < 1);
  assert.ok(texts(svg).includes("adequate from 0.70") && texts(svg).includes("strong from 0.82"));
});

Deno.test("no dot covers another, however alike the values", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 600, max: 700 }), { minLength: 1, maxLength: 60 }), (values) => {
      const drawn = runDots(draw(values.map((value) => ({ value: value / 1000 }))).svg).slice(-values.length);
      drawn.forEach(({ at: [x, y] }, i) =>
        drawn.slice(i + 1).forEach(({ at }) => assert.ok(Math.hypot(at[0] - x, at[1] - y) > 6.3))
      );
    }),
    { numRuns: 12, seed: 1 },
  );
});

Deno.test("many runs are a histogram whose bars add up to them, the fullest counted", () => {
  const runs = Array.from({ length: 150 }, (_, i) => ({ value: i < 100 ? 0.701 : 0.761 }));
  const { svg, caption } = draw(runs);
  const bars = boxes(svg).filter(({ fill, width }) => fill === "#0072B2" && width < 30);
  assert.equal(bars.length, 2);
  assert.ok(Math.abs(bars[0]!.height / bars[1]!.height - 2) < 0.05, "100 runs and 50");
  assert.ok(texts(svg).includes("100"));
  assert.match(caption, /histograms of runs\. The fullest bin/);
});

Deno.test("panel seeds are labelled squares above, published values hollow diamonds below", () => {
  const runs = [{ value: 0.72 }, { value: 0.75, label: "104", highlight: true }];
  const { svg, alt, rows } = draw(runs, { published: [0.774, 0.688], note: "mean 0.735" });
  assert.ok(texts(svg).includes("104") && texts(svg).includes("panel seeds"));
  assert.match(alt, /no model: 2 runs, 0\.720 to 0\.750, mean 0\.735, 2 published, 0\.688 to 0\.774/);
  assert.match(alt, /adequate from 0\.70\. strong from 0\.82/);
  assert.deepEqual(rows.map(({ source, value, highlight }) => [source, value, highlight]), [
    ["run", 0.72, false],
    ["run", 0.75, true],
    ["published", 0.774, false],
    ["published", 0.688, false],
  ]);
  const signs = (fill: string) =>
    [...parseSvg(svg).querySelectorAll(`g[aria-label="dot"][fill="${fill}"] path`)].map((path) => path.outerHTML);
  assert.equal(signs("#D55E00").length, 2, "one in the legend, one in the lane");
  assert.equal(signs("white").length, 3);
});

Deno.test("runs without a value are counted in words; another quantity has no class thresholds", () => {
  const { svg, alt } = draw([{}, { value: 3 }]);
  assert.match(alt, /2 runs, 3\.000 to 3\.000, 1 without a value/);
  assert.ok(texts(svg).includes("1 without a value"));
  const other = distributionPlot({
    ...{ groups: [{ label: "a", runs: [{ value: 3 }] }], quantity: "rumours", digits: 0, synthetic: false },
  });
  assert.ok(!texts(other.svg).join().includes("adequate"));
  assert.match(other.alt, /Distribution of rumours in 1 group\. a: 1 run, 3 to 3/);
});

Deno.test("distributionPlot() names the group of a number it refuses", () => {
  assert.throws(() => draw([{ value: NaN }]), { name: "RangeError", message: /a value of "no model" is NaN/ });
  assert.throws(() => draw([], { published: [Infinity] }), /a value of "no model" is Infinity/);
});
