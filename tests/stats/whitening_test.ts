import assert from "node:assert/strict";
import { whitening } from "@/stats/growth_laws.ts";
import { close } from "./ensembles.ts";

Deno.test("whitening() by hand: covariance [[4, 2], [2, 2]] has L = [[2, 0], [1, 1]]", () => {
  assert.deepEqual(whitening([[4, 2], [2, 2]])([6, 4]), [3, 1]);
});

Deno.test("whitening() makes yᵀ S⁻¹ y a sum of squares", () => {
  const S = [[3, 1, 0.5], [1, 2, -0.3], [0.5, -0.3, 1]], x = [0.7, -1.1, 2];
  // y = S x, so yᵀ S⁻¹ y = yᵀ x, without an inverse.
  const y = S.map((row) => row.reduce((sum, value, j) => sum + value * x[j]!, 0));
  const white = whitening(S)(y);
  const square = white.reduce((sum, value) => sum + value * value, 0);
  assert.ok(close(square, y.reduce((sum, value, i) => sum + value * x[i]!, 0)));
});

Deno.test("whitening() refuses what is no covariance", () => {
  for (const matrix of [[[1, 1], [1, 1]], [[1, 2], [2, 1]], [[0]], [[NaN]]]) {
    assert.throws(() => whitening(matrix), /^RangeError: covariance is not positive definite: pivot \d is/);
  }
});
