import assert from "node:assert/strict";
import { branchingPlot } from "@/plots/branching_plot.ts";
import { COLOURS } from "@/plots/palette.ts";
import { boxes, dots, texts } from "./read_svg.ts";

const [OWN, PAPER, OTHER] = COLOURS;
const base = (base: number, gamma: number, more: object = {}) => ({ base, gamma, n: 30, target: 30, ...more });
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.05, `${a} is not near ${b}`);
/** Below the legend. */
const drawn = (svg: string, colour: string) => dots(svg).filter(({ at, fill }) => fill === colour && at[1] > 90);

Deno.test("gamma of each base, the mean's band and the published band share one axis", () => {
  const bases = [base(0, 0), base(1, 0.1)];
  const { svg } = branchingPlot({
    ...{ bases, gamma: { mean: 0.05, se: 0.05 }, published: { mean: 0.05, se: 0.025 }, synthetic: false },
  });
  const [zero, tenth] = drawn(svg, OWN).map(({ at }) => at[1]);
  const bands = boxes(svg).filter(({ y }) => y > 90);
  const [own, paper] = [OWN, PAPER].map((colour) => bands.find(({ fill }) => fill === colour)!);
  near(own!.y, tenth!);
  near(own!.height, zero! - tenth!);
  near(paper!.height, (zero! - tenth!) / 2);
  near(paper!.y + paper!.height / 2, own!.y + own!.height / 2);
});

Deno.test("similarities that are missing are not drawn, and said to be undefined", () => {
  const bases = [base(0, 0.1, { cosIn: 0.9, cosOut: 0.8 }), base(1, 0.1, { cosIn: 0.9 })];
  const { svg, alt } = branchingPlot({ bases, gamma: {}, synthetic: false });
  assert.equal(drawn(svg, OTHER).length, 2);
  assert.equal(dots(svg).filter(({ at, fill }) => fill === "white" && at[1] > 90).length, 1);
  assert.match(alt, /replicate 1: .* across undefined, n = 30 of 30\. mean undefined, not published/);
  const without = branchingPlot({ bases: [base(0, 0.1)], gamma: { mean: 0.1 }, synthetic: false });
  assert.ok(texts(without.svg).includes("undefined"));
});

Deno.test("missing continuations are said, and numbers that are none refused", () => {
  const draw = (more: object) => branchingPlot({ bases: [base(4, 0.1, more)], gamma: {}, synthetic: false });
  assert.match(draw({ n: 28 }).caption, /Continuations missing: replicate 4, 28 of 30/);
  assert.doesNotMatch(draw({}).caption, /missing/);
  assert.throws(() => draw({ gamma: NaN }), { name: "RangeError", message: /base 4 is NaN/ });
});
