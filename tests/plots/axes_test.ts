import fc from "fast-check";
import assert from "node:assert/strict";
import { logTicks } from "@/plots/axes.ts";

Deno.test("logTicks() by hand", () => {
  assert.deepEqual(logTicks([0.03, 0.3]), [0.02, 0.05, 0.1, 0.2, 0.5]);
  assert.deepEqual(logTicks([0.02, 0.5]), [0.02, 0.05, 0.1, 0.2, 0.5]);
  assert.deepEqual(logTicks([1]), [1, 2]);
  assert.deepEqual(logTicks([7, 7]), [5, 10]);
  assert.deepEqual(logTicks([1e-4, 1]), [1e-4, 1e-3, 1e-2, 1e-1, 1]);
});

Deno.test("logTicks() encloses every value with few, rising ticks", () => {
  const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });
  fc.assert(
    fc.property(fc.array(positive, { minLength: 1, maxLength: 9 }), (values) => {
      const ticks = logTicks(values);
      assert.ok(ticks[0]! <= Math.min(...values) && ticks.at(-1)! >= Math.max(...values));
      assert.ok(ticks.length >= 2 && ticks.length <= 12);
      assert.deepEqual(ticks, [...new Set(ticks)].sort((a, b) => a - b));
    }),
    { seed: 1 },
  );
});
