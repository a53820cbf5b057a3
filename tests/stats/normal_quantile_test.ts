import assert from "node:assert/strict";
import { normalQuantile } from "@/stats/normal_quantile.ts";

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
