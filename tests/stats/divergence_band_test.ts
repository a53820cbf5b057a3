import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { percentileInterval } from "@/stats/intervals.ts";
import { divergence, divergenceBand, type Trajectory } from "@/stats/mod.ts";
import { resampleCounts } from "@/stats/resampling.ts";
import { close, proportional, walkers } from "./ensembles.ts";

Deno.test("divergenceBand() agrees with resampling the runs and dividing by 1 − 1/R", () => {
  const rng = createRng(17), runs = walkers(rng, { replicates: 6, rounds: 5 });
  const { mean, low, high } = divergenceBand(runs, { rng, resamples: 250, level: 0.9 });
  const counts = resampleCounts(rng.fork("band"), 6, 250);
  const draws = Array.from(
    { length: 250 },
    (_, s) =>
      divergence(runs.flatMap((run, i) => Array.from({ length: counts[s * 6 + i]! }, () => run))).map((d) =>
        d / (1 - 1 / 6)
      ),
  );
  assert.deepEqual(mean, divergence(runs));
  for (let t = 0; t < 5; t++) {
    const expected = percentileInterval(draws.map((draw) => draw[t]!), 0.9);
    assert.ok(close(low![t], expected.low!) && close(high![t], expected.high!));
  }
});

Deno.test("divergenceBand() lies around D(t): its narrowest level comes down on it", () => {
  // With one step of distance, D* over D is a symmetric enough count that its median is near its mean.
  const runs = walkers(createRng(3), { replicates: 40 });
  const { mean, low, high } = divergenceBand(runs, { rng: createRng(3), resamples: 4000, level: 0.02 });
  mean!.forEach((d, t) => assert.ok(Math.abs((low![t]! + high![t]!) / 2 / d - 1) < 0.015));
});

Deno.test("divergenceBand() of two replicates is D without a band, of one nothing", () => {
  const rng = createRng(1);
  assert.deepEqual(divergenceBand(proportional([0, 3], 0, 2), { rng }), { mean: [3, 3], reason: "too-few-replicates" });
  assert.deepEqual(divergenceBand(proportional([0], 0, 2), { rng }), { reason: "too-few-replicates" });
  const broken: Trajectory[] = [[[0]], [[1]], [[NaN]]];
  assert.throws(() => divergenceBand(broken, { rng }), /^RangeError: runs\[2\], round 1, option 1 is NaN/);
});
