import assert from "node:assert/strict";
import { percentWords } from "@/plots/palette.ts";
import { type PairShareCell, shareMatrix } from "@/plots/share_matrix.ts";
import { boxes, lines, parseSvg, textBoxes } from "./read_svg.ts";

const cells: PairShareCell[] = [
  { row: "A", column: "B", above: 0.8, undecided: 0.15, published: true },
  { row: "A", column: "C", above: 1, undecided: 0 },
  { row: "B", column: "A", above: 0.05, undecided: 0.15 },
  { row: "B", column: "C", above: 0.3, undecided: 0.7, published: true },
  { row: "C", column: "A", above: 0, undecided: 0 },
  { row: "C", column: "B", above: 0, undecided: 0.7 },
];

const cellBoxes = (svg: string) => boxes(svg).filter(({ width }) => width === 126);

Deno.test("columns keep the order of the rows, so that the diagonal is one, and is hatched", () => {
  const { svg } = shareMatrix({ cells, synthetic: false });
  const drawn = cellBoxes(svg);
  assert.equal(drawn.length, 9);
  const empty = drawn.filter(({ fill }) => fill === "#f0f0f0");
  assert.deepEqual(
    empty.map(({ x, y }) => Math.round((x - drawn[0]!.x) / 130) - Math.round((y - drawn[0]!.y) / drawn[3]!.height)),
    [
      0,
      0,
      0,
    ],
  );
  assert.ok(parseSvg(svg).querySelectorAll(`g[aria-label="link"]`).length === 3 && lines(svg).length === 0);
});

Deno.test("the number stands in its cell; only the published order is framed and says so", () => {
  const { svg, alt } = shareMatrix({ cells, synthetic: false });
  const drawn = cellBoxes(svg);
  const label = textBoxes(svg).find(({ text }) => text === "80 %")!;
  const box = drawn[1]!;
  assert.ok(
    label.left > box.x && label.right < box.x + box.width && label.top > box.y && label.bottom < box.y + box.height,
  );
  assert.equal(drawn.filter(({ strokeWidth }) => strokeWidth === "2").length, 2);
  assert.equal(textBoxes(svg).filter(({ text }) => text === "published").length, 2);
  assert.match(alt, /A above B: 80 %, open 15 %, published\. A above C: 100 %\. B above A: 5 %, open 15 %/);
});

Deno.test("a larger share is darker", () => {
  const { svg } = shareMatrix({ cells, synthetic: false });
  const light = (fill: string) => fill.match(/\d+/g)!.map(Number).reduce((sum, part) => sum + part, 0);
  const [, ab, ac] = cellBoxes(svg).map(({ fill }) => fill!);
  assert.ok(light(ac!) < light(ab!));
});

Deno.test("a share that is nearly none or all of it does not say so", () => {
  assert.deepEqual([0.004, 0.999, 0.5].map(percentWords), ["under 1 %", "over 99 %", "50 %"]);
});

Deno.test("shareMatrix() names the cell that it refuses", () => {
  const draw = (...cells: PairShareCell[]) => () => shareMatrix({ cells, synthetic: false });
  const cell = { row: "A", column: "B", above: 0.8, undecided: 0.1 };
  assert.throws(draw(cell, cell), { name: "RangeError", message: /two cells for row "A" and column "B"/ });
  assert.throws(draw({ ...cell, undecided: 0.3 }), /cell "A", "B" has shares 0\.8 and 0\.3/);
  assert.throws(draw({ ...cell, above: -0.1 }), /cell "A", "B" has shares -0\.1/);
  assert.throws(draw({ ...cell, above: NaN }), /cell "A", "B" is NaN/);
});
