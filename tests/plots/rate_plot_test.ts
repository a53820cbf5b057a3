import assert from "node:assert/strict";
import { COLOURS } from "@/plots/palette.ts";
import { ratePlot } from "@/plots/rate_plot.ts";
import { dots, lines, parseSvg } from "./read_svg.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.05, `${a} is not near ${b}`);
const shape = { quantity: "share", nominal: 0.5, synthetic: false };
/** Without the legend, which stands at the left. */
const marks = (svg: string, colour: string) =>
  dots(svg).filter(({ at, fill, stroke }) => at[0] > 190 && at[1] > 40 && (fill === colour || stroke === colour));

Deno.test("rates and their two standard errors lie on one axis with the nominal rate", () => {
  const rows = [{
    label: "a",
    rates: [{ series: "p", value: 0.25, error: 0.05 }, { series: "q", value: 0.75, error: 0 }],
  }];
  const { svg, alt, caption } = ratePlot({ rows, ...shape });
  const [low] = marks(svg, COLOURS[0]), [high] = marks(svg, COLOURS[1]);
  const unit = (high!.at[0] - low!.at[0]) / 0.5;
  const nominal = [...parseSvg(svg).querySelectorAll('g[aria-label="rule"] line')]
    .filter((line) => line.getAttribute("x1") === line.getAttribute("x2")).map((line) =>
      Number(line.getAttribute("x1"))
    );
  near(nominal[0]!, low!.at[0] + 0.25 * unit);
  const bar = lines(svg).find(({ stroke, parts }) => stroke === COLOURS[0] && parts[0]![0]![0] > 190)!;
  near(bar.parts[0]![0]![0], low!.at[0] - 0.1 * unit);
  near(bar.parts[0]![1]![0], low!.at[0] + 0.1 * unit);
  assert.ok(high!.at[1] > low!.at[1], "each series has a lane of its own");
  assert.match(alt, /a: p 0\.250 ± 0\.050, q 0\.750 ± 0\.000/);
  assert.doesNotMatch(caption, /Hollow/);
});

Deno.test("a rate beyond the axis stands hollow at its edge", () => {
  const rows = [{
    label: "a",
    rates: [{ series: "p", value: 0.1, error: 0.01 }, { series: "q", value: 0.9, error: 0.01 }],
  }];
  const { svg, caption, rows: data } = ratePlot({ rows, ...shape, nominal: 0.95, domain: [0.8, 1] });
  const [outside] = marks(svg, COLOURS[0]), [inside] = marks(svg, COLOURS[1]);
  assert.equal(outside!.fill, "white");
  near((inside!.at[0] - outside!.at[0]) * 2, 720 - 24 - outside!.at[0]);
  assert.match(caption, /Hollow: beyond the end of the axis/);
  assert.equal(data[0]!.value, 0.1);
});

Deno.test("ratePlot() refuses what is no rate", () => {
  const draw = (value: number) =>
    ratePlot({ rows: [{ label: "a", rates: [{ series: "p", value, error: 0 }] }], ...shape });
  assert.throws(() => draw(1.2), /^RangeError: "p" of "a" is 1.2; a rate is from 0 to 1/);
  assert.throws(() => draw(NaN), /^RangeError: "p" of "a" is NaN/);
});
