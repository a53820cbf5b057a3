import * as Plot from "@observablehq/plot";
import assert from "node:assert/strict";
import { divergenceCurves, forest, intervalDots, publishedDiamonds, spacedLabels } from "@/plots/marks.ts";
import { plotFigure } from "@/plots/plot_figure.ts";
import { overlaps, parseSvg, textBoxes, texts } from "./read_svg.ts";

Deno.test("published diamonds stand dx to the right and dy below their value; rows without one have none", () => {
  const rows = [{ name: "a", lambda: 0.02 }, { name: "b", lambda: 0.05 }, { name: "c" }];
  const drawn = (offset: { dx?: number; dy?: number }) => {
    const mark = publishedDiamonds(rows, { x: "lambda", y: "name", ...offset });
    const { svg } = plotFigure({ name: "a", synthetic: false, marks: [mark] });
    const group = parseSvg(svg).querySelector('g[aria-label="published diamond"]')!;
    const [x, y] = (group.getAttribute("transform") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
    return { x: x!, y: y!, count: group.children.length };
  };
  const [plain, moved] = [drawn({}), drawn({ dx: 11, dy: -9 })];
  assert.deepEqual([moved.x - plain.x, moved.y - plain.y], [11, -9]);
  assert.deepEqual([plain.count, moved.count], [2, 2]);
});

Deno.test("spacedLabels() leaves out the name that would cover an earlier one, and no other", () => {
  const rows = [{ x: 0, y: 0, name: "first" }, { x: 0.02, y: 0, name: "covered" }, { x: 1, y: 1, name: "far" }];
  const marks = [Plot.dot(rows, { x: "x", y: "y" }), spacedLabels(rows, { x: "x", y: "y", text: "name" })];
  const words = texts(plotFigure({ name: "a", synthetic: false, marks }).svg);
  assert.deepEqual(["first", "covered", "far"].filter((name) => words.includes(name)), ["first", "far"]);
});

Deno.test("intervalDots() says where a row has no estimate; zero is one", () => {
  const rows = [{ name: "a", lambda: 0 }, { name: "b" }, { name: "c", lambda: NaN }];
  const said = (x: string | ((row: { lambda?: number }) => number | undefined)) => {
    const marks = intervalDots(rows, { x, low: "low", high: "high", y: "name" });
    return texts(plotFigure({ name: "a", synthetic: false, marks }).svg).filter((words) => words === "no estimate")
      .length;
  };
  assert.deepEqual([said("lambda"), said(({ lambda }) => lambda)], [2, 2]);
});

Deno.test("plotFigure() names each line at its end, in the lines' order, and no name over another", () => {
  const ends = { low: 0, middle: 0.001, high: 0.002, second: 0.999, top: 1 };
  const rows = Object.entries(ends).flatMap(([name, end]) => [{ name, t: 1, D: 0.5 }, { name, t: 2, D: end }]);
  const marks = [Plot.lineY(rows, { x: "t", y: "D", stroke: "name" })];
  const { svg } = plotFigure({ name: "a", synthetic: false, marks });
  const named = textBoxes(svg).filter(({ text }) => Object.hasOwn(ends, text));
  assert.deepEqual(named.toSorted((a, b) => a.top - b.top).map(({ text }) => text), Object.keys(ends).reverse());
  assert.deepEqual(overlaps(svg), []);
  const tick = (text: string) => textBoxes(svg).find((box) => box.text === text)!;
  assert.ok(
    named.every(({ top, bottom }) => top >= tick("1.0").top - 1 && bottom <= tick("0.0").bottom + 1),
    "outside",
  );
});

const svgOf = (marks: Plot.Markish[]) => plotFigure({ name: "a", synthetic: false, marks }).svg;

Deno.test("forest() draws zero, intervals and published values as its marks do, and no diamonds without a column", () => {
  const rows = [{ name: "a", lambda: 0.02, low: 0.01, high: 0.04, paper: 0.03 }, {
    name: "b",
    lambda: 0.05,
    paper: 0.06,
  }];
  const dots = [Plot.ruleX([0]), ...intervalDots(rows, { x: "lambda", low: "low", high: "high", y: "name" })];
  const diamonds = publishedDiamonds(rows, { x: "paper", y: "name", dy: -7 });
  const columns = { x: "lambda", y: "name" };
  assert.equal(svgOf(forest(rows, columns)), svgOf(dots));
  const coloured = intervalDots(rows, { x: "lambda", low: "low", high: "high", y: "name", stroke: "name" });
  assert.equal(svgOf(forest(rows, { ...columns, stroke: "name" })), svgOf([Plot.ruleX([0]), ...coloured]));
  assert.equal(svgOf(forest(rows, { ...columns, published: "paper", above: 7 })), svgOf([...dots, diamonds]));
});

Deno.test("divergenceCurves() draws the rounds of the fit, a band and a line of each condition", () => {
  const rows = ["a", "b"].flatMap((condition, i) =>
    [1, 2, 3].map((round) => ({ condition, round, D: round + i, low: round + i - 0.5, high: round + i + 0.5 }))
  );
  const drawn = parseSvg(svgOf(divergenceCurves(rows, { fit: { from: 2, to: 3 } })));
  const count = (label: string, kind = "path") => drawn.querySelectorAll(`g[aria-label="${label}"] > ${kind}`).length;
  assert.deepEqual([count("frame", "rect"), count("area"), count("line")], [1, 2, 2]);
});
