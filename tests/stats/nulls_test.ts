import assert from "node:assert/strict";
import { createRng, type Rng } from "@/core/rng.ts";
import { diffusiveNull, divergence, lyapunovSlope, permutationNull, type Trajectory } from "@/stats/mod.ts";
import { shuffleRows } from "@/stats/resampling.ts";
import { weightedSlopes } from "@/stats/weighted_slopes.ts";
import { close, growing, proportional, walkers } from "./ensembles.ts";

const rng = createRng(1);

for (const replicates of [2, 5, 6]) {
  Deno.test(`permutationNull() agrees with shuffling ${replicates} runs themselves`, () => {
    const runs = walkers(createRng(31), { replicates, rounds: 12, options: 5 });
    const window = { from: 4, to: 11 }, permutations = 2100;
    const { lambda, p, draws } = permutationNull(runs, { rng, permutations, ...window });
    const chance = rng.fork("permutation"), rounds = Int32Array.from({ length: replicates * 12 }, (_, i) => i % 12);
    const expected = Array.from({ length: permutations }, () => {
      shuffleRows(rounds, 12, chance);
      const shuffled = runs.map((run, i) => run.map((_, t) => run[rounds[i * 12 + t]!]!));
      return lyapunovSlope(divergence(shuffled), window).lambda!;
    });
    assert.equal(draws.length, permutations);
    draws.forEach((slope, n) => assert.ok(close(slope, expected[n]!)));
    assert.equal(lambda, lyapunovSlope(divergence(runs), window).lambda);
    assert.equal(p, (1 + expected.filter((slope) => slope >= lambda!).length) / (permutations + 1));
  });
}

/** All orders of a list. */
const orders = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));

Deno.test("fault 44: permutationNull() comes to the p-value of all 4! × 4! shuffles", () => {
  const runs: Trajectory[] = [[[0], [1], [2], [3]], [[7], [6], [9], [12]]];
  const window = { from: 2, to: 4 };
  const observed = lyapunovSlope(divergence(runs), window).lambda!;
  const all = orders(runs[0]!).flatMap((a) =>
    orders(runs[1]!).map((b) => lyapunovSlope(divergence([a, b]), window).lambda!)
  );
  const exact = all.filter((slope) => slope >= observed - 1e-12).length / all.length;
  const { p } = permutationNull(runs, { rng, permutations: 20_000, ...window });
  assert.equal(all.length, 576);
  assert.ok(exact > 0.05 && exact < 0.95);
  assert.ok(Math.abs(p! - exact) < 4 * Math.sqrt(exact * (1 - exact) / 20_000));
});

Deno.test("permutationNull() shuffles the rounds before the window too", () => {
  // Within the window nothing moves; only states from round 1 can bring a shuffle its slope.
  const runs = [0, 1].map((x) => Array.from({ length: 5 }, (_, t) => [t === 0 ? 9 * x : x]));
  const { draws } = permutationNull(runs, { rng, permutations: 200, from: 2, to: 5 });
  assert.ok(draws.some((slope) => Math.abs(slope) > 0.1));
});

Deno.test("permutationNull() finds growth and not decay, one-sided", () => {
  assert.equal(permutationNull(growing(createRng(3), 0.3, { replicates: 10 }), { rng }).p, 1 / 2001);
  assert.ok(permutationNull(growing(createRng(3), -0.3, { replicates: 10 }), { rng }).p! > 0.99);
});

Deno.test("permutationNull() depends on the seed alone", () => {
  const runs = walkers(createRng(1), { replicates: 4 });
  const draws = (seed: number) => permutationNull(runs, { rng: createRng(seed), permutations: 20 }).draws;
  assert.deepEqual(draws(4), draws(4));
  assert.notDeepEqual(draws(4), draws(5));
});

for (let seed = 1; seed <= 5; seed++) {
  Deno.test(`permutationNull() of frozen replicates is zero with p = 1 (seed ${seed})`, () => {
    const at = createRng(seed);
    const places = Array.from({ length: 20 }, () => [at.next(), at.next(), at.next()]);
    const still = places.map((state) => Array.from({ length: 20 }, () => state));
    assert.deepEqual([0, 1], [permutationNull(still, { rng: at }).lambda, permutationNull(still, { rng: at }).p]);
  });
}

Deno.test("fault 44: permutationNull() treats slopes that differ by rounding as ties", () => {
  // Three equidistant replicates: every shuffle permutes three sums that differ in their last digit at most.
  const drifting = Array.from({ length: 6 }, (_, t) => 1 + t * 2 ** -50);
  const runs = [0, 1, 2].map((k) => drifting.map((scale) => [0, 1, 2].map((axis) => (axis === k ? scale : 0))));
  const { lambda, p } = permutationNull(runs, { rng, permutations: 400, from: 1, to: 6 });
  assert.ok(lambda! > 0 && lambda! < 1e-14);
  assert.equal(p, 1);
});

Deno.test("permutationNull() leaves out shuffles without a slope and counts them against growth", () => {
  // Both replicates share round 1. A shuffle that brings it together inside the window has D = 0 there.
  const runs = proportional([0, 5], 1, 4).map((run) => [[0, 0], ...run]);
  const { draws, p } = permutationNull(runs, { rng, permutations: 5000, from: 2, to: 5 });
  const undefinedDraws = 5000 - draws.length;
  assert.ok(draws.every(Number.isFinite));
  assert.ok(Math.abs(undefinedDraws / 5000 - 4 / 25) < 4 * Math.sqrt(0.16 * 0.84 / 5000));
  assert.ok(p! >= undefinedDraws / 5001);
});

Deno.test("permutationNull() without an estimate gives a reason and no p", () => {
  const meeting = proportional([0, 1, 3], 0.1).map((run) => run.map((state, t) => (t === 6 ? [0, 0] : state)));
  const { lambda, ...rest } = permutationNull(meeting, { rng });
  assert.ok(close(lambda, 0.1));
  const studentised = { draws: [] };
  assert.deepEqual(rest, { draws: [], studentised, reason: "missing-rounds" });
  assert.deepEqual(permutationNull([], { rng }), { draws: [], studentised, reason: "too-few-replicates" });
  assert.deepEqual(permutationNull(proportional([1], 0), { rng }), {
    draws: [],
    studentised,
    reason: "too-few-replicates",
  });
  assert.deepEqual(permutationNull(proportional([1, 1], 0), { rng }), {
    draws: [],
    studentised,
    reason: "no-divergence",
  });
  assert.deepEqual(permutationNull(proportional([1, 2], 0), { rng, to: 4 }), {
    draws: [],
    studentised,
    reason: "too-few-rounds",
  });
});

Deno.test("permutationNull() of two replicates has a p-value, and no error to measure the slope in", () => {
  const { p, studentised } = permutationNull(proportional([0, 1], 0), { rng, permutations: 99 });
  assert.deepEqual([p, studentised], [1, { draws: [] }]);
});

Deno.test("permutationNull() names what is wrong", () => {
  assert.throws(
    () => permutationNull(proportional([0, 1], 0), { rng, permutations: -1 }),
    /^RangeError: permutations is -1/,
  );
  assert.throws(() => permutationNull([[[0]], [[NaN]]], { rng }), /^RangeError: runs\[1\], round 1, option 1 is NaN/);
});

Deno.test("permutationNull() studentises each shuffle by the influence error of its own runs", () => {
  // Three rounds have six orders, so the 216 shuffles of three runs can be listed.
  const runs = [[[0], [1], [5]], [[2], [7], [3]], [[3], [20], [31]]];
  const window = { from: 1, to: 3 };
  const orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
  const all = orders.flatMap((a) =>
    orders.flatMap((b) =>
      orders.map((c) => {
        const shuffled = [a, b, c].map((order, i) => order.map((t) => runs[i]![t]!));
        const { slopes, errors } = weightedSlopes(shuffled, Int32Array.of(1, 1, 1), window);
        return slopes[0]! / errors[0]!;
      })
    )
  );
  const { studentised } = permutationNull(runs, { rng, permutations: 400, ...window });
  assert.equal(studentised.draws.length, 400);
  for (const draw of studentised.draws) assert.ok(all.some((one) => close(draw, one, 1e-9)), `${draw} is none of them`);
  const share = all.filter((one) => one >= all[0]! - 1e-9).length / 216;
  assert.ok(Math.abs(studentised.p! - share) < 4 * Math.sqrt(share * (1 - share) / 400) + 1 / 401);
});

Deno.test("permutationNull() studentised keeps its level where runs remember where they were, the plain one does not", () => {
  const ensembles = Array.from({ length: 300 }, (_, i) => growing(createRng(100 + i), 0, { replicates: 20 }));
  const found = ensembles.map((runs) => permutationNull(runs, { rng, permutations: 199 }));
  const share = (p: (one: typeof found[number]) => number) => found.filter((one) => p(one) <= 0.05).length / 300;
  const plain = share((one) => one.p!), studentised = share((one) => one.studentised.p!);
  // Shares of 300 have a standard error of .013 at the nominal .05, and of .02 at the .18 that others found.
  assert.ok(plain > 0.12, `${plain}`);
  assert.ok(studentised < 0.09, `${studentised}`);
});

/** Independent Gaussian steps in the plane. */
function walks(at: Rng, { replicates, spread = 0 }: { replicates: number; spread?: number }): Trajectory[] {
  return Array.from({ length: replicates }, () => {
    let state = [spread * at.normal(), spread * at.normal()];
    return Array.from({ length: 20 }, () => (state = state.map((value) => value + at.normal())));
  });
}

Deno.test("diffusiveNull() comes to the p-value of all orders and signs", () => {
  const runs = [[0, 1, 3], [0.5, 0.2, -1], [1, 1.5, 1.7]].map((run) => run.map((x) => [x]));
  const window = { from: 1, to: 3 };
  const mean = [0, 1, 2].map((t) => runs.reduce((sum, run) => sum + run[t]![0]!, 0) / 3);
  // Each run's eight paths: its start, then its two steps in both orders and all signs, lengthened by √(3/2).
  const paths = runs.map((run) => {
    const d = run.map(([x], t) => x! - mean[t]!);
    const steps = [d[1]! - d[0]!, d[2]! - d[1]!].map((step) => step * Math.sqrt(3 / 2));
    return [steps, steps.toReversed()].flatMap(([a, b]) =>
      [1, -1].flatMap((s) => [1, -1].map((r) => [[d[0]!], [d[0]! + s * a!], [d[0]! + s * a! + r * b!]]))
    );
  });
  const all = paths[0]!.flatMap((a) =>
    paths[1]!.flatMap((b) => paths[2]!.map((c) => lyapunovSlope(divergence([a, b, c]), window).lambda!))
  );
  const observed = lyapunovSlope(divergence(runs), window).lambda!;
  const exact = all.filter((slope) => slope >= observed).length / 512;
  const { lambda, p, draws } = diffusiveNull(runs, { rng, permutations: 20_000, ...window });
  assert.equal(lambda, observed);
  assert.ok(exact > 0.05 && exact < 0.95);
  assert.ok(Math.abs(p! - exact) < 4 * Math.sqrt((exact * (1 - exact)) / 20_000));
  assert.ok(draws.every((slope) => all.some((known) => close(slope, known, 1e-9))));
});

for (const [start, spread] of [["one start", 0], ["starts far apart", 4]] as const) {
  Deno.test(`diffusiveNull() rejects about 5 % of random walks from ${start}`, () => {
    const ensembles = 300;
    let rejected = 0;
    for (let seed = 0; seed < ensembles; seed++) {
      const at = createRng(seed), runs = walks(at, { replicates: 8, spread });
      if (diffusiveNull(runs, { rng: at, permutations: 39 }).p! <= 0.05) rejected++;
    }
    // Four standard errors of a proportion of 300.
    assert.ok(Math.abs(rejected / ensembles - 0.05) < 0.05 && rejected > 0, `${rejected} of ${ensembles}`);
  });
}

Deno.test("diffusiveNull() of walks from one start has slopes about the random walk's", () => {
  const { draws } = diffusiveNull(walks(createRng(3), { replicates: 20 }), { rng, permutations: 400 });
  const mean = draws.reduce((sum, slope) => sum + slope, 0) / draws.length;
  assert.ok(Math.abs(mean - 0.0509) < 0.01, `${mean}`);
});

Deno.test("diffusiveNull() rejects growth and straight paths, and not runs that stay where they are", () => {
  const places = Array.from({ length: 12 }, (_, i) => [Math.cos(i * i), Math.sin(3 * i)]);
  const grown = (f: (t: number) => number) =>
    places.map((at) => Array.from({ length: 20 }, (_, t) => at.map((x) => x * f(t))));
  assert.equal(diffusiveNull(grown((t) => 1.08 ** t), { rng, permutations: 199 }).p, 1 / 200);
  assert.equal(diffusiveNull(grown((t) => 1 + t), { rng, permutations: 199 }).p, 1 / 200);
  const at = createRng(2);
  const jittering = places.map((place) => Array.from({ length: 20 }, () => place.map((x) => x + 0.3 * at.normal())));
  assert.ok(diffusiveNull(jittering, { rng, permutations: 199 }).p! > 0.5);
});

Deno.test("diffusiveNull() does not mind what all runs do together", () => {
  const runs = walks(createRng(5), { replicates: 6 });
  const moved = runs.map((run) => run.map((state, t) => state.map((x, k) => x + (t - 4) ** 2 - 9 * k)));
  const [a, b] = [runs, moved].map((runs) => diffusiveNull(runs, { rng, permutations: 50 }));
  assert.equal(a!.p, b!.p);
  a!.draws.forEach((slope, i) => assert.ok(close(slope, b!.draws[i]!, 1e-9)));
});

Deno.test("diffusiveNull() depends on the seed alone", () => {
  const runs = walks(createRng(1), { replicates: 4 });
  const draws = (seed: number) => diffusiveNull(runs, { rng: createRng(seed), permutations: 20 }).draws;
  assert.deepEqual(draws(4), draws(4));
  assert.notDeepEqual(draws(4), draws(5));
});

Deno.test("diffusiveNull() of frozen replicates is zero with p = 1", () => {
  const frozen = [0.1, 0.37, 0.8].map((x) => Array.from({ length: 20 }, () => [x, 1 - x]));
  const { lambda, p, draws } = diffusiveNull(frozen, { rng, permutations: 30 });
  assert.deepEqual([lambda, p], [0, 1]);
  assert.ok(draws.every((slope) => Math.abs(slope) < 1e-12));
});

Deno.test("diffusiveNull() of replicates that only move together takes no rounding for growth", () => {
  const together = [0.1, 0.37, 0.8, 0.93].map((x) => Array.from({ length: 20 }, (_, t) => [x + 0.1 * t]));
  const { lambda, p } = diffusiveNull(together, { rng, permutations: 99 });
  assert.ok(Math.abs(lambda!) < 1e-14);
  assert.equal(p, 1);
});

Deno.test("diffusiveNull() without an estimate gives a reason and no p", () => {
  const meeting = proportional([0, 1, 3], 0.1).map((run) => run.map((state, t) => (t === 6 ? [0, 0] : state)));
  const { lambda, ...rest } = diffusiveNull(meeting, { rng });
  assert.ok(close(lambda, 0.1));
  assert.deepEqual(rest, { draws: [], reason: "missing-rounds" });
  const two = diffusiveNull(proportional([0, 1], 0.1), { rng });
  assert.ok(close(two.lambda, 0.1) && two.p === undefined && two.reason === "too-few-replicates");
  assert.deepEqual(diffusiveNull([], { rng }), { draws: [], reason: "too-few-replicates" });
  assert.deepEqual(diffusiveNull(proportional([1, 1, 1], 0), { rng }), { draws: [], reason: "no-divergence" });
  assert.deepEqual(diffusiveNull(proportional([0, 1, 2], 0), { rng, to: 4 }), { draws: [], reason: "too-few-rounds" });
  assert.throws(() => diffusiveNull(meeting, { rng, permutations: 0 }), /^RangeError: permutations is 0/);
});

Deno.test("diffusiveNull() of two equal runs and one other has too few that differ", () => {
  const [a, b] = [0, 1].map((place) => Array.from({ length: 20 }, (_, t) => [place * 1.1 ** t]));
  const { p, reason } = diffusiveNull([a!, a!, b!], { rng: createRng(1), permutations: 99 });
  assert.deepEqual([p, reason], [undefined, "too-few-replicates"]);
});
