import fc from "fast-check";
import assert from "node:assert/strict";
import { shapley } from "@/stats/shapley.ts";

const game = (n: number) =>
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2 ** n, maxLength: 2 ** n });

Deno.test("shapley() shares sum to the whole, whatever the game", () => {
  for (const n of [1, 2, 3, 6]) {
    fc.assert(fc.property(game(n), (values) => {
      const sum = shapley(values).reduce((total, share) => total + share, 0);
      assert.ok(Math.abs(sum - (values.at(-1)! - values[0]!)) < 1e-12);
    }));
  }
});

Deno.test("shapley() of six who count alike are equal, and of an additive game each one's own worth", () => {
  const size = (mask: number) => mask.toString(2).replaceAll("0", "").length;
  const alike = shapley(Array.from({ length: 64 }, (_, mask) => size(mask) ** 2));
  for (const share of alike) assert.ok(Math.abs(share - 6) < 1e-12);
  const worth = [0.5, -1, 2];
  const additive = shapley(
    Array.from({ length: 8 }, (_, mask) => worth.reduce((sum, own, i) => sum + (mask & (1 << i) ? own : 0), 0)),
  );
  additive.forEach((share, i) => assert.ok(Math.abs(share - worth[i]!) < 1e-12));
});

Deno.test("shapley() of the glove game by hand: one left, two right gloves", () => {
  // Bits: left, right, right. A pair is worth 1. Left: 2/3, each right 1/6.
  const shares = shapley([0, 0, 0, 1, 0, 1, 0, 1]);
  [2 / 3, 1 / 6, 1 / 6].forEach((share, i) => assert.ok(Math.abs(shares[i]! - share) < 1e-12));
});

Deno.test("shapley() names a missing subset and a value that is no number", () => {
  assert.throws(() => shapley([0, 1, 2]), /3 values: there must be one for every subset/);
  assert.throws(() => shapley([0, NaN]), /values\[1\] is NaN/);
});
