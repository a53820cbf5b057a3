import assert from "node:assert/strict";
import { rankCorrelation } from "@/stats/rank_correlation.ts";

Deno.test("rankCorrelation(): equal values share a rank, order and direction alone count", () => {
  // Ranks 1, 2.5, 2.5, 4 against 1 2 3 4: covariance 4.5/3, variances 4.5/3 and 5/3.
  assert.ok(Math.abs(rankCorrelation([1, 7, 7, 9], [10, 20, 30, 40])! - 4.5 / Math.sqrt(4.5 * 5)) < 1e-12);
  assert.ok(Math.abs(rankCorrelation([1, 2, 3, 4], [8, 6, 4, 1])! + 1) < 1e-12);
  assert.equal(rankCorrelation([1, 2], [1, 2]), undefined);
  assert.equal(rankCorrelation([1, 1, 1], [1, 2, 3]), undefined);
  assert.throws(() => rankCorrelation([1], [1, 2]), { name: "RangeError", message: /one length, found 1 and 2/ });
  assert.throws(() => rankCorrelation([1, NaN, 3], [1, 2, 3]), { name: "RangeError", message: /a value is NaN/ });
});
