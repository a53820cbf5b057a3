import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { predictionInterval } from "@/paper/surrogate/prediction_interval.ts";

Deno.test("predictionInterval(): covers one more draw as often as it says, and is honest about too few", () => {
  assert.deepEqual(predictionInterval([]), { n: 0 });
  assert.deepEqual(predictionInterval([undefined, 4]), { n: 1, mean: 4 });
  assert.deepEqual(predictionInterval([2, 2, 2]), { n: 3, mean: 2, low: 2, high: 2 });
  const rng = createRng(1);
  let covered = 0;
  for (let trial = 0; trial < 4000; trial++) {
    const { low, high } = predictionInterval(Array.from({ length: 20 }, () => rng.normal()));
    const next = rng.normal();
    if (low! <= next && next <= high!) covered++;
  }
  // Student's t on 19 degrees puts 0.935 within 1.96 of its own units; four standard errors of the share are 0.016.
  assert.ok(Math.abs(covered / 4000 - 0.935) < 0.016, `${covered / 4000}`);
});
