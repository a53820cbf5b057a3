import assert from "node:assert/strict";
import { intervalPlot } from "@/plots/interval_plot.ts";
import { COLOURS } from "@/plots/palette.ts";
import { dots, lines, parseSvg, texts } from "./read_svg.ts";

const [OWN, PAPER] = COLOURS;
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.05, `${a} is not near ${b}`);
/** Without the signs of the legend, which stand at the left. */
const values = (svg: string) => dots(svg).filter(({ at, fill }) => fill === OWN && at[1] > 40).map(({ at }) => at[0]);
const published = (svg: string) => dots(svg).filter(({ at, stroke }) => stroke === PAPER && at[1] > 40);

Deno.test("values, intervals and published values share one linear axis", () => {
  const rows = [
    { label: "a", value: 0.01, low: 0, high: 0.02, published: 0.03 },
    { label: "b", value: 0.02, low: 0.01, high: 0.04, studentisedLow: 0, studentisedHigh: 0.04 },
  ];
  const { svg } = intervalPlot({ rows, quantity: "q", synthetic: false });
  const [a, b] = values(svg);
  const unit = b! - a!;
  const origin = a! - unit;
  assert.ok(unit > 10);
  const drawn = lines(svg).filter(({ parts }) => parts[0]![0]![1] > 40).map(({ parts, ...look }) => ({
    ...look,
    ends: parts[0]!,
  }));
  const thick = drawn.filter(({ strokeWidth }) => strokeWidth === "3").map(({ ends }) => ends.map(([x]) => x));
  [[0, 2], [1, 4]].forEach(([low, high], i) => {
    near(thick[i]![0]!, origin + low! * unit);
    near(thick[i]![1]!, origin + high! * unit);
  });
  const dashed = drawn.filter(({ strokeDash }) => strokeDash === "4 2");
  assert.equal(dashed.length, 1);
  near(dashed[0]!.ends[1]![0], origin + 4 * unit);
  near(published(svg)[0]!.at[0], origin + 3 * unit);
  assert.equal(published(svg)[0]!.fill, "white", "a hollow diamond");
  const zero = [...parseSvg(svg).querySelectorAll('g[aria-label="rule"] line')].map((l) =>
    Number(l.getAttribute("x1"))
  );
  assert.ok(zero.some((x) => Math.abs(x - origin) < 0.05));
});

Deno.test("what is missing is said in words and not drawn", () => {
  const rows = [
    { label: "published alone", reason: "too-few-replicates", published: -0.01, verdict: "not comparable" },
    { label: "measured alone", value: 0.02 },
  ];
  const { svg, alt, caption } = intervalPlot({ rows, quantity: "q", synthetic: false });
  assert.equal(values(svg).length, 1);
  assert.equal(published(svg).length, 1);
  const said = texts(svg).join(" ");
  assert.match(said, /measured undefined: too few replicates published −0\.0100 not comparable/);
  assert.match(said, /measured 0\.0200 not published/);
  assert.match(caption, /Not published: measured alone\. Without an estimate: published alone/);
  assert.match(alt, /published alone: measured undefined: too few replicates, published −0\.0100, not comparable/);
});

Deno.test("published values are not spoken of where none is compared", () => {
  const { svg, caption } = intervalPlot({
    rows: [{ label: "a", value: 1, low: 0, high: 2 }],
    quantity: "q",
    synthetic: false,
  });
  assert.doesNotMatch(texts(svg).join(" ") + caption, /publish/);
});

Deno.test("an axis without zero stays with the data", () => {
  const draw = (zero: boolean) =>
    intervalPlot({
      rows: [{ label: "a", value: 70 }, { label: "b", value: 71 }],
      quantity: "q",
      zero,
      synthetic: false,
    });
  const span = ({ svg }: { svg: string }) => values(svg)[1]! - values(svg)[0]!;
  assert.ok(span(draw(false)) > 20 * span(draw(true)));
  assert.ok(!texts(draw(false).svg).includes("0"));
});

Deno.test("intervalPlot() refuses numbers that are none, naming the row", () => {
  assert.throws(() => intervalPlot({ rows: [{ label: "a", low: NaN }], quantity: "q", synthetic: false }), {
    name: "RangeError",
    message: /row "a" is NaN/,
  });
});
