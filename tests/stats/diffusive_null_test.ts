import assert from "node:assert/strict";
import { createRng, type Rng } from "@/core/rng.ts";
import { diffusiveNull, divergence, lyapunovSlope, type Trajectory } from "@/stats/mod.ts";
import { close, proportional } from "./ensembles.ts";

const rng = createRng(1);

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
