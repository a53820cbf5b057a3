import fc from "fast-check";
import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { divergenceBand } from "@/stats/divergence.ts";
import { percentileInterval } from "@/stats/intervals.ts";
import { divergence, saturation, type Trajectory } from "@/stats/mod.ts";
import { resampleCounts } from "@/stats/resampling.ts";
import { close, proportional, walkers } from "./ensembles.ts";

const SQUARE = [[0, 0], [1, 0], [1, 1], [0, 1]];

Deno.test("divergence() of the corners of a square is the mean of four sides and two diagonals", () => {
  const D = divergence(SQUARE.map((corner) => [corner, corner.map((x) => 3 * x)]));
  const expected = (4 + 2 * Math.SQRT2) / 6;
  assert.ok(Math.abs(D[0]! - expected) < 1e-15);
  assert.ok(Math.abs(D[1]! - 3 * expected) < 1e-15);
});

Deno.test("divergence() counts five options as it counts three", () => {
  assert.deepEqual(divergence([[[1, 0, 0, 0, 0]], [[0, 0, 0, 0, 1]]]), [Math.SQRT2]);
});

Deno.test("divergence() is zero where all agree, and exact at separations of 1e-10", () => {
  // Powers of two: these differences are exact in binary, so the answer is too.
  const tiny = 2 ** -33;
  const D = divergence([[[0.5, 0.25], [0.5, 0.5]], [[0.5, 0.25], [0.5 + 3 * tiny, 0.5 - 4 * tiny]]]);
  assert.deepEqual(D, [0, 5 * tiny]);
  const [p, q] = [[0.5, 0.5], [0.5 + 3 * tiny, 0.5 - 4 * tiny]] as const;
  const shortcut = p[0]! ** 2 + p[1]! ** 2 + q[0]! ** 2 + q[1]! ** 2 - 2 * (p[0]! * q[0]! + p[1]! * q[1]!);
  assert.ok(Math.abs(Math.sqrt(Math.max(0, shortcut)) / (5 * tiny) - 1) > 0.1, "the shortcut would not have done");
});

const value = fc.double({ min: -1, max: 1, noNaN: true });
const ensemble: fc.Arbitrary<Trajectory[]> = fc.array(
  fc.array(fc.tuple(value, value, value), { minLength: 3, maxLength: 3 }),
  { minLength: 2, maxLength: 6 },
);

Deno.test("divergence() does not depend on the order of runs", () => {
  fc.assert(fc.property(ensemble, (runs) => {
    const [forwards, backwards] = [divergence(runs), divergence(runs.toReversed())];
    forwards.forEach((d, t) => assert.ok(Math.abs(d - backwards[t]!) < 1e-12));
  }));
});

Deno.test("divergence() does not change under a common shift, and scales with the data", () => {
  fc.assert(fc.property(ensemble, fc.tuple(value, value, value), (runs, shift) => {
    const moved = runs.map((run) => run.map((state) => state.map((x, k) => 2 * x + shift[k]!)));
    const [before, after] = [divergence(runs), divergence(moved)];
    before.forEach((d, t) => assert.ok(Math.abs(2 * d - after[t]!) < 1e-12));
  }));
});

const good = [[0.5, 0.5], [0.6, 0.4]];
for (
  const [what, runs, message] of [
    ["one run", [good], /holds 1: .* at least 2/],
    ["no runs", [], /holds 0: .* at least 2/],
    ["a shorter run", [[[0.5, 0.5]], good], /^runs\[0\] ends at round 1, others at round 2: .*completeRuns/],
    ["NaN", [good, [[0.5, 0.5], [NaN, 0.4]]], /^runs\[1\], round 2, option 1 is NaN: must be a finite number/],
    ["infinity", [good, [[0.5, Infinity], [0.6, 0.4]]], /^runs\[1\], round 1, option 2 is Infinity/],
    ["another number of options", [good, [[0.5, 0.5], [0.6, 0.4, 0]]], /^runs\[1\], round 2 has 3 options: must be 2/],
    ["an empty run", [good, []], /^runs\[1\] has no rounds/],
    ["an empty round", [[[]], [[]]], /^runs\[0\], round 1 has 0 options/],
    ["a missing round", [good, JSON.parse("[[0.5, 0.5], null]")], /^runs\[1\], round 2 is missing/],
  ] as const
) {
  Deno.test(`divergence() refuses ${what}, naming run, round and rule`, () => {
    assert.throws(() => divergence(runs), { name: "RangeError", message });
  });
}

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

Deno.test("saturation() is 0.99 for 20 replicates over three options", () => {
  assert.equal(saturation([], { optionCount: 3, replicates: 20 }).ceiling.toFixed(2), "0.99");
});

Deno.test("saturation() is reached by replicates spread evenly over the corners, with no room left", () => {
  const corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const D = divergence([...corners, ...corners].map((corner) => [[1 / 3, 1 / 3, 1 / 3], corner]));
  const { ceiling, headRoom } = saturation(D, { optionCount: 3, replicates: 6 });
  assert.ok(close(ceiling, D[1]!) && close(headRoom[1], 0));
  assert.equal(headRoom[0], ceiling);
});

Deno.test("saturation() is exact where the corners cannot be filled evenly", () => {
  assert.ok(close(saturation([], { optionCount: 5, replicates: 2 }).ceiling, Math.SQRT2));
  const corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const D = divergence([0, 0, 1, 1, 2].map((corner) => [corners[corner]!]));
  assert.ok(close(saturation(D, { optionCount: 3, replicates: 5 }).ceiling, D[0]!));
});

Deno.test("saturation() is never exceeded on the simplex", () => {
  const share = fc.integer({ min: 0, max: 9 });
  const state = fc.tuple(share, share, share).filter((shares) => shares.some((x) => x > 0))
    .map((shares) => shares.map((x) => x / shares.reduce((a, b) => a + b, 0)));
  fc.assert(fc.property(fc.array(state, { minLength: 2, maxLength: 9 }), (states) => {
    const D = divergence(states.map((s) => [s]));
    assert.ok(saturation(D, { optionCount: 3, replicates: states.length }).headRoom[0]! >= 0);
  }));
});

for (
  const [D, options, message] of [
    [[0.5, 1.2], { optionCount: 3, replicates: 20 }, /^D is 1.2 in round 2, above the ceiling 0\.98.*must sum to 1/],
    [[0.5], { optionCount: 1, replicates: 20 }, /^optionCount is 1: must be 2 or more/],
    [[0.5], { optionCount: 3, replicates: 1 }, /^replicates is 1/],
    [[-0.5], { optionCount: 3, replicates: 20 }, /^D is -0.5 in round 1/],
  ] as const
) {
  Deno.test(`saturation() refuses D = ${D} with ${JSON.stringify(options)}`, () => {
    assert.throws(() => saturation(D, options), { name: "RangeError", message });
  });
}
