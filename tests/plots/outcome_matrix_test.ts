import assert from "node:assert/strict";
import { type OutcomeCell, outcomeMatrix } from "@/plots/outcome_matrix.ts";
import { boxes, parseSvg, texts } from "./read_svg.ts";

const cell = (row: string, column: string, stabilized: number, more: Partial<OutcomeCell> = {}): OutcomeCell => ({
  ...{ row, column, stabilized, n: 6, ...more },
});

/** The cells: boxes taller than the legend's. */
const grid = (svg: string) => boxes(svg).filter(({ height }) => height > 20);

const brightness = (colour: string) => (colour.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0);

const four = [cell("hidden", "off", 0), cell("hidden", "on", 5), cell("shown", "off", 2), cell("shown", "on", 6)];

Deno.test("cells stand in rows and columns in the order of their first cell, darker where more stabilised", () => {
  const [a, b, c, d] = grid(outcomeMatrix({ cells: four, synthetic: false }).svg);
  assert.ok(a!.x < b!.x && a!.y === b!.y && a!.x === c!.x && a!.y < c!.y && d!.x === b!.x && d!.y === c!.y);
  const order = [a!, c!, b!, d!].map(({ fill }) => brightness(fill!));
  assert.deepEqual(order, order.toSorted((x, y) => y - x));
  assert.equal(new Set(order).size, 4);
});

Deno.test("a cell prints its counts, mean q, fallback and the published counts, each unknown in words", () => {
  const cells = [
    cell("a", "x", 5, { meanQ: 0.8512, fallback: 0.125, published: { stabilized: 0, n: 6 } }),
    cell("a", "y", 0),
  ];
  const { svg, alt, rows } = outcomeMatrix({ cells, synthetic: false });
  const said = texts(svg);
  const start = said.indexOf("5 of 6 stabilised");
  assert.deepEqual(said.slice(start, start + 8), [
    ...["5 of 6 stabilised", "mean q 0.851", "fallback 13 %", "published 0 of 6"],
    ...["0 of 6 stabilised", "mean q not known", "fallback not known", "not published"],
  ]);
  assert.match(alt, /a, y: 0 of 6 stabilised, mean q not known/);
  assert.deepEqual([rows[0]!.publishedStabilized, rows[1]!.publishedN], [0, undefined]);
});

Deno.test("a cell without runs is hatched, and is not a cell where none stabilised", () => {
  const cells = [cell("a", "x", 0), cell("a", "y", 0, { n: 0 }), cell("b", "x", 1)];
  const { svg } = outcomeMatrix({ cells, synthetic: false });
  assert.ok(texts(svg).includes("no runs") && texts(svg).includes("not run"));
  assert.equal(parseSvg(svg).querySelectorAll('g[aria-label="link"]').length, 2);
});

Deno.test("outcomeMatrix() refuses counts and shares that are none", () => {
  const draw = (...cells: OutcomeCell[]) => () => outcomeMatrix({ cells, synthetic: false });
  assert.throws(draw(cell("a", "x", 7)), { name: "RangeError", message: /cell "a", "x" has 7 stabilised of 6 runs/ });
  assert.throws(draw(cell("a", "x", 1.5)), /1.5 stabilised/);
  assert.throws(draw(cell("a", "x", 1, { published: { stabilized: 3, n: 2 } })), /3 stabilised of 2/);
  assert.throws(draw(cell("a", "x", 1, { fallback: 1.2 })), /a fallback share of 1.2/);
  assert.throws(draw(cell("a", "x", 1, { meanQ: NaN })), /cell "a", "x" is NaN/);
  assert.throws(draw(cell("a", "x", 1), cell("a", "x", 2)), /two cells for row "a" and column "x"/);
});
