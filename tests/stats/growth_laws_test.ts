import assert from "node:assert/strict";
import { createRng, type Rng } from "@/core/rng.ts";
import { type GrowthLaw, whitening } from "@/stats/growth_laws.ts";
import { divergence, GROWTH_LAWS, growthLaws, type Trajectory } from "@/stats/mod.ts";
import { resampleCounts } from "@/stats/resampling.ts";
import { close, growing, proportional } from "./ensembles.ts";

const rng = createRng(1);
type Growth = (round: number) => number;

/** Replicates at fixed places that all move away from the middle by the same factor: D(t) ∝ f(t) exactly. */
const exact = (f: Growth): Trajectory[] =>
  [0, 1, 3, 4.5].map((place) => Array.from({ length: 20 }, (_, t) => [place * f(t + 1)]));

const KNOWN: readonly [GrowthLaw, Growth, Record<string, number>][] = [
  ["steady", () => 2, {}],
  ["random-walk", Math.sqrt, {}],
  ["ballistic", (t) => 0.1 * t, {}],
  ["exponential", (t) => Math.exp(0.07 * t), { lambda: 0.07 }],
  ["exponential", (t) => Math.exp(-0.2 * t), { lambda: -0.2 }],
  // A rate that is one of those tried.
  ["mean-reverting", (t) => Math.sqrt(1 - Math.exp(-2 * 0.004 * 1.16 ** 20 * t)), { reversion: 0.004 * 1.16 ** 20 }],
  ["plateau", (t) => Math.exp(0.3 * Math.min(t, 9)), { lambda: 0.3, plateauFrom: 9 }],
  ["plateau", (t) => Math.exp(0.3 * Math.min(t, 5)), { lambda: 0.3, plateauFrom: 5 }],
  ["plateau", (t) => Math.exp(0.3 * Math.min(t, 19)), { lambda: 0.3, plateauFrom: 19 }],
];

for (const [law, growth, estimate] of KNOWN) {
  Deno.test(`growthLaws() finds ${law} in curves that are exactly that, ${JSON.stringify(estimate)}`, () => {
    const runs = exact(growth);
    const { best, laws, undefinedDraws, reason } = growthLaws(runs, { rng, resamples: 60 });
    const found = laws.find((one) => one.law === law)!;
    assert.deepEqual([best, found.share, found.excess, reason], [law, 1, 0, undefined]);
    assert.ok(undefinedDraws < 10);
    for (const [name, value] of Object.entries(estimate)) {
      assert.ok(close(found.estimate[name as keyof typeof found.estimate], value, 1e-9));
    }
    const D = divergence(runs);
    assert.equal(found.fitted.length, 18);
    found.fitted.forEach((d, i) => assert.ok(close(d / D[i + 2]!, 1, 1e-9)));
  });
}

Deno.test("growthLaws() charges for parameters: over 18 rounds AICc − χ² is 2.25, 4.8 or 6 + 12/7", () => {
  const { laws } = growthLaws(growing(createRng(3), 0.05, { replicates: 10 }), { rng, resamples: 50 });
  const charge = { 1: 2 + 4 / 16, 2: 4 + 12 / 15, 3: 6 + 24 / 14 };
  assert.deepEqual(laws.map(({ law }) => law), [...GROWTH_LAWS]);
  assert.deepEqual(laws.map(({ parameters }) => parameters), [1, 1, 1, 2, 2, 3]);
  for (const { parameters, chiSquare, aicc } of laws) {
    assert.ok(close(aicc - chiSquare, charge[parameters as 1 | 2 | 3], 1e-9));
  }
  assert.ok(close(laws.reduce((sum, { share }) => sum + share, 0), 1));
});

/** x with A x = b, by elimination. */
function solve(A: number[][], b: readonly number[]): number[] {
  const rows = A.map((row, i) => [...row, b[i]!]), n = b.length;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const factor = rows[j]![i]! / rows[i]![i]!;
      rows[j] = rows[j]!.map((value, k) => value - factor * rows[i]![k]!);
    }
  }
  const x: number[] = Array(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    x[i] = (rows[i]![n]! - rows[i]!.slice(i + 1, n).reduce((sum, value, k) => sum + value * x[i + 1 + k]!, 0)) /
      rows[i]![i]!;
  }
  return x;
}

Deno.test("growthLaws() weighs residuals by the shrunk covariance of resampled curves", () => {
  const runs = growing(createRng(8), 0.02, { replicates: 6 }), resamples = 80, window = { from: 4, to: 12 };
  const flat = (D: readonly number[]) => {
    const logs = D.slice(3, 12).map(Math.log), mean = logs.reduce((a, b) => a + b) / 9;
    return logs.map((value) => value - mean);
  };
  const counts = resampleCounts(rng.fork("growth-laws"), 6, resamples);
  const curves = Array.from(
    { length: resamples },
    (_, s) => flat(divergence(runs.flatMap((run, i) => Array.from({ length: counts[s * 6 + i]! }, () => run)))),
  );
  assert.ok(curves.every((curve) => curve.every(Number.isFinite)), "no resample of one replicate alone");
  const mean = curves[0]!.map((_, i) => curves.reduce((sum, curve) => sum + curve[i]!, 0) / resamples);
  const C = mean.map((m, i) =>
    mean.map((n, j) => curves.reduce((sum, curve) => sum + (curve[i]! - m) * (curve[j]! - n), 0) / (resamples - 1))
  );
  const size = C.reduce((sum, row, i) => sum + row[i]!, 0) / 8;
  const S = C.map((row, i) => row.map((value, j) => value / 2 + (i === j ? size / 2 : 0)));
  const y = flat(divergence(runs)), expected = solve(S, y).reduce((sum, value, i) => sum + value * y[i]!, 0);
  const { laws, undefinedDraws } = growthLaws(runs, { rng, resamples, ...window });
  assert.equal(undefinedDraws, 0);
  assert.ok(close(laws.find(({ law }) => law === "steady")!.chiSquare / expected, 1, 1e-9));
  // The exponential's slope is the generalised least-squares one: its residual is orthogonal, in S⁻¹, to the ramp.
  const ramp = y.map((_, i) => i - 4), weighed = solve(S, ramp);
  const slope = weighed.reduce((sum, w, i) => sum + w * y[i]!, 0) /
    weighed.reduce((sum, w, i) => sum + w * ramp[i]!, 0);
  assert.ok(close(laws.find(({ law }) => law === "exponential")!.estimate.lambda, slope, 1e-9));
});

Deno.test("growthLaws() does not mind the scale of preferences", () => {
  const runs = growing(createRng(4), 0.06, { replicates: 8 });
  const scaled = runs.map((run) => run.map((state) => state.map((value) => 1e-6 * value)));
  const [a, b] = [runs, scaled].map((runs) => growthLaws(runs, { rng, resamples: 40 }));
  assert.equal(a!.best, b!.best);
  a!.laws.forEach((law, i) => {
    assert.ok(close(law.chiSquare / b!.laws[i]!.chiSquare, 1, 1e-6) && law.share === b!.laws[i]!.share);
  });
});

function walks(at: Rng): Trajectory[] {
  return Array.from({ length: 20 }, () => {
    let state = [0, 0];
    return Array.from({ length: 20 }, () => (state = state.map((value) => value + at.normal())));
  });
}

Deno.test("growthLaws() tells fast exponentials from random walks", () => {
  const count = { exponential: 0, walk: 0 };
  for (let seed = 0; seed < 30; seed++) {
    const at = createRng(seed);
    if (growthLaws(growing(at, 0.12, { replicates: 20 }), { rng: at, resamples: 60 }).best === "exponential") {
      count.exponential++;
    }
    const { best } = growthLaws(walks(at), { rng: at, resamples: 60 });
    assert.notEqual(best, "ballistic");
    if (best === "random-walk") count.walk++;
  }
  assert.ok(count.exponential >= 20 && count.walk >= 14, JSON.stringify(count));
});

Deno.test("growthLaws() depends on the seed alone", () => {
  const runs = walks(createRng(1));
  const laws = (seed: number) => growthLaws(runs, { rng: createRng(seed), resamples: 30 }).laws;
  assert.deepEqual(laws(4), laws(4));
  assert.notDeepEqual(laws(4), laws(5));
});

Deno.test("growthLaws() counts the resamples of one replicate alone: one in nine of three", () => {
  const { undefinedDraws } = growthLaws(walks(createRng(2)).slice(0, 3), { rng, resamples: 900 });
  assert.ok(Math.abs(undefinedDraws - 100) < 4 * Math.sqrt(900 * (1 / 9) * (8 / 9)));
});

Deno.test("growthLaws() without an estimate gives a reason and no laws", () => {
  const refused = (reason: string) => ({ laws: [], undefinedDraws: 0, reason });
  const meeting = proportional([0, 1, 3], 0.1).map((run) => run.map((state, t) => (t === 6 ? [0, 0] : state)));
  assert.deepEqual(growthLaws(meeting, { rng }), refused("missing-rounds"));
  assert.deepEqual(growthLaws([], { rng }), refused("too-few-replicates"));
  assert.deepEqual(growthLaws(proportional([0, 1], 0.1), { rng }), refused("too-few-replicates"));
  assert.deepEqual(growthLaws(proportional([0, 1, 1, 0], 0.1), { rng }), refused("too-few-replicates"));
  assert.deepEqual(growthLaws(proportional([1, 1, 1], 0.1), { rng }), refused("no-divergence"));
  assert.deepEqual(growthLaws(proportional([0, 1, 2], 0.1), { rng, to: 6 }), refused("too-few-rounds"));
  assert.equal(growthLaws(proportional([0, 1, 2], 0.1), { rng, to: 7, resamples: 9 }).best, "exponential");
  assert.throws(() => growthLaws(meeting, { rng, resamples: 0 }), /^RangeError: resamples is 0/);
});

Deno.test("whitening() by hand: covariance [[4, 2], [2, 2]] has L = [[2, 0], [1, 1]]", () => {
  assert.deepEqual(whitening([[4, 2], [2, 2]])([6, 4]), [3, 1]);
});

Deno.test("whitening() makes yᵀ S⁻¹ y a sum of squares", () => {
  const S = [[3, 1, 0.5], [1, 2, -0.3], [0.5, -0.3, 1]], x = [0.7, -1.1, 2];
  // y = S x, so yᵀ S⁻¹ y = yᵀ x, without an inverse.
  const y = S.map((row) => row.reduce((sum, value, j) => sum + value * x[j]!, 0));
  const white = whitening(S)(y);
  const square = white.reduce((sum, value) => sum + value * value, 0);
  assert.ok(close(square, y.reduce((sum, value, i) => sum + value * x[i]!, 0)));
});

Deno.test("whitening() refuses what is no covariance", () => {
  for (const matrix of [[[1, 1], [1, 1]], [[1, 2], [2, 1]], [[0]], [[NaN]]]) {
    assert.throws(() => whitening(matrix), /^RangeError: covariance is not positive definite: pivot \d is/);
  }
});
