import fc from "fast-check";
import assert from "node:assert/strict";
import { firstNegative, firstUsedUp } from "@/quality/nearest_unsettled.ts";

const near = (actual: number | undefined, expected: number) => assert.ok(Math.abs(actual! - expected) < 1e-9);

Deno.test("firstUsedUp() finds where a falling or a humped lead ends", () => {
  near(firstUsedUp((x) => 0.3 - x, 1), 0.3);
  // Up to 0.2 at first, then down.
  near(firstUsedUp((x) => Math.min(0.1 + x, 0.9 - 2 * x), 1), 0.45);
  near(firstUsedUp((x) => 1 - x, 1), 1);
  assert.equal(firstUsedUp((x) => 1.001 - x, 1), undefined);
  assert.equal(firstUsedUp(() => 1, 0), undefined);
});

Deno.test("firstNegative() finds a dip that has come up again by the end, wherever it lies", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 0.9, noNaN: true }),
      fc.double({ min: 0.001, max: 0.09, noNaN: true }),
      (middle, half) => near(firstNegative((x) => Math.abs(x - middle) - half, 1), middle - half),
    ),
    { seed: 1, numRuns: 100 },
  );
  near(firstNegative((x) => 0.75 - x, 1), 0.75);
  assert.equal(firstNegative((x) => Math.abs(x - 0.5), 1), undefined);
  assert.equal(firstNegative(() => 1, 0), undefined);
});
