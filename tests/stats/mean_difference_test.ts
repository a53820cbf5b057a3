import assert from "node:assert/strict";
import { meanDifference } from "@/stats/mean_difference.ts";

Deno.test("meanDifference() adds the squares of two standard errors: 3, 4, 5", () => {
  // Errors 0.3 and 0.4, so 0.5 together; 1.96 of them to either side.
  const { difference, low, high } = meanDifference({ mean: 2, sd: 3, n: 100 }, { mean: 5, sd: 8, n: 400 });
  assert.equal(difference, -3);
  assert.ok(Math.abs(high - low - 1.959964) < 1e-6);
  assert.ok(Math.abs((low + high) / 2 + 3) < 1e-12);
});

Deno.test("meanDifference() turns round with its arguments", () => {
  const [a, b] = [{ mean: 2.76, sd: 1.33, n: 120 }, { mean: 1.9, sd: 0, n: 4 }];
  const [one, other] = [meanDifference(a, b), meanDifference(b, a)];
  assert.deepEqual([one.difference, one.low, one.high], [-other.difference, -other.high, -other.low]);
});

for (
  const [wrong, message] of [
    [{ mean: NaN, sd: 1, n: 5 }, /mean must be finite, got NaN/],
    [{ mean: 1, sd: -1, n: 5 }, /sd must be finite and at least 0, got -1/],
    [{ mean: 1, sd: 1, n: 1 }, /n must be a whole number of at least 2, got 1/],
    [{ mean: 1, sd: 1, n: 2.5 }, /n must be a whole number of at least 2, got 2.5/],
  ] as const
) {
  Deno.test(`meanDifference() refuses ${JSON.stringify(wrong)}`, () => {
    assert.throws(() => meanDifference({ mean: 1, sd: 1, n: 5 }, wrong), { name: "RangeError", message });
  });
}
