import assert from "node:assert/strict";
import { matrixPlot } from "@/plots/matrix_plot.ts";
import { boxes, parseSvg, texts } from "./read_svg.ts";

const cell = (row: string, column: string, more: object) => ({ row, column, n: 20, ...more });

/** The four cells of a 2×2 matrix: the first boxes, in reading order; the strip of colours comes after. */
const grid = (svg: string) => boxes(svg).slice(0, 4);

const brightness = (colour: string) => (colour.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0);

Deno.test("cells stand in rows and columns in the order of their first cell", () => {
  const cells = [
    cell("uniform", "no roles", { lambda: 0.0221 }),
    cell("uniform", "roles", { lambda: 0.0541 }),
    cell("mixed", "no roles", { lambda: 0.0947 }),
    cell("mixed", "roles", { lambda: 0.0519 }),
  ];
  const [a, b, c, d] = grid(matrixPlot({ cells, synthetic: false }).svg);
  assert.ok(a!.x < b!.x && a!.y === b!.y && a!.x === c!.x && a!.y < c!.y && d!.x === b!.x && d!.y === c!.y);
  const order = [a!, d!, b!, c!].map(({ fill }) => brightness(fill!));
  assert.deepEqual(order, order.toSorted((x, y) => y - x), "a larger slope is darker");
  assert.equal(new Set(order).size, 4);
});

Deno.test("a cell prints value, interval, realised and planned runs, and the published value beneath", () => {
  const more = { lambda: 0.0541, low: 0.031, high: 0.0733, n: 19, target: 20, published: 0.0541 };
  const { svg } = matrixPlot({ cells: [cell("uniform", "roles", more)], synthetic: false });
  const said = texts(svg);
  const start = said.indexOf("0.0541");
  assert.deepEqual(said.slice(start, start + 4), ["0.0541", "[0.0310, 0.0733]", "n = 19 of 20", "published 0.0541"]);
});

Deno.test("a cell without an estimate is hatched and says why; one never run says that", () => {
  const cells = [
    cell("a", "x", { reason: "no-divergence" }),
    cell("a", "y", { lambda: 0.01, published: 0.02 }),
    cell("b", "x", { lambda: 0.03, reason: "too-few-replicates" }),
  ];
  const { svg, caption, alt, rows } = matrixPlot({ cells, synthetic: false });
  const said = texts(svg).join("|");
  assert.match(said, /undefined: no\|?\s?divergence\|n = 20\|not published/);
  assert.match(said, /\|not run\|/);
  assert.match(said, /0\.0300\|no interval: too few\|?\s?replicates/);
  assert.equal(parseSvg(svg).querySelectorAll('g[aria-label="link"]').length, 2);
  assert.match(caption, /Hatched: 1 condition without an estimate\. Not run: 1 condition/);
  assert.match(alt, /a, x: undefined: no divergence, n = 20/);
  assert.equal(rows[0]!.lambda, undefined);
});

Deno.test("with negative slopes zero is the palest, and signs have different hues", () => {
  const cells = [-0.1, 0, 0.1].map((lambda, i) => cell("a", `c${i}`, { lambda }));
  const [low, zero, high] = boxes(matrixPlot({ cells, synthetic: false }).svg).map(({ fill }) =>
    (fill!.match(/\d+/g) ?? []).map(Number)
  );
  assert.ok(Math.min(...zero!) > 230);
  assert.ok(low![0]! > low![2]! && high![2]! > high![0]!, "red below, blue above");
});

Deno.test("matrixPlot() refuses two cells in one place and numbers that are none", () => {
  const one = cell("a", "x", { lambda: 0.1 });
  assert.throws(() => matrixPlot({ cells: [one, one], synthetic: false }), /two cells for row "a" and column "x"/);
  assert.throws(() => matrixPlot({ cells: [{ ...one, low: NaN }], synthetic: false }), /cell "a", "x" is NaN/);
});
