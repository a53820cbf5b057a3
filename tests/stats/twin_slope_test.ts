import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import type { Trajectory } from "@/stats/trajectory.ts";
import { branchExcess, twinDistances, twinSlope } from "@/stats/twin_slope.ts";
import { close, walkers } from "./ensembles.ts";

const rng = createRng(11);

/** Runs of a map on the line and twins that start a little beside them: nothing is random after the start. */
function pairs(
  map: (x: number) => number,
  { gap, rounds = 20, n = 200 }: { gap: number; rounds?: number; n?: number },
) {
  const orbit = (x: number): Trajectory => Array.from({ length: rounds }, (_, t) => [t === 0 ? x : x = map(x)]);
  const starts = Array.from({ length: n }, (_, i) => 0.1 + 0.8 * rng.fork(`start ${i}`).next());
  return twinDistances(starts.map((x) => orbit(x)), starts.map((x) => orbit(x + gap)), { changed: 1 });
}

const logistic = (x: number) => 4 * x * (1 - x);
const tent = (x: number) => 1 - Math.abs(1 - 2 * x);

for (const [name, map] of Object.entries({ logistic, tent })) {
  Deno.test(`twinSlope() of the ${name} map is ln 2, and its interval holds it`, () => {
    const { slope, low, high, p } = twinSlope(pairs(map, { gap: 1e-10 }), { rng });
    assert.ok(Math.abs(slope! - Math.LN2) < 0.03, `${slope}`);
    assert.ok(low! <= Math.LN2 && Math.LN2 <= high! && p! < 0.01, `${low} to ${high}`);
  });
}

Deno.test("twinSlope() of a contraction is the logarithm of its factor, which is negative", () => {
  const { slope, high } = twinSlope(pairs((x) => 0.6 * x + 0.2, { gap: 0.05 }), { rng });
  assert.ok(close(slope, Math.log(0.6), 1e-9) && high! < 0);
});

Deno.test("twinSlope() holds a known slope in about 95 of 100 sets of 20 pairs, and rejects a true zero in about 5", () => {
  const sets = 200;
  let held = 0, rejected = 0;
  for (let set = 0; set < sets; set++) {
    const chance = rng.fork(`set ${set}`);
    // d_i(t) = e^(λt)·|y|, y an AR(1): of one law in every round, so the mean distance grows by λ exactly.
    const rows = (lambda: number) =>
      Array.from({ length: 20 }, () => {
        let y = chance.normal();
        return Array.from({ length: 20 }, (_, t) => {
          y = 0.8 * y + 0.6 * chance.normal();
          return Math.abs(y) * Math.exp(lambda * t);
        });
      });
    const { low, high } = twinSlope(rows(-0.05), { rng: chance, resamples: 200 });
    if (low! <= -0.05 && -0.05 <= high!) held++;
    if (twinSlope(rows(0), { rng: chance, resamples: 200 }).p! <= 0.05) rejected++;
  }
  assert.ok(held / sets > 0.91 && held / sets < 0.985, `held ${held} of ${sets}`);
  assert.ok(rejected / sets > 0.015 && rejected / sets < 0.095, `rejected ${rejected} of ${sets}`);
});

Deno.test("twinSlope() of two pairs by hand: slope of the sums, and jackknife-t with three", () => {
  const row = (a: number, b: number) => [a, Math.sqrt(a * b), b];
  const window = { from: 1, to: 3 };
  const two = twinSlope([row(1, 4), row(1, 2)], { rng, ...window });
  assert.ok(close(two.slope, Math.log(6 / 2) / 2));
  assert.equal(two.reason, "too-few-replicates");
  const three = twinSlope([row(1, 4), row(1, 2), row(2, 2)], { rng, ...window });
  // Without each pair in turn: 4/3, 6/3 and 6/2 as ratios of the last sum to the first.
  const without = [4 / 3, 6 / 3, 6 / 2].map((ratio) => Math.log(ratio) / 2);
  const mean = without.reduce((a, b) => a + b) / 3;
  const error = Math.sqrt(without.reduce((sum, x) => sum + (x - mean) ** 2, 0) * 2 / 3);
  const { low, high, method } = three;
  assert.equal(method, "jackknife-t");
  assert.ok(close((high! - low!) / 2, error * 4.302652729911275, 1e-9), `${(high! - low!) / 2 / error}`);
});

Deno.test("twinSlope() is absent with a reason where pairs agree, never zero or infinite", () => {
  const healed = [1, 2, 3].map((d) => Array.from({ length: 20 }, (_, t) => (t < 10 ? d : 0)));
  assert.equal(twinSlope(healed, { rng }).reason, "missing-rounds");
  assert.equal(twinSlope(healed, { rng }).low, undefined);
  const same = healed.map((row) => row.map(() => 0));
  assert.deepEqual(twinSlope(same, { rng }), { percentile: {}, reason: "no-divergence" });
  assert.deepEqual(twinSlope([], { rng }), { percentile: {}, reason: "too-few-replicates" });
  const alone = [Array.from({ length: 20 }, () => 1), ...healed, ...healed];
  assert.equal(twinSlope(alone, { rng }).reason, "missing-rounds", "one pair alone is apart in the last rounds");
  const frozen = [1, 2, 3, 4, 5, 6, 7, 8].map((d) => Array.from({ length: 20 }, () => d));
  const { slope, p } = twinSlope(frozen, { rng });
  assert.deepEqual([slope, p], [0, 1]);
});

Deno.test("twinDistances() refuses twins that part before the changed reply, and says where", () => {
  const run = [[0, 1], [0, 1], [0, 1]], twin = [[0, 1], [3, 5], [0, 1]];
  assert.deepEqual(twinDistances([run], [twin], { changed: 2 }), [[0, 5, 0]]);
  assert.throws(
    () => twinDistances([run], [twin], { changed: 3 }),
    /twins\[0\] leaves its run in round 2, before the changed reply of round 3: twins must share .* twinRuns\(\)/,
  );
  assert.throws(() => twinDistances([run], [], { changed: 1 }), /1 runs and 0 twins: each run must have one/);
  assert.throws(() => twinDistances([run], [twin], { changed: 4 }), /changed is 4: must be a whole round from 1 to 3/);
  assert.throws(() => twinSlope([[1, 2, 3], [1, 2]], { rng, from: 1, to: 2 }), /distances\[1\] has 2 rounds/);
});

const branchRng = createRng(5);

Deno.test("branchExcess() by hand: between less within, by round", () => {
  // Round 1: all together. Round 2: 0 and 2 against 5 and 9; between (5 + 9 + 3 + 7)/4 = 6, within 2 and 4.
  const same = [[[0], [0]], [[0], [2]]], changed = [[[0], [5]], [[0], [9]]];
  const { byRound, excess } = branchExcess([{ same, changed }], { rng: branchRng });
  assert.deepEqual(byRound, [0, 3]);
  assert.equal(excess, 1.5);
});

Deno.test("branchExcess() finds a shift, and finds none where there is none in about 95 of 100 studies", () => {
  const study = (i: number, shift: number) =>
    branchExcess(
      [0, 1, 2].map((base) => {
        const all = walkers(branchRng.fork(`${i}/${base}`), { replicates: 10, rounds: 4 });
        return {
          same: all.slice(5),
          changed: all.slice(0, 5).map((run) => run.map(([a, ...rest]) => [a! + shift, ...rest])),
        };
      }),
      { rng: branchRng.fork(i), permutations: 99 },
    );
  const none = Array.from({ length: 200 }, (_, i) => study(i, 0));
  const rejected = none.filter(({ p }) => p <= 0.05).length;
  assert.ok(rejected >= 3 && rejected <= 19, `${rejected} of 200`);
  const average = none.reduce((sum, { excess }) => sum + excess / 200, 0);
  assert.ok(Math.abs(average) < 0.004, `unbiased: ${average}`);
  assert.ok(study(0, 0.5).p <= 0.02);
  assert.ok(close(study(0, 0.5).excess, study(0, 0.5).excess, 0), "the same stream gives the same answer");
});

Deno.test("branchExcess() names a group that is too small", () => {
  const run = [[0], [1]];
  assert.throws(
    () => branchExcess([{ same: [run], changed: [run, run] }], { rng: branchRng }),
    /runs holds 1: a distance needs at least 2 replicates/,
  );
  assert.throws(() => branchExcess([], { rng: branchRng }), /pairs is empty/);
});

Deno.test("branchExcess() refuses continuations of different lengths, in a pair and between pairs", () => {
  const [two, three] = [[[0], [1]], [[0], [1], [2]]];
  const even = (run: number[][]) => ({ same: [run, run], changed: [run, run] });
  const message = /^RangeError: continuations\[\d\] ends at round 2, others at round 3/;
  assert.throws(() => branchExcess([{ same: [two, two], changed: [three, three] }], { rng: branchRng }), message);
  assert.throws(() => branchExcess([{ same: [three, three], changed: [two, two] }], { rng: branchRng }), message);
  assert.throws(() => branchExcess([even(three), even(two)], { rng: branchRng }), message);
});
