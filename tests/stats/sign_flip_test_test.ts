import fc from "fast-check";
import assert from "node:assert/strict";
import { signFlipTest } from "@/stats/sign_tests.ts";

Deno.test("signFlipTest() by hand", () => {
  // Sums of ±1 ±2 ±4 are the odd numbers from −7 to 7: two reach 7, four reach 5.
  assert.equal(signFlipTest([1, 2, 4]), 2 / 8);
  assert.equal(signFlipTest([-1, 2, 4]), 4 / 8);
  assert.equal(signFlipTest([0, 0]), 1);
  // In binary 0.1 + 0.2 is not 0.3, so adding in two orders must not part ties: |−0.1 − 0.2 + 0.3| is zero.
  assert.equal(signFlipTest([0.1, 0.2, -0.3]), 1);
});

Deno.test("signFlipTest() counts in pairs, and knows neither scale, order nor the sign of all", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 8 }), (values) => {
      const p = signFlipTest(values);
      assert.ok(p >= 2 / 2 ** values.length && p <= 1);
      assert.equal(signFlipTest(values.map((value) => -3 * value)), p);
      assert.equal(signFlipTest(values.toReversed()), p);
    }),
    { seed: 1, numRuns: 100 },
  );
});

Deno.test("signFlipTest() refuses none, too many and what is not finite", () => {
  assert.throws(() => signFlipTest([]), /^RangeError: values must be 1 to 20, found 0/);
  assert.throws(() => signFlipTest(Array(21).fill(1)), /found 21/);
  assert.throws(() => signFlipTest([1, NaN]), /^RangeError: values must be finite, found NaN/);
});
