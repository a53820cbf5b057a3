import fc from "fast-check";
import assert from "node:assert/strict";
import { benjaminiHochberg, holm } from "@/stats/mod.ts";

const printed = (ps: readonly (number | undefined)[]) => ps.map((p) => p === undefined ? p : Number(p.toPrecision(7)));

Deno.test("benjaminiHochberg() rejects the four hypotheses that the 1995 paper rejects, with R's adjusted values", () => {
  const ps = [
    ...[0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344],
    ...[0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1],
  ];
  const adjusted = benjaminiHochberg(ps);
  assert.deepEqual(printed(adjusted), [
    ...[0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.06385714, 0.06385714, 0.0645],
    ...[0.0765, 0.486, 0.5811818, 0.714875, 0.7532308, 0.8132143, 1],
  ]);
  assert.equal(adjusted.filter((p) => p! <= 0.05).length, 4);
});

Deno.test("benjaminiHochberg() makes five evenly rising p-values equal, in whatever order", () => {
  assert.deepEqual(printed(benjaminiHochberg([0.05, 0.01, 0.03, 0.02, 0.04])), [0.05, 0.05, 0.05, 0.05, 0.05]);
});

Deno.test("benjaminiHochberg() counts a test without a p as one with p = 1", () => {
  const ones = benjaminiHochberg([0.01, 1, 0.02, 1]);
  assert.deepEqual(benjaminiHochberg([0.01, undefined, 0.02, undefined]), [ones[0], undefined, ones[2], undefined]);
  assert.deepEqual(printed(ones), [0.04, 1, 0.04, 1]);
});

Deno.test("benjaminiHochberg() lies between the p-values and Holm's", () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(fc.array(p, { minLength: 1, maxLength: 12 }), (ps) => {
    const [adjusted, stricter] = [benjaminiHochberg(ps), holm(ps)];
    ps.forEach((p, i) => assert.ok(adjusted[i]! >= p && adjusted[i]! <= stricter[i]! * (1 + 1e-12)));
  }));
});

Deno.test("benjaminiHochberg() refuses what is no p-value", () => {
  assert.throws(() => benjaminiHochberg([2]), { name: "RangeError", message: /^ps\[0\] is 2: must lie in 0…1/ });
});
