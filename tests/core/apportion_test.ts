import fc from "fast-check";
import assert from "node:assert/strict";
import { apportion } from "@/core/apportion.ts";

const KEYS = ["a", "b", "c"] as const;
const table = (values: readonly number[]) => ({ a: values[0]!, b: values[1]!, c: values[2]! });

Deno.test("the largest remainder gets the odd part, the first of equals", () => {
  assert.deepEqual(apportion(10, KEYS, { weights: table([5, 3, 2]) }), table([5, 3, 2]));
  assert.deepEqual(apportion(10, KEYS, { weights: table([1, 1, 1]) }), table([4, 3, 3]));
  // 7 · (3, 2, 1) / 6 = 3.5, 2.33, 1.17
  assert.deepEqual(apportion(7, KEYS, { weights: table([3, 2, 1]) }), table([4, 2, 1]));
  assert.deepEqual(apportion(7, KEYS, { weights: table([1, 2, 3]) }), table([1, 2, 4]));
});

Deno.test("a cap that cuts one share pushes the next over its own", () => {
  // 12 · (4, 1, 1) / 6 = 8, 2, 2: a is cut to 2; of the 10 left b would get 5 and is cut to 3.
  assert.deepEqual(apportion(12, KEYS, { weights: table([4, 1, 1]), caps: table([2, 3, 9]) }), table([2, 3, 7]));
  assert.deepEqual(
    apportion(12, KEYS, { weights: table([4, 1, 1]), caps: table([2, 3, 4]) }),
    table([2, 3, 4]),
    "the rest is kept",
  );
  assert.deepEqual(apportion(6, KEYS, { weights: table([1, 0, 1]) }), table([3, 0, 3]), "no weight, no part");
});

Deno.test("parts are whole, within caps, and add up to all that caps allow", () => {
  const three = (max: number) => fc.array(fc.integer({ min: 1, max }), { minLength: 3, maxLength: 3 });
  fc.assert(fc.property(fc.nat(200), three(50), three(90), (total, weights, caps) => {
    const parts = apportion(total, KEYS, { weights: table(weights), caps: table(caps) });
    const values = KEYS.map((key) => parts[key]);
    assert.ok(values.every((value, i) => Number.isInteger(value) && value >= 0 && value <= caps[i]!));
    assert.equal(values[0]! + values[1]! + values[2]!, Math.min(total, caps[0]! + caps[1]! + caps[2]!));
  }));
});
