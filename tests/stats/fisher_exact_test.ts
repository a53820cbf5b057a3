import fc from "fast-check";
import assert from "node:assert/strict";
import { fisherExact } from "@/stats/fisher_exact.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

Deno.test("fisherExact() by hand", () => {
  // Fisher's tea: three of four cups right; 1, 16, 36, 16 and 1 of 70 tables.
  near(fisherExact({ part: 3, whole: 4 }, { part: 1, whole: 4 }), 34 / 70);
  // Nine of twenty against none: 2 · C(20, 9) / C(40, 9).
  near(fisherExact({ part: 9, whole: 20 }, { part: 0, whole: 20 }), 2 * 167960 / 273438880);
  assert.equal(fisherExact({ part: 2, whole: 4 }, { part: 3, whole: 6 }), 1);
  assert.equal(fisherExact({ part: 0, whole: 4 }, { part: 0, whole: 6 }), 1);
});

Deno.test("fisherExact() does not know one share from the other, nor the part from the rest", () => {
  const share = fc.integer({ min: 1, max: 15 }).chain((whole) =>
    fc.integer({ min: 0, max: whole }).map((part) => ({ part, whole }))
  );
  const rest = ({ part, whole }: { part: number; whole: number }) => ({ part: whole - part, whole });
  fc.assert(
    fc.property(share, share, (a, b) => {
      const p = fisherExact(a, b);
      assert.ok(p > 0 && p <= 1);
      near(fisherExact(b, a), p);
      near(fisherExact(rest(a), rest(b)), p);
    }),
    { seed: 1, numRuns: 100 },
  );
});

Deno.test("fisherExact() refuses what is no share", () => {
  for (const [part, whole] of [[2, 1], [-1, 2], [0, 0], [0.5, 2], [NaN, 2]] as const) {
    assert.throws(() => fisherExact({ part, whole }, { part: 1, whole: 2 }), /^RangeError: .* must be whole numbers/);
  }
});
