import assert from "node:assert/strict";
import { type SeedLane, seedPlot } from "@/plots/seed_plot.ts";
import { dots, lines, texts } from "./read_svg.ts";

const draw = (...lanes: SeedLane[]) => seedPlot({ seeds: [{ label: "seed 104", lanes }], synthetic: false });

const PUBLISHED: SeedLane = {
  ...{ series: "published", mean: 0.8 },
  runs: [{ value: 0.7, failed: true, label: "Gemini" }, { value: 0.9 }, { value: 0.8 }],
};

/** Signs of the runs, without those of the legend. */
const signs = (svg: string) => dots(svg).filter(({ at: [, y] }) => y > 40);

Deno.test("a lane puts values to scale, its mean where the middle one is, and a cross for a failed run", () => {
  const { svg } = draw(PUBLISHED);
  const [first, second, third] = signs(svg).map(({ at: [x] }) => x);
  // Those that stabilised come first: 0.9, 0.8, then 0.7.
  assert.ok(Math.abs((first! - second!) - (second! - third!)) < 0.05 && first! > second!);
  const mean = lines(svg).find(({ strokeWidth }) => strokeWidth === "3")!;
  assert.ok(Math.abs(mean.parts[0]![0]![0] - second!) < 0.05);
  assert.ok(texts(svg).includes("Gemini") && texts(svg).includes("0.800 published"));
  assert.ok(texts(svg).includes("did not stabilise"));
});

Deno.test("without failed runs nothing speaks of them; a lane without a mean has no bar", () => {
  const { svg, caption } = draw({ series: "ours", runs: [{ value: 0.7 }] });
  assert.doesNotMatch(texts(svg).join(" ") + caption, /stabilise|means/);
  assert.equal(lines(svg).filter(({ strokeWidth }) => strokeWidth === "3").length, 0);
});

Deno.test("every run is a row with its seed, series and outcome", () => {
  const { rows } = draw(PUBLISHED, { series: "ours", runs: [{ value: 0.6 }] });
  assert.deepEqual(rows.map(({ seed, series, value, failed }) => [seed, series, value, failed]), [
    ["seed 104", "published", 0.7, true],
    ["seed 104", "published", 0.9, false],
    ["seed 104", "published", 0.8, false],
    ["seed 104", "ours", 0.6, false],
  ]);
  assert.throws(() => draw({ series: "ours", runs: [{ value: NaN }] }), {
    name: "RangeError",
    message: /lane "ours" is NaN/,
  });
});
