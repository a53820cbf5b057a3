import assert from "node:assert/strict";
import { COLOURS } from "@/plots/palette.ts";
import { temperaturePlot, type TemperaturePoint } from "@/plots/temperature_plot.ts";
import { dots, lines, texts } from "./read_svg.ts";

const [OWN, PAPER] = COLOURS;
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.05, `${a} is not near ${b}`);
const draw = (...panels: TemperaturePoint[][]) =>
  temperaturePlot({ panels: panels.map((points, i) => ({ title: `panel ${i}`, points })), synthetic: false });
/** Without the signs of the legend, which stand at the top. */
const own = (svg: string) => dots(svg).filter(({ at, fill }) => fill === OWN && at[1] > 40).map(({ at }) => at);
const full = { n: 20, target: 20 };

Deno.test("temperatures stand on a logarithmic axis, T = 0 a decade below the least other", () => {
  const { svg } = draw([0, 0.001, 0.01, 0.1].map((temperature) => ({ temperature, lambda: 0.05, ...full })));
  const x = own(svg).map(([x]) => x);
  const decade = x[2]! - x[1]!;
  assert.ok(decade > 50);
  near(x[3]! - x[2]!, decade);
  near(x[1]! - x[0]!, decade);
  assert.deepEqual(texts(svg).filter((text) => /^0(\.\d*1)?$/.test(text)).slice(-4), ["0", "0.001", "0.01", "0.1"]);
});

Deno.test("panels share one scale, which intervals and published values keep to", () => {
  const { svg } = draw(
    [{ temperature: 0, lambda: 0.04, low: 0.02, high: 0.06, published: 0.08, ...full }],
    [{ temperature: 0, lambda: 0.08, published: 0.04, ...full }],
  );
  const [first, second] = own(svg);
  const paper = dots(svg).filter(({ at, stroke }) => stroke === PAPER && at[1] > 40).map(({ at }) => at);
  const step = first![1] - paper[0]![1];
  assert.ok(step > 20, "0.08 is above 0.04");
  near(paper[1]![1] - second![1], step);
  const bar = lines(svg).find(({ stroke, strokeWidth, parts }) =>
    stroke === OWN && strokeWidth === "3" && parts[0]![0]![1] > 40
  )!;
  near(bar.parts[0]![0]![1] - bar.parts[0]![1]![1], step);
});

Deno.test("what is missing is said: runs, estimates, published values", () => {
  const { svg, alt, caption } = draw([
    { temperature: 0, reason: "no-divergence", published: 0.01, n: 18, target: 20 },
    { temperature: 0.1, lambda: 0.05, ...full },
  ]);
  assert.ok(texts(svg).includes("18") && !texts(svg).includes("20"));
  assert.equal(own(svg).length, 1);
  assert.match(alt, /T = 0: measured undefined: no divergence, published 0\.0100, n = 18 of 20/);
  assert.match(alt, /T = 0\.1: measured 0\.0500, not published, n = 20 of 20/);
  assert.match(caption, /runs that count, where fewer than planned/);
  assert.doesNotMatch(draw([{ temperature: 0, lambda: 0.1, ...full }]).caption, /planned|diamonds|bars/);
});

Deno.test("temperaturePlot() refuses temperatures below zero, doubled ones, and numbers that are none", () => {
  const refused = (message: RegExp, ...points: TemperaturePoint[]) =>
    assert.throws(() => draw(points), { name: "RangeError", message });
  refused(/"panel 0" has T = -1/, { temperature: -1, ...full });
  refused(/T = 0\.1 twice/, { temperature: 0.1, ...full }, { temperature: 0.1, ...full });
  refused(/T = 0 of "panel 0" is NaN/, { temperature: 0, lambda: NaN, ...full });
});
