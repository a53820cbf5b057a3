import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { labelSplits } from "@/stats/label_permutation.ts";

const rng = createRng(4);

/** The rows of labels as texts, such as `1100`. */
function rowsOf(total: number, size: number, most: number): { rows: string[]; exact: boolean } {
  const { rows, exact } = labelSplits(total, size, { rng, most });
  const texts = Array.from({ length: rows.length / total }, (_, i) => rows.slice(i * total, (i + 1) * total).join(""));
  return { rows: texts, exact };
}

Deno.test("labelSplits() gives every way in order where there are few enough", () => {
  assert.deepEqual(rowsOf(4, 2, 6), { rows: ["1100", "1010", "1001", "0110", "0101", "0011"], exact: true });
  assert.deepEqual(rowsOf(3, 1, 9), { rows: ["100", "010", "001"], exact: true });
  assert.equal(new Set(rowsOf(9, 4, 200).rows).size, 126, "9! / (4! 5!)");
});

Deno.test("labelSplits() draws them all alike often where there are too many", () => {
  const { rows, exact } = rowsOf(5, 2, 9);
  assert.deepEqual([rows.length, exact], [9, false]);
  const drawn = labelSplits(6, 2, { rng, most: 14 });
  assert.ok(!drawn.exact, "15 ways");
  const counts = new Map<string, number>();
  for (let i = 0; i < 1000; i++) {
    const { rows } = labelSplits(5, 3, { rng: rng.fork(i), most: 9 });
    for (let row = 0; row < 9; row++) {
      const text = rows.slice(5 * row, 5 * row + 5).join("");
      assert.equal(text.replaceAll("0", ""), "111");
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  assert.equal(counts.size, 10);
  // 900 each; five standard deviations are 142.
  for (const count of counts.values()) assert.ok(Math.abs(count - 900) < 142, `${count}`);
});

Deno.test("labelSplits() knows that two hundred runs have more ways than can be counted", () => {
  assert.equal(labelSplits(2000, 1000, { rng, most: 3 }).exact, false);
});
