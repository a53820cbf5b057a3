import assert from "node:assert/strict";
import { boundsPlot, type BoundsRow } from "@/plots/bounds_plot.ts";
import { boxes, dots, overlaps, parseSvg, textBoxes, texts } from "./read_svg.ts";

const draw = (...rows: BoundsRow[]) => boundsPlot({ groups: [{ label: "group", rows }], synthetic: false });

const bars = (svg: string) => boxes(svg).filter(({ height }) => height === 7);

const thresholds = (svg: string) =>
  [...parseSvg(svg).querySelectorAll(`g[aria-label="rule"]`)].map((group) => [
    group.getAttribute("stroke-dasharray"),
    Number(group.firstElementChild!.getAttribute("x1")),
  ]);

Deno.test("bars run from low to high on one scale with the class thresholds", () => {
  const { svg } = draw({ label: "a", low: 0.70, high: 0.82 }, { label: "b", low: 0.76, high: 1 });
  const [first, second] = bars(svg);
  const [[, adequate], [, strong]] = thresholds(svg) as [[string, number], [string, number]];
  assert.ok(Math.abs(first!.x - adequate) < 1 && Math.abs(first!.x + first!.width - strong) < 1);
  assert.ok(Math.abs(second!.width / first!.width - 2) < 0.01);
  assert.ok(Math.abs(second!.x - first!.x - first!.width / 2) < 0.1);
  assert.ok(first!.y < second!.y);
});

Deno.test("a value that is known exactly is a dot, since no bar of no width can be seen", () => {
  const { svg } = draw({ label: "a", low: 0.75, high: 0.75 }, { label: "b", low: 0.7, high: 0.8 });
  assert.equal(bars(svg).length, 1);
  const circles = dots(svg).filter(({ fill }) => fill === "#0072B2");
  assert.equal(circles.length, 1);
});

Deno.test("published values are hollow diamonds; words name bounds, published value and note", () => {
  const { svg, alt, rows, caption } = draw({
    label: "MIMO 109",
    low: 0.94,
    high: 0.98,
    published: 0.961,
    note: "strong",
  });
  assert.match(alt, /MIMO 109: 0\.940 to 0\.980, published 0\.961, strong\. adequate from 0\.70\. strong from 0\.82/);
  assert.ok(texts(svg).includes("strong") && texts(svg).includes("published"));
  assert.match(caption, /Hollow diamonds: published values/);
  assert.deepEqual(rows, [
    { group: "group", label: "MIMO 109", low: 0.94, high: 0.98, published: 0.961, note: "strong" },
  ]);
  assert.doesNotMatch(draw({ label: "a", low: 0, high: 1 }).caption, /diamond/);
});

Deno.test("every other group stands on a shade", () => {
  const rows = [{ label: "a", low: 0.1, high: 0.2 }, { label: "b", low: 0.1, high: 0.2 }];
  const groups = ["x", "y", "z"].map((label) => ({ label, rows }));
  const shades = boxes(boundsPlot({ groups, synthetic: false }).svg).filter(({ fill }) => fill === "#f0f0f0");
  assert.equal(shades.length, 1);
  assert.ok(shades[0]!.height >= 2 * 18);
});

Deno.test("another quantity has no class thresholds", () => {
  const groups = [{ label: "g", rows: [{ label: "a", low: 0, high: 1 }] }];
  const { svg, alt } = boundsPlot({ groups, quantity: "value of the component", synthetic: false });
  assert.deepEqual(thresholds(svg).filter(([dash]) => dash !== null), []);
  assert.doesNotMatch(alt, /adequate/);
});

Deno.test("boundsPlot() names the row that it refuses", () => {
  assert.throws(() => draw({ label: "a", low: 0.5, high: 0.4 }), {
    name: "RangeError",
    message: /row "a" runs from 0\.5 down to 0\.4/,
  });
  assert.throws(() => draw({ label: "a", low: 0, high: 1, published: NaN }), /row "a" is NaN/);
});

Deno.test("with headings each group stands under its label, on its own shade", () => {
  const rows = [{ label: "trust", low: 0.1, high: 0.2 }, { label: "coalition", low: 0.1, high: 0.2 }];
  const groups = ["MIMO 109", "Gemini 104"].map((label) => ({ label, rows }));
  const { svg, alt } = boundsPlot({ groups, headings: true, synthetic: false });
  const at = (text: string) => textBoxes(svg).filter((box) => box.text === text).map(({ top }) => top);
  const [first, second] = at("trust");
  assert.ok(at("MIMO 109")[0]! < first! && first! < at("Gemini 104")[0]! && at("Gemini 104")[0]! < second!);
  const shade = boxes(svg).find(({ fill }) => fill === "#f0f0f0")!;
  assert.ok(shade.y < at("Gemini 104")[0]! && shade.y > at("coalition")[0]!);
  assert.match(alt, /Gemini 104, trust: 0\.100 to 0\.200/);
  assert.deepEqual(overlaps(svg), []);
});
