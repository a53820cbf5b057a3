import fc from "fast-check";
import assert from "node:assert/strict";
import { signTest } from "@/stats/sign_tests.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

Deno.test("signTest() by hand", () => {
  // Of 2¹² the tail from eight up: 495 + 220 + 66 + 12 + 1 = 794.
  near(signTest({ above: 8, below: 4 }), 2 * 794 / 4096);
  near(signTest({ above: 8, below: 0 }), 2 / 256);
  near(signTest({ above: 1, below: 9 }), 2 * 11 / 1024);
  assert.equal(signTest({ above: 6, below: 6 }), 1);
  assert.equal(signTest({ above: 0, below: 1 }), 1);
  assert.equal(signTest({ above: 0, below: 0 }), 1);
});

Deno.test("signTest() does not know above from below, and falls with the imbalance", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 30 }), (n, less) => {
      const below = Math.min(less, Math.floor(n / 2));
      const p = signTest({ above: n - below, below });
      assert.equal(p, signTest({ above: below, below: n - below }));
      assert.ok(p > 0 && p <= 1);
      if (below > 0) assert.ok(signTest({ above: n - below + 1, below: below - 1 }) < p);
    }),
    { seed: 1, numRuns: 100 },
  );
});

Deno.test("signTest() refuses what is no count, and more than it can count", () => {
  for (const [above, below] of [[-1, 2], [1.5, 2], [NaN, 1]] as const) {
    assert.throws(() => signTest({ above, below }), /^RangeError: above .* must be whole numbers from 0/);
  }
  assert.ok(signTest({ above: 1000, below: 0 }) > 0);
  assert.throws(() => signTest({ above: 1000, below: 1 }), /^RangeError: above 1000, below 1: must be at most 1000/);
});
