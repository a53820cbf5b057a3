import fc from "fast-check";
import assert from "node:assert/strict";
import { ranks } from "@/quality/mod.ts";

Deno.test("1, 2, 2, 4: equal values share a rank and the next one counts them all; the unknown has none", () => {
  assert.deepEqual(ranks([0.5, 0.9, undefined, 0.7, 0.7]), [4, 1, undefined, 2, 2]);
  assert.deepEqual(ranks([undefined]), [undefined]);
  assert.deepEqual(ranks([]), []);
  assert.deepEqual(ranks([0, -0]), [1, 1]);
});

Deno.test("a rank is one more than the values above it", () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }), { maxLength: 12 });
  fc.assert(
    fc.property(values, (values) => {
      for (const [i, rank] of ranks(values).entries()) {
        const own = values[i];
        const above = values.filter((value) => value !== undefined && own !== undefined && value > own).length;
        assert.equal(rank, own === undefined ? undefined : above + 1);
      }
    }),
    { seed: 8 },
  );
});

Deno.test("a difference in the last digits is a tie, 1e-11 is none, and ties do not chain", () => {
  assert.deepEqual(ranks([0.3, 0.1 + 0.2, 0.2]), [1, 1, 3]);
  assert.deepEqual(ranks([0.3, 0.3 + 1e-11]), [2, 1]);
  assert.deepEqual(ranks([0.3, 0.3 - 0.8e-12, 0.3 - 1.6e-12]), [1, 1, 3]);
});

Deno.test("NaN has no place in an order and is refused", () => {
  assert.throws(() => ranks([0.5, NaN]), /^RangeError: cannot rank NaN/);
});
