import assert from "node:assert/strict";
import * as Plot from "@observablehq/plot";
import { parseSvg } from "@/lab/plots/canvas.ts";
import { plotFigure, type PlotFigureOptions } from "@/lab/plots/plot_figure.ts";

const textsOf = (options: Omit<PlotFigureOptions, "name" | "synthetic">) => {
  const { svg } = plotFigure({ name: "a", synthetic: false, ...options });
  return [...parseSvg(svg).querySelectorAll("text")].map(({ textContent }) => textContent ?? "");
};

const slopes = [
  { condition: "zeta", lambda: 0.02, kind: "own" },
  { condition: "alpha", lambda: 0.05, kind: "theirs" },
];
const dots = Plot.dot(slopes, { x: "lambda", y: "condition" });

Deno.test("named rows stand in the order of the data, without a name of their own", () => {
  const texts = textsOf({ marks: [dots] });
  assert.deepEqual(texts.filter((text) => /zeta|alpha/.test(text)), ["zeta", "alpha"]);
  assert.ok(!texts.includes("condition"));
  assert.ok(textsOf({ y: { label: "committee" }, marks: [dots] }).includes("committee"));
  const given = textsOf({ y: { domain: ["alpha", "zeta"] }, marks: [dots] });
  assert.deepEqual(given.filter((text) => /zeta|alpha/.test(text)), ["alpha", "zeta"]);
});

Deno.test("columns of tidy rows name their axes; distances get a logarithmic one while all are above zero", () => {
  assert.ok(textsOf({ marks: [dots] }).some((text) => text.startsWith("λ̂, nats per round")));
  const curve = (first: number) => [first, 0.1, 1].map((D, i) => ({ round: i + 1, D }));
  const ticks = (first: number) => textsOf({ marks: [Plot.line(curve(first), { x: "round", y: "D" })] });
  assert.ok(ticks(0.01).some((text) => text.includes("D(t)")));
  assert.ok(ticks(0.01).includes("0.02"), "1, 2 and 5 of each decade");
  assert.ok(ticks(0).includes("0.6"), "evenly spaced: no logarithm of zero");
});

Deno.test("symbols are dealt in the order in which colours are", () => {
  const marks = [Plot.dot(slopes, { x: "lambda", y: "kind", fill: "condition", symbol: "condition" })];
  const { svg } = plotFigure({ name: "a", synthetic: false, marks });
  const given = plotFigure({ name: "a", synthetic: false, symbol: { domain: ["zeta", "alpha"] }, marks });
  assert.equal(svg, given.svg);
});

Deno.test("colours have a legend where nothing else names them", () => {
  const dot = (fill: string) => [Plot.dot(slopes, { x: "lambda", y: "condition", fill })];
  assert.ok(textsOf({ marks: dot("kind") }).includes("theirs"));
  assert.ok(!textsOf({ color: { legend: false }, marks: dot("kind") }).includes("theirs"));
  assert.equal(textsOf({ marks: dot("condition") }).filter((text) => text === "alpha").length, 1, "the axis names it");
});
