import assert from "node:assert/strict";
import { replicatesPlot } from "@/plots/mod.ts";
import { COLOURS } from "@/plots/palette.ts";
import { dots, lines, parseSvg, texts } from "./read_svg.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.05, `${a} is not near ${b}`);
/** Points of the first series without its sign in the legend. */
const points = (svg: string) =>
  dots(svg).filter(({ at, fill }) => fill === COLOURS[0] && at[1] > 40).map(({ at }) => at);
const draw = (values: readonly (number | undefined)[], more = {}) =>
  replicatesPlot({
    series: [{ label: "a", points: values.map((value, i) => ({ replicates: 5 * 2 ** i, value })) }],
    ...{ quantity: "power", synthetic: false, ...more },
  });

Deno.test("each doubling of the replicates is a step of one length, and values stand in proportion", () => {
  const [a, b, c] = points(draw([0.2, 0.4, 0.8]).svg);
  near(b![0] - a![0], c![0] - b![0]);
  assert.ok(b![0] - a![0] > 100);
  near(2 * (a![1] - b![1]), b![1] - c![1]);
});

Deno.test("the axis begins at zero and ends where it is told to; the target stands at its value", () => {
  const target = { value: 0.8, label: "power 0.8" };
  const { svg, caption, alt } = draw([0, 1], { highest: 1, target });
  const [zero, one] = points(svg).map(([, y]) => y);
  const rule = parseSvg(svg).querySelector('g[aria-label="rule"][stroke-dasharray="4 3"] line')!;
  const top = draw([0.8], { highest: 1, target }).svg;
  near(points(top)[0]![1], zero! - 0.8 * (zero! - one!));
  // All of the plot's 340 pixels but its margins, 30 above and 44 below.
  near(zero! - one!, 266);
  // The plot's own top is 30 pixels above its highest value, and the rule counts from there.
  const shift = one! - 30;
  near(Number(rule.getAttribute("y1")) + shift, zero! - 0.8 * (zero! - one!));
  assert.match(caption, /Power against the number of replicates, on a logarithmic axis\. Dashed: power 0\.8\.$/);
  assert.match(alt, /a: 0\.00 at 5 replicates, 1\.00 at 10/);
});

Deno.test("every number of replicates is named on the axis, unless it stands too close to the one before", () => {
  const named = (sizes: readonly number[]) => {
    const series = [{ label: "a", points: sizes.map((replicates) => ({ replicates, value: 0.5 })) }];
    const labels = texts(replicatesPlot({ series, quantity: "q", highest: 3, synthetic: false }).svg);
    return sizes.filter((size) => labels.includes(String(size)));
  };
  assert.deepEqual(named([5, 10, 20, 40, 80, 160]), [5, 10, 20, 40, 80, 160]);
  assert.deepEqual(named([10, 70, 71, 90, 100]), [10, 70, 90]);
  assert.deepEqual(named([20]), [20]);
});

Deno.test("an undefined value leaves a gap and is said", () => {
  const { svg, alt, rows } = draw([0.2, undefined, 0.8]);
  assert.equal(points(svg).length, 2);
  const line = lines(svg).find(({ stroke, parts }) => stroke === COLOURS[0] && parts[0]![0]![1] > 40)!;
  assert.deepEqual(line.parts.map(({ length }) => length), [1, 1]);
  assert.match(alt, /0\.20 at 5 replicates, undefined at 10, 0\.80 at 20/);
  assert.equal(rows[1]!.value, undefined);
});

Deno.test("bands are drawn and explained where there are any", () => {
  const banded = replicatesPlot({
    series: [{ label: "a", points: [5, 10].map((replicates) => ({ replicates, value: 1, low: 0.5, high: 2 })) }],
    ...{ quantity: "width", span: "the middle 80 % of ensembles", synthetic: false },
  });
  assert.match(banded.caption, /Bands: the middle 80 % of ensembles/);
  assert.equal(parseSvg(banded.svg).querySelectorAll('g[aria-label="area"] path').length, 1);
  assert.doesNotMatch(draw([1, 2]).caption, /Bands/);
  assert.ok(texts(banded.svg).includes("5") && texts(banded.svg).includes("10"));
});

Deno.test("replicatesPlot() refuses what cannot be drawn, naming the series", () => {
  assert.throws(() => draw([NaN]), { name: "RangeError", message: /a point of "a" is NaN/ });
  assert.throws(() => draw([-0.1]), { name: "RangeError", message: /a value of "a" is -0\.1: the axis begins at 0/ });
  const none = [{ label: "b", points: [{ replicates: 0, value: 1 }] }];
  assert.throws(() => replicatesPlot({ series: none, quantity: "q", synthetic: false }), {
    name: "RangeError",
    message: /"b" is at 0 replicates/,
  });
});
