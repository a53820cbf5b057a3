import assert from "node:assert/strict";
import { type SweepPanel, sweepPanels } from "@/plots/sweep_panels.ts";
import { lines, parseSvg, texts } from "./read_svg.ts";

const known = (...values: [x: number, y: number][]) => values.map(([x, y]) => ({ x, low: y, high: y }));

const draw = (panels: SweepPanel[], more: object = {}) =>
  sweepPanels({ panels, x: "share of the weight", y: "rank", synthetic: false, ...more });

const panel = (title: string, ...series: SweepPanel["series"][number][]) => ({ title, series, published: 0.1 });

/** Lines of series, which have a dash or a width of 1.6; legends and frames have others. */
const seriesLines = (svg: string) =>
  lines(svg).filter(({ strokeWidth }) => strokeWidth === "1.6" || strokeWidth === "1.2");

Deno.test("all panels share one scale, and ranks stand with 1 at the top", () => {
  const { svg } = draw(
    [
      panel("trust", { label: "a", points: known([0, 1], [0.5, 2]) }),
      panel("coalition", { label: "a", points: known([0, 2], [0.5, 2]) }),
    ],
    { reverse: true },
  );
  const [first, second] = seriesLines(svg).filter(({ strokeWidth }) => strokeWidth === "1.6").map(({ parts }) =>
    parts[0]!
  );
  assert.ok(first![0]![1] < first![1]![1], "rank 1 is above rank 2");
  assert.ok(Math.abs(first![1]![1] - second![0]![1]) < 0.02, "rank 2 is as high in both");
  assert.ok(second![0]![0] - first![0]![0] > 200, "the second panel stands to the right");
  const rules = [...parseSvg(svg).querySelectorAll(`g[aria-label="rule"] line`)].map((rule) =>
    Number(rule.getAttribute("x1"))
  );
  const share = (rules[0]! - 56) / (first![1]![0] - first![0]![0]);
  assert.ok(Math.abs(share - 0.2) < 0.01, "0.1 of 0.5");
});

Deno.test("the fourth panel begins a new row", () => {
  const four = ["a", "b", "c", "d"].map((title) => panel(title, { label: "x", points: known([0, 1], [1, 2]) }));
  const starts = seriesLines(draw(four).svg).filter(({ strokeWidth }) => strokeWidth === "1.6").map(({ parts }) =>
    parts[0]![0]!
  );
  assert.ok(Math.abs(starts[3]![0] - starts[0]![0]) < 0.02);
  assert.ok(starts[3]![1] > starts[0]![1] + 140);
});

Deno.test("bounds are a band with two edges; the caption says so only then", () => {
  const points = [{ x: 0, low: 0.8, high: 0.9 }, { x: 1, low: 0.7, high: 0.9 }];
  const { svg, caption, alt } = draw([panel("trust", { label: "MIMO", points })], { y: "q" });
  assert.equal(parseSvg(svg).querySelectorAll(`g[aria-label="area"] path`).length, 1);
  assert.match(caption, /Bands: everything that is compatible/);
  assert.match(alt, /trust: MIMO 0\.800 to 0\.900 at 0, 0\.700 to 0\.900 at 1/);
  const line = draw([panel("trust", { label: "MIMO", points: known([0, 1], [1, 1]) })]);
  assert.equal(parseSvg(line.svg).querySelectorAll(`g[aria-label="area"] path`).length, 0);
  assert.doesNotMatch(line.caption, /Bands/);
});

Deno.test("a label looks alike in every panel, wherever it stands there", () => {
  const [a, b] = ["a", "b"].map((label, i) => ({ label, points: known([0, i], [1, i]) }));
  const { svg, rows } = draw([panel("one", a!, b!), panel("two", b!)]);
  const strokes = seriesLines(svg).filter(({ strokeWidth }) => strokeWidth === "1.6").map(({ stroke }) => stroke);
  assert.equal(strokes[2], strokes[1]);
  assert.notEqual(strokes[0], strokes[1]);
  assert.deepEqual(texts(svg).filter((text) => text === "a" || text === "b"), ["a", "b"]);
  assert.deepEqual(rows[0], { panel: "one", published: 0.1, label: "a", x: 0, low: 0, high: 0 });
  assert.equal(rows.length, 6);
});

Deno.test("sweepPanels() names series and panel of what it refuses", () => {
  const wrong = (point: { x: number; low: number; high: number }) => () =>
    draw([panel("trust", { label: "a", points: [point] })]);
  assert.throws(wrong({ x: 0, low: 2, high: 1 }), {
    name: "RangeError",
    message: /a point of "a" in "trust" runs from 2 down to 1/,
  });
  assert.throws(wrong({ x: NaN, low: 1, high: 1 }), /a point of "a" in "trust" is NaN/);
});
