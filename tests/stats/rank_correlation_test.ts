import fc from "fast-check";
import assert from "node:assert/strict";
import { kendallTau, rankCorrelation } from "@/stats/rank_correlation.ts";

Deno.test("rankCorrelation(): equal values share a rank, order and direction alone count", () => {
  // Ranks 1, 2.5, 2.5, 4 against 1 2 3 4: covariance 4.5/3, variances 4.5/3 and 5/3.
  assert.ok(Math.abs(rankCorrelation([1, 7, 7, 9], [10, 20, 30, 40])! - 4.5 / Math.sqrt(4.5 * 5)) < 1e-12);
  assert.ok(Math.abs(rankCorrelation([1, 2, 3, 4], [8, 6, 4, 1])! + 1) < 1e-12);
  assert.equal(rankCorrelation([1, 2], [1, 2]), undefined);
  assert.equal(rankCorrelation([1, 1, 1], [1, 2, 3]), undefined);
  assert.throws(() => rankCorrelation([1], [1, 2]), { name: "RangeError", message: /one length, found 1 and 2/ });
  assert.throws(() => rankCorrelation([1, NaN, 3], [1, 2, 3]), { name: "RangeError", message: /a value is NaN/ });
});

Deno.test("kendallTau() of a textbook case with ties, by hand", () => {
  const tau = kendallTau([1, 1, 2, 3, 4], [1, 2, 4, 3, 3])!;
  // Ten pairs, one tied in each list; agree: 1-3, 1-4, 1-5, 2-3, 2-4, 2-5; not: 3-4, 3-5; so (6 − 2) / √(9 · 9).
  assert.ok(Math.abs(tau - 4 / 9) < 1e-12);
  // Tied in a alone: two pairs agree of two and three.
  assert.ok(Math.abs(kendallTau([1, 1, 2], [1, 2, 3])! - 2 / Math.sqrt(6)) < 1e-12);
});

Deno.test("kendallTau() is 1 with itself, turns its sign with the order, and is symmetric", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), { minLength: 2 }),
      (both) => {
        const [a, b] = [both.map(([x]) => x), both.map(([, y]) => y)];
        const tau = kendallTau(a, b);
        assert.equal(tau === undefined, new Set(a).size === 1 || new Set(b).size === 1);
        if (tau === undefined) return;
        assert.ok(Math.abs(tau) <= 1 + 1e-12);
        assert.ok(Math.abs(kendallTau(b, a)! - tau) < 1e-12);
        assert.ok(Math.abs(kendallTau(a, b.map((y) => -y))! + tau) < 1e-12);
        assert.ok(Math.abs(kendallTau(a, a)! - 1) < 1e-12);
      },
    ),
    { seed: 1, numRuns: 100 },
  );
});

Deno.test("kendallTau() refuses lists of two lengths and NaN", () => {
  assert.throws(() => kendallTau([1], [1, 2]), /^RangeError: the lists must be of one length, found 1 and 2/);
  assert.throws(() => kendallTau([1, NaN], [1, 2]), /^RangeError: a value is NaN/);
});

Deno.test("kendallTau() orders infinities, equal ones as ties", () => {
  assert.equal(kendallTau([1, 2, Infinity], [-Infinity, 0, 5]), 1);
  assert.ok(Math.abs(kendallTau([1, Infinity, Infinity], [1, 2, 3])! - 2 / Math.sqrt(2 * 3)) < 1e-12);
});
