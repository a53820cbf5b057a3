import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { slopeWeights } from "@/stats/least_squares.ts";
import { divergence, lyapunovSlope, type Trajectory } from "@/stats/mod.ts";
import { slopeError, weightedSlopes } from "@/stats/weighted_slopes.ts";
import { close, growing, proportional, walkers } from "./ensembles.ts";

const WINDOW = { from: 3, to: 20 };
const runs = walkers(createRng(11), { replicates: 6 });
const COUNTS = [[1, 1, 1, 1, 1, 1], [2, 0, 1, 0, 3, 0], [0, 0, 0, 5, 1, 0]];

Deno.test("weightedSlopes() agrees with repeating the runs and fitting them afresh", () => {
  const { slopes } = weightedSlopes(runs, Int32Array.from(COUNTS.flat()), WINDOW);
  COUNTS.forEach((counts, s) => {
    const repeated = runs.flatMap((run, i) => Array.from({ length: counts[i]! }, () => run));
    assert.ok(close(slopes[s], lyapunovSlope(divergence(repeated), WINDOW).lambda!));
  });
});

/** θ(p) = Σ_t c_t ln Σ_ij p_i p_j d_ij(t), written out for any weights p. */
function theta(runs: readonly Trajectory[], p: readonly number[]): number {
  const c = slopeWeights(Array.from({ length: 18 }, (_, i) => i + 3));
  const form = (t: number) => {
    let sum = 0;
    runs.forEach((a, i) =>
      runs.forEach((b, j) => sum += p[i]! * p[j]! * Math.hypot(...a[t]!.map((x, k) => x - b[t]![k]!)))
    );
    return sum;
  };
  return c.reduce((sum, weight, i) => sum + weight * Math.log(form(i + 2)), 0);
}

Deno.test("weightedSlopes() has the standard error of numerically differentiated influence values", () => {
  const { errors } = weightedSlopes(runs, Int32Array.from(COUNTS.flat()), WINDOW);
  const step = 1e-5;
  for (const [s, counts] of COUNTS.slice(0, 2).entries()) {
    const p = counts.map((count) => count / runs.length);
    const towards = (i: number, e: number) => theta(runs, p.map((x, j) => (1 - e) * x + (i === j ? e : 0)));
    const influence = runs.map((_, i) => (towards(i, step) - towards(i, -step)) / (2 * step));
    const variance = counts.reduce((sum, count, i) => sum + count * influence[i]! ** 2, 0) / runs.length ** 2;
    assert.ok(close(errors[s], Math.sqrt(variance), 1e-8));
    assert.ok(errors[s]! > 1e-3, "an error of nothing would prove nothing");
  }
});

Deno.test("weightedSlopes() has the delete-one error of the runs repeated and left out one by one", () => {
  const counts = [[1, 1, 1, 1, 1, 1], [2, 1, 1, 0, 2, 0]];
  const { errors } = weightedSlopes(runs, Int32Array.from(counts.flat()), WINDOW, "delete-one");
  for (const [s, row] of counts.entries()) {
    const repeated = runs.flatMap((run, i) => Array.from({ length: row[i]! }, () => run));
    const without = repeated.map((_, i) => lyapunovSlope(divergence(repeated.toSpliced(i, 1)), WINDOW).lambda!);
    const middle = without.reduce((sum, slope) => sum + slope, 0) / 6;
    const variance = 5 / 6 * without.reduce((sum, slope) => sum + (slope - middle) ** 2, 0);
    assert.ok(close(errors[s], Math.sqrt(variance), 1e-9));
  }
});

Deno.test("weightedSlopes() has no delete-one error where a run cannot be left out", () => {
  const { slopes, errors } = weightedSlopes(runs, Int32Array.of(3, 0, 0, 0, 0, 1), WINDOW, "delete-one");
  assert.ok(Number.isFinite(slopes[0]) && Number.isNaN(errors[0]));
});

Deno.test("weightedSlopes() has no error where no reweighting can change the slope", () => {
  const counts = Int32Array.from([1, 1, 1, 1, 3, 1, 0, 0]);
  const { slopes, errors } = weightedSlopes(proportional([0, 1, 2, 5], 0.07), counts, WINDOW);
  for (const s of [0, 1]) assert.ok(close(slopes[s], 0.07) && close(errors[s], 0, 1e-15));
});

Deno.test("weightedSlopes() of replicates that agree in a single round is NaN, not infinite", () => {
  const [a, b, c] = runs;
  const meeting = b!.map((state, t) => (t === 9 ? a![t]! : state));
  const { slopes } = weightedSlopes([a!, meeting, c!], Int32Array.from([2, 1, 0, 1, 1, 1]), WINDOW);
  assert.ok(Number.isNaN(slopes[0]) && Number.isFinite(slopes[1]));
});

Deno.test("weightedSlopes() of one replicate alone, or of equals, is NaN", () => {
  const [a, b] = runs;
  const { slopes } = weightedSlopes([a!, a!, b!], Int32Array.from([3, 0, 0, 1, 2, 0, 1, 1, 1]), WINDOW);
  assert.ok(Number.isNaN(slopes[0]) && Number.isNaN(slopes[1]) && Number.isFinite(slopes[2]));
});

const rng = createRng(3);
const rms = (values: readonly number[]) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);

for (const R of [8, 20]) {
  Deno.test(`slopeError() is how far the slopes of ensembles of ${R} scatter, to 8 %`, () => {
    const fits = Array.from(
      { length: 1000 },
      (_, i) => slopeError(growing(rng.fork(`${R}/${i}`), 0.05, { replicates: R })),
    );
    const scatter = rms(fits.map(({ lambda }) => lambda! - 0.05));
    const error = rms(fits.map(({ error }) => error!));
    assert.ok(Math.abs(error / scatter - 1) < 0.08, `${error} for ${scatter}`);
  });
}

Deno.test("slopeError() of three runs on a line is the influence value by hand", () => {
  // At 0, 1 and 3g: distances 1, 3g and 3g − 1, so a run is as far from the others together as its row says.
  const run = (place: (g: number) => number) => [1, 2, 4].map((g) => [place(g)]);
  const runs = [run(() => 0), run(() => 1), run((g) => 3 * g)];
  // Slope weights of three rounds are −½, 0, ½; only g = 1 and g = 4 count.
  const rows = (g: number) => [1 + 3 * g, 1 + (3 * g - 1), 3 * g + (3 * g - 1)], sum = (g: number) => 12 * g;
  const influence = [0, 1, 2].map((i) => (rows(4)[i]! / sum(4) - rows(1)[i]! / sum(1)) / 2);
  const error = 2 * Math.sqrt(influence.reduce((total, u) => total + u * u, 0)) * 3 / 2;
  const fit = slopeError(runs, { from: 1, to: 3 });
  assert.ok(close(fit.lambda, Math.log(sum(4) / sum(1)) / 2));
  assert.ok(close(fit.error, error), `${fit.error} for ${error}`);
});

Deno.test("slopeError() gives no error where there is no interval, and says why", () => {
  assert.deepEqual(slopeError([]), { reason: "too-few-replicates" });
  const two = slopeError(proportional([0, 1], 0.1));
  assert.ok(close(two.lambda, 0.1));
  assert.deepEqual([two.error, two.reason], [undefined, "too-few-replicates"]);
  const meeting = proportional([0, 1, 3], 0.1).map((run) => run.with(9, [0, 0]));
  assert.deepEqual([slopeError(meeting).error, slopeError(meeting).reason], [undefined, "missing-rounds"]);
  assert.deepEqual(slopeError(proportional([1, 1, 1], 0.1)), { reason: "no-divergence" });
});
