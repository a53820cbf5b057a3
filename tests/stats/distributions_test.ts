import assert from "node:assert/strict";
import { normalQuantile, studentT, studentTBound } from "@/stats/distributions.ts";

// Python's statistics.NormalDist().inv_cdf, which is Wichura's sixteen-digit algorithm.
const KNOWN: readonly (readonly [p: number, z: number])[] = [
  [0.5, 0],
  [0.6, 0.2533471031357997],
  [0.8, 0.8416212335729143],
  [0.92, 1.4050715603096329],
  [0.975, 1.959963984540054],
  [0.995, 2.5758293035489004],
  [0.9999, 3.719016485455709],
  [1e-12, -7.034483825301131],
  [1e-20, -9.262340089798407],
];

for (const [p, z] of KNOWN) {
  Deno.test(`normalQuantile(${p}) is ${z.toFixed(6)}, and that of the other tail its opposite`, () => {
    assert.ok(Math.abs(normalQuantile(p) - z) < 1e-6 * Math.max(1, Math.abs(z)), `${normalQuantile(p)}`);
    if (1 - p < 1) assert.ok(Math.abs(normalQuantile(1 - p) + z) < 1e-4);
  });
}

Deno.test("normalQuantile() refuses shares that have none", () => {
  for (const p of [0, 1, -1, NaN]) assert.throws(() => normalQuantile(p), { name: "RangeError", message: /^p is / });
});

/** Two-sided 95 % and 99 % points of the printed table. */
const TABLE: readonly (readonly [freedom: number, p95: number, p99: number])[] = [
  [1, 12.706, 63.657],
  [2, 4.303, 9.925],
  [3, 3.182, 5.841],
  [4, 2.776, 4.604],
  [5, 2.571, 4.032],
  [19, 2.093, 2.861],
];

Deno.test("studentTBound() gives the points of the printed table", () => {
  for (const [freedom, p95, p99] of TABLE) {
    assert.equal(studentTBound(0.95, freedom).toFixed(3), p95.toFixed(3), `${freedom}`);
    assert.equal(studentTBound(0.99, freedom).toFixed(3), p99.toFixed(3), `${freedom}`);
  }
});

Deno.test("studentT() of one and of two degrees of freedom has its closed form, and is symmetric", () => {
  for (const t of [-30, -2, -0.3, 0, 0.7, 1.9, 12]) {
    assert.ok(Math.abs(studentT(t, 1) - (1 / 2 + Math.atan(t) / Math.PI)) < 1e-15);
    assert.ok(Math.abs(studentT(t, 2) - (1 / 2 + t / (2 * Math.sqrt(2 + t * t)))) < 1e-15);
    for (const freedom of [3, 4, 19]) assert.ok(Math.abs(studentT(t, freedom) + studentT(-t, freedom) - 1) < 1e-14);
  }
});
