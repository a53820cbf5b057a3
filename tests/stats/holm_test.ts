import fc from "fast-check";
import assert from "node:assert/strict";
import { holm } from "@/stats/mod.ts";

/** To seven digits, as R prints. */
const printed = (ps: readonly (number | undefined)[]) => ps.map((p) => p === undefined ? p : Number(p.toPrecision(7)));

// Benjamini and Hochberg (1995), table of section 4.1; adjusted by R's p.adjust(p, "holm").
const THROMBOLYSIS = [
  ...[0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344],
  ...[0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1],
];

Deno.test("holm() gives R's values for fifteen published p-values, three of which stay below 0.05", () => {
  const adjusted = holm(THROMBOLYSIS);
  assert.deepEqual(printed(adjusted), [
    ...[0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213, 1, 1, 1, 1, 1, 1],
  ]);
  assert.equal(adjusted.filter((p) => p! <= 0.05).length, 3);
});

Deno.test("holm() multiplies the smallest by m, the next by m − 1, and never lets a larger p come out smaller", () => {
  // By hand: 0.01·4, max(0.04, 0.013·3 = 0.039), 0.03·2, 0.5·1; in an order of their own.
  assert.deepEqual(printed(holm([0.03, 0.01, 0.5, 0.013])), [0.06, 0.04, 0.5, 0.04]);
});

Deno.test("holm() counts a test without a p as one with p = 1", () => {
  const ps = [0.01, undefined, 0.02, undefined];
  const ones = holm(ps.map((p) => p ?? 1));
  assert.deepEqual(holm(ps), [ones[0], undefined, ones[2], undefined]);
  assert.equal(ones[0], 0.04);
  assert.deepEqual(holm([]), []);
});

Deno.test("holm() lies between the p-values and Bonferroni's, and does not mind their order", () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(fc.array(p, { minLength: 1, maxLength: 12 }), (ps) => {
    const adjusted = holm(ps);
    ps.forEach((p, i) => assert.ok(adjusted[i]! >= p && adjusted[i]! <= Math.min(1, ps.length * p)));
    assert.deepEqual(holm(ps.toReversed()), adjusted.toReversed());
  }));
});

for (const wrong of [-0.1, 1.0001, NaN, Infinity]) {
  Deno.test(`holm() refuses a p of ${wrong}, naming its place`, () => {
    assert.throws(() => holm([0.5, wrong]), { name: "RangeError", message: new RegExp(`^ps\\[1\\] is ${wrong}: `) });
  });
}
