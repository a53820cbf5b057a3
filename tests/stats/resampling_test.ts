import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { resampleCounts, shuffleRows } from "@/stats/resampling.ts";

/** Pearson's statistic against equal frequencies. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

Deno.test("shuffleRows() makes all 24 orders of four equally likely, in every row", () => {
  const rng = createRng(5);
  const seen = [new Map<string, number>(), new Map<string, number>()];
  for (let n = 0; n < 24_000; n++) {
    const rows = Int32Array.from([0, 1, 2, 3, 0, 1, 2, 3]);
    shuffleRows(rows, 4, rng);
    seen.forEach((orders, row) => {
      const order = rows.subarray(4 * row, 4 * row + 4).join();
      orders.set(order, (orders.get(order) ?? 0) + 1);
    });
  }
  for (const orders of seen) {
    assert.equal(orders.size, 24);
    assert.ok(chiSquare([...orders.values()]) < 49.7); // the 99.9 % point of χ² with 23 degrees of freedom
  }
});

Deno.test("shuffleRows() brings each of 200 items to each place equally often", () => {
  const rng = createRng(6), row = Int32Array.from({ length: 200 }, (_, i) => i);
  const places = Array.from({ length: 200 }, () => 0);
  for (let n = 0; n < 10_000; n++) {
    shuffleRows(row, 200, rng);
    places[row.indexOf(7)]!++;
  }
  assert.ok(chiSquare(places) < 267.5); // 99.9 %, 199 degrees of freedom
  assert.deepEqual([...row].sort((a, b) => a - b), Array.from({ length: 200 }, (_, i) => i));
});

Deno.test("resampleCounts() draws R of R in every resample, each replicate equally often and pairs independently", () => {
  const R = 7, B = 5000;
  const counts = resampleCounts(createRng(8), R, B);
  const totals = Array.from({ length: R }, () => 0);
  let neighbours = 0;
  for (let row = 0; row < B * R; row += R) {
    const resample = counts.subarray(row, row + R);
    assert.equal(resample.reduce((sum, count) => sum + count, 0), R);
    resample.forEach((count, i) => totals[i]! += count);
    neighbours += resample[0]! * resample[1]!;
  }
  assert.ok(chiSquare(totals) < 22.5); // 99.9 %, 6 degrees of freedom
  assert.ok(Math.abs(neighbours / B - (1 - 1 / R)) < 0.06); // E[n_i n_j] = 1 − 1/R
});

Deno.test("resampleCounts() and shuffleRows() repeat themselves for a seed", () => {
  assert.deepEqual(resampleCounts(createRng(3), 20, 9), resampleCounts(createRng(3), 20, 9));
  assert.notDeepEqual(resampleCounts(createRng(3), 20, 9), resampleCounts(createRng(4), 20, 9));
});
