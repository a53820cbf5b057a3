import type { Rng } from "../core/rng.ts";
import type { RoundWindow } from "./round_window.ts";
import { type SlopeNull, slopeNull, type SlopeNullOptions } from "./slope_null.ts";
import type { Trajectory } from "./trajectory.ts";

/**
 * Do replicates part faster than by diffusing? H0: each run continues from its place after round 1 by independent
 * steps of its own, whose sizes do not depend on when they are taken, and which point either way equally often.
 *
 * Steps are increments of the deviation from the ensemble's mean path, so that what all runs do together counts for
 * nothing; subtracting the mean of R runs shortens them, which the factor √(R/(R−1)) undoes. Under H0 the order and the
 * signs of a run's steps mean nothing: each draw shuffles the steps of every run in time, gives each a random sign, and
 * fits the slope again; p = (1 + #{draw ≥ observed}) / (permutations + 1), where slopes within 1e-12·Σ|c_t| are ties.
 * The null has the runs' own step lengths and initial distances, and therefore its own slope: 0.0509 over rounds 3-20
 * where all start together (see `referenceSlopes`), less where they start apart.
 *
 * A small p says that distances grow faster than independent steps of that size can make them. That is not yet
 * exponential growth: drift at constant speed and steps that keep one direction are rejected too; see
 * `growthLaws` for the shape. Runs that are pulled back, as at the walls of the simplex, make the test
 * conservative. Its measured size and power, and those of the alternative, a studentised test of λ against the random
 * walk's slope, are in `notebooks/deliberation/10_estimators.ipynb`. This one was chosen because it keeps its size and
 * finds more of lasting growth, above all where replicates start apart and their slope is therefore small.
 *
 * @param runs R replicates, each [T][K]; steps of rounds 2…T are used, whatever the window. Draws may leave the simplex.
 * @returns `lambda` and `p`; where the replicates all agree in some round of the window, `lambda` over the other
 * rounds and no p (`missing-rounds`); p needs three replicates (`too-few-replicates`), since the deviations of two
 * are mirror images.
 * @throws {RangeError} on ragged runs, values that are not finite and a window outside the data.
 *
 * @example Replicates that differ but never move have no steps to exchange
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const frozen = [0.1, 0.3, 0.8].map((x) => Array.from({ length: 20 }, () => [x, 1 - x]));
 * const { lambda, p } = diffusiveNull(frozen, { rng: createRng(1), permutations: 99 });
 * assert.deepEqual([lambda, p], [0, 1]);
 * ```
 */
export function diffusiveNull(runs: readonly Trajectory[], { rng, ...options }: SlopeNullOptions): SlopeNull {
  return slopeNull(runs, { ...options, least: 3 }, ({ permutations, window, weights }) => {
    const chance = rng.fork("diffusive"), steps = deviationSteps(runs);
    return Array.from({ length: permutations }, () => slopeOf(diffuse(steps, chance), window, weights));
  });
}

/** [T][R][K] in one row, so that a round is read from end to end. */
interface Rounds {
  readonly values: Float64Array;
  readonly replicates: number;
  readonly options: number;
}

/** Where each run stands after round 1, then its steps, both relative to the mean of all runs. */
function deviationSteps(runs: readonly Trajectory[]): Rounds {
  const R = runs.length, scale = Math.sqrt(R / (R - 1));
  const mean = runs[0]!.map((state, t) => state.map((_, k) => runs.reduce((sum, run) => sum + run[t]![k]!, 0) / R));
  const deviation = (t: number) => runs.map((run) => run[t]!.map((value, k) => value - mean[t]![k]!));
  const rounds = mean.map((_, t) => {
    if (t === 0) return deviation(0);
    const before = deviation(t - 1);
    return deviation(t).map((state, i) => state.map((value, k) => scale * (value - before[i]![k]!)));
  });
  return { values: Float64Array.from(rounds.flat(2)), replicates: R, options: mean[0]!.length };
}

/** States of runs with the same starts and the same steps, in random order and either way. */
function diffuse({ values, replicates: R, options: K }: Rounds, chance: Rng): Rounds {
  const states = values.slice(), width = R * K, T = values.length / width;
  const left = new Int32Array(T - 1);
  for (let i = 0; i < R; i++) {
    for (let t = 1; t < T; t++) left[t - 1] = t;
    for (let t = 1; t < T; t++) {
      // One number decides which of the steps that are left, and its sign.
      const choice = Math.floor(2 * (T - t) * chance.next()), at = choice >> 1, sign = choice & 1 ? 1 : -1;
      const step = left[at]! * width + i * K, here = t * width + i * K;
      left[at] = left[T - t - 1]!;
      for (let k = 0; k < K; k++) states[here + k] = states[here - width + k]! + sign * values[step + k]!;
    }
  }
  return { values: states, replicates: R, options: K };
}

/** From the first round of the window on, so that runs that never move have a slope of exactly zero. */
function slopeOf(states: Rounds, { from }: RoundWindow, weights: readonly number[]): number {
  const start = Math.log(sumOfDistances(states, from));
  let slope = 0;
  for (let i = 0; i < weights.length; i++) slope += weights[i]! * (Math.log(sumOfDistances(states, from + i)) - start);
  return Number.isFinite(slope) ? slope : NaN;
}

function sumOfDistances({ values, replicates, options: K }: Rounds, round: number): number {
  const first = (round - 1) * replicates * K, end = first + replicates * K;
  let sum = 0;
  for (let a = first; a < end; a += K) {
    for (let b = first; b < a; b += K) {
      let square = 0;
      for (let k = 0; k < K; k++) {
        const difference = values[a + k]! - values[b + k]!;
        square += difference * difference;
      }
      sum += Math.sqrt(square);
    }
  }
  return sum;
}
