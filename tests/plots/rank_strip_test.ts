import assert from "node:assert/strict";
import { type RankRow, rankStrip } from "@/plots/rank_strip.ts";
import { boxes, textBoxes, texts } from "./read_svg.ts";

const draw = (...rows: RankRow[]) => rankStrip({ rows, synthetic: false });

Deno.test("a box a rank, its share in it, the published rank framed", () => {
  const { svg, alt } = draw(
    { label: "triage", shares: [0.75, 0.25, 0], published: 2 },
    { label: "split", shares: [0, 0.004, 0.996] },
  );
  const drawn = boxes(svg).filter(({ width }) => width < 300);
  const frames = drawn.filter(({ strokeWidth }) => strokeWidth === "2");
  const cells = drawn.filter(({ strokeWidth }) => strokeWidth !== "2");
  assert.equal(cells.length, 6);
  assert.deepEqual(frames.map(({ x, y }) => [x, y]), [[cells[1]!.x, cells[1]!.y]]);
  const label = textBoxes(svg).find(({ text }) => text === "25 %")!;
  assert.ok(label.left > cells[1]!.x && label.right < cells[1]!.x + cells[1]!.width);
  assert.ok(!texts(svg).includes("0 %"), "an empty box is empty");
  assert.match(alt, /triage: rank 1 75 %, rank 2 25 %, published rank 2\. split: rank 2 under 1 %, rank 3 over 99 %\./);
});

Deno.test("rows are one a rank; ranks that are merely possible are spoken of as such", () => {
  const rows = [{ label: "a", shares: [1, 0.5], published: 1 }, { label: "b", shares: [0.5, 1] }];
  const { caption, rows: data } = rankStrip({ rows, possible: true, of: "draws", synthetic: true });
  assert.match(caption, /Share of draws under which each rank is possible; .* more than 100 %/);
  assert.deepEqual(data[1], { label: "a", rank: 2, share: 0.5, published: false });
  assert.equal(data.length, 4);
  assert.doesNotMatch(rankStrip({ rows, synthetic: true }).caption, /possible/);
});

Deno.test("with many ranks the numbers give way, the axis thins out", () => {
  const shares = Array.from({ length: 36 }, () => 1 / 36);
  const { svg } = draw({ label: "a", shares });
  assert.ok(!texts(svg).some((text) => text.endsWith("%")));
  const ticks = texts(svg).filter((text) => /^\d+$/.test(text));
  assert.ok(ticks.length > 8 && ticks.length < 20);
});

Deno.test("rankStrip() names the row that it refuses", () => {
  assert.throws(() => draw({ label: "a", shares: [1, 0] }, { label: "b", shares: [1] }), {
    name: "RangeError",
    message: /"b" has 1 ranks, the first row has 2/,
  });
  assert.throws(() => draw({ label: "a", shares: [1.2] }), /a share of "a" is 1\.2/);
  assert.throws(() => draw({ label: "a", shares: [NaN] }), /a share of "a" is NaN/);
  for (const published of [0, 3, 1.5]) {
    assert.throws(() => draw({ label: "a", shares: [1, 0], published }), /the published rank of "a"/);
  }
});
