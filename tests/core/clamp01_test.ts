import assert from "node:assert/strict";
import { clamp01 } from "@/core/numbers.ts";

Deno.test("clamp01() leaves what is inside, its ends too, and takes the nearer end outside", () => {
  const cases = [[-Infinity, 0], [-1e-12, 0], [0, 0], [0.25, 0.25], [1, 1], [1 + 1e-12, 1], [Infinity, 1]] as const;
  for (const [value, nearest] of cases) assert.equal(clamp01(value), nearest, String(value));
});

Deno.test("clamp01() gives no negative zero, which would print as -0", () => {
  assert.ok(Object.is(clamp01(-0), 0));
});

Deno.test("clamp01() refuses NaN instead of passing it on", () => {
  assert.throws(() => clamp01(NaN), RangeError);
});
