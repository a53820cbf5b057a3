import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { measureRuns } from "@/lab/runs/measure_runs.ts";
import { betaConvergence } from "@/stats/beta_convergence.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";
import { divergence } from "@/stats/divergence.ts";
import { independentDivergence } from "@/stats/independent_divergence.ts";
import { lyapunovSlope } from "@/stats/lyapunov_slope.ts";
import { permutationNull } from "@/stats/nulls.ts";
import { subsetOf } from "@/stats/subset.ts";
import type { Trajectory } from "@/stats/trajectory.ts";

const T = 20;

/** Runs of five options that leave the even split along lines of their own, e^(λt) apart. */
const spreading = (R: number, lambda: number): Trajectory[] =>
  Array.from({ length: R }, (_, r) =>
    Array.from({ length: T }, (_, t) => {
      const step = 0.004 * (r + 1) * Math.exp(lambda * (t + 1));
      return [0.2 + step, 0.2 - step, 0.2, 0.2, 0.2];
    }));

Deno.test("measureRuns() gives the D and λ that algebra gives, for five options", () => {
  const runs = spreading(2, 0.1);
  const { D, lambda, intercept, used, dropped, replicates, rounds, options } = measureRuns(runs, { permutations: 99 });
  assert.deepEqual([replicates, rounds, options, dropped], [2, 20, 5, []]);
  assert.deepEqual(used, Array.from({ length: 18 }, (_, i) => i + 3));
  // The two runs differ by 0.004 e^(0.1 t) in two of five options.
  D!.forEach((d, t) => assert.ok(Math.abs(d - Math.SQRT2 * 0.004 * Math.exp(0.1 * (t + 1))) < 1e-15));
  assert.ok(Math.abs(lambda! - 0.1) < 1e-12);
  assert.ok(Math.abs(intercept! - Math.log(Math.SQRT2 * 0.004)) < 1e-12);
});

Deno.test("measureRuns() is the separate estimators put together", () => {
  const rng = createRng(3);
  const runs = spreading(6, 0.05).map((run) =>
    run.map(([a, b, ...rest]) => {
      const noise = 0.01 * rng.normal();
      return [a! + noise, b! - noise, ...rest];
    })
  );
  const window = { from: 4, to: 18 };
  const measured = measureRuns(runs, { seed: 9, resamples: 200, permutations: 60, ...window });
  const bootstrap = bootstrapSlope(runs, { rng: createRng(9), resamples: 200, ...window });
  const permuted = permutationNull(runs, { rng: createRng(9), permutations: 60, ...window });
  assert.deepEqual(measured, {
    replicates: 6,
    rounds: 20,
    options: 5,
    D: divergence(runs),
    ...lyapunovSlope(divergence(runs), window),
    low: bootstrap.low,
    high: bootstrap.high,
    p: bootstrap.p,
    method: "jackknife-t",
    percentile: bootstrap.percentile,
    shuffled: { p: permuted.p },
    convergence: betaConvergence(runs, window),
    leaveOneOut: bootstrap.leaveOneOut,
    undefinedDraws: bootstrap.undefinedDraws,
    nullDraws: permuted.draws,
  });
  const { low, p, percentile, shuffled } = measured;
  for (const value of [low, p, percentile.low, shuffled.p]) assert.equal(typeof value, "number");
  assert.ok(low !== percentile.low && p !== shuffled.p, "the believed and the paper's are not the same");
});

Deno.test("measureRuns() gives β of runs that grow, level by round, and where D stands still", () => {
  const growing = measureRuns(spreading(5, 0.1), { permutations: 20 });
  assert.ok(Math.abs(growing.convergence.beta! - (Math.exp(0.1) - 1)) < 1e-9);
  for (const beta of growing.convergence.byRound) assert.ok(Math.abs(beta! - (Math.exp(0.1) - 1)) < 1e-9);
  assert.equal("stillFrom" in growing, false);
  const stopping = spreading(5, 0.1).map((run) => run.map((round, t) => t < 8 ? round : run[8]!));
  const { stillFrom, convergence } = measureRuns(stopping, { permutations: 20 });
  assert.equal(stillFrom, 9);
  assert.ok(Math.abs(convergence.byRound.at(-1)!) < 1e-9, "β falls to 0 at a ceiling");
});

Deno.test("measureRuns() gives the group ratio where it has the agents' states, unspoken ones too", () => {
  const rng = createRng(5);
  const states = Array.from({ length: 8 }, () => {
    const shared = rng.normal();
    return Array.from(
      { length: T },
      (_, t) =>
        Array.from({ length: 3 }, (_, seat) => t === 0 && seat === 2 ? undefined : [shared + 0.1 * rng.normal()]),
    );
  });
  const means = states.map((run) =>
    run.map((agents) => {
      const spoken = agents.flatMap((state) => state ?? []);
      return [spoken.reduce((sum, x) => sum + x, 0) / spoken.length];
    })
  );
  const { groups, ...rest } = measureRuns(means, { permutations: 20, states });
  const { D: _, ...expected } = independentDivergence(states, { rng: createRng(1), draws: 200 });
  assert.deepEqual(groups, expected);
  assert.ok(groups!.ratio! > 1.4 && groups!.p === 1 / 201);
  assert.deepEqual(rest, measureRuns(means, { permutations: 20 }), "chance for the exchange is a stream of its own");
});

Deno.test("measureRuns() gives the same numbers for one seed and others for another", () => {
  const runs = spreading(4, 0.05).map((run, r) =>
    run.map((round, t) => round.map((v, k) => v + ((r + t * k) % 3) / 50))
  );
  const at = (seed: number) => measureRuns(runs, { seed, resamples: 30, permutations: 30 });
  assert.deepEqual(at(1), at(1));
  assert.notDeepEqual(at(1).nullDraws, at(2).nullDraws);
  const named = measureRuns(runs, { seed: 1, name: "a condition", resamples: 30, permutations: 30 });
  const { low, high } = bootstrapSlope(runs, { rng: createRng(1).fork("a condition"), resamples: 30 });
  assert.deepEqual([named.low, named.high], [low, high], "the interval that a notebook gives");
});

for (const runs of [[], spreading(1, 0.1)]) {
  Deno.test(`fault 43: of ${runs.length} runs nothing is measured, and the reason is given`, () => {
    assert.deepEqual(measureRuns(runs), {
      replicates: runs.length,
      rounds: runs.length * 20,
      options: runs.length * 5,
      percentile: {},
      shuffled: {},
      leaveOneOut: [],
      used: [],
      dropped: [],
      undefinedDraws: 0,
      nullDraws: [],
      convergence: { byRound: [], reason: "too-few-replicates" },
      reason: "too-few-replicates",
    });
  });
}

Deno.test("fault 43: runs that never differ have D of zero, no slope and a reason", () => {
  const frozen = Array.from({ length: 3 }, () => Array.from({ length: T }, () => [0.2, 0.2, 0.2, 0.2, 0.2]));
  const measured = measureRuns(frozen, { resamples: 20, permutations: 20 });
  assert.deepEqual(measured.D, new Array(T).fill(0));
  assert.equal(measured.reason, "no-divergence");
  for (const name of ["lambda", "intercept", "low", "high", "p"] as const) assert.ok(!(name in measured), name);
  assert.deepEqual([measured.percentile, measured.shuffled], [{}, {}]);
  assert.deepEqual(measured.dropped, Array.from({ length: 18 }, (_, i) => i + 3));
});

for (
  const [what, runs, message] of [
    ["a run cut short", [...spreading(2, 0.1), spreading(1, 0.1)[0]!.slice(0, 7)], /runs\[2\] ends at round 7/],
    ["a single ragged run", [[[0.5, 0.5], [1]]], /runs\[0\], round 2 has 1 options/],
    ["a single run with a NaN", [[[0.5, NaN]]], /runs\[0\], round 1, option 2 is NaN/],
  ] as const
) {
  Deno.test(`measureRuns() refuses ${what}, naming run and round`, () => {
    assert.throws(() => measureRuns(runs), { name: "RangeError", message });
  });
}

Deno.test("of 520 runs 500 are shuffled: all else is as of all, and the slope of these and its error are said", () => {
  const rng = createRng(4);
  const runs = Array.from({ length: 520 }, () => {
    let x = 0;
    return Array.from({ length: 6 }, () => [x += rng.normal(), 0]);
  });
  const options = { seed: 3, resamples: 200, permutations: 20 }, window = { from: 1, to: 6 };
  const { subset, ...found } = measureRuns(runs, { ...options, ...window });
  const bootstrap = bootstrapSlope(runs, { rng: createRng(3), resamples: 200, ...window });
  assert.deepEqual([found.lambda, found.low, found.high, found.p], [
    ...[lyapunovSlope(divergence(runs), window).lambda, bootstrap.low, bootstrap.high, bootstrap.p],
  ]);
  assert.deepEqual(found.leaveOneOut, bootstrap.leaveOneOut);
  const drawn = subsetOf(runs, createRng(3)),
    permuted = permutationNull(drawn, { rng: createRng(3), permutations: 20, ...window });
  assert.deepEqual([subset!.runs, subset!.lambda, found.shuffled.p], [500, permuted.lambda, permuted.p]);
  // Slopes of other 500 of these runs scatter by as much as is said.
  const others = Array.from(
    { length: 200 },
    (_, i) => lyapunovSlope(divergence(subsetOf(runs, createRng(100 + i))), window).lambda!,
  );
  const scatter = Math.sqrt(others.reduce((sum, one) => sum + (one - found.lambda!) ** 2, 0) / others.length);
  assert.ok(Math.abs(scatter / subset!.error! - 1) < 0.2, `${scatter} for ${subset!.error}`);
  assert.equal(measureRuns(runs.slice(0, 500), { ...options, ...window }).subset, undefined);
});

Deno.test("measureRuns() tells what begins", () => {
  const steps: string[] = [];
  measureRuns(spreading(3, 0.1), { permutations: 20, report: (step) => steps.push(step) });
  assert.deepEqual(steps, ["resampling", "shuffling", "exchanging agents"]);
});
