import { checkOptions } from "../core/options.ts";
import type { Rng } from "../core/rng.ts";
import { distance } from "./distance.ts";
import { kernelFor } from "./kernel/kernel.ts";
import { logSlopes, slopeWeights, tieTolerance } from "./least_squares.ts";
import { shuffleRows } from "./resampling.ts";
import { type RoundWindow, windowRounds } from "./round_window.ts";
import { type SlopeDraws, type SlopeNull, slopeNull, type SlopeNullOptions } from "./slope_null.ts";
import type { Trajectory } from "./trajectory.ts";
import type { DistanceSums } from "./kernel/kernel.ts";
import { weightedSlopes } from "./weighted_slopes.ts";

/** The paper's test, and the same with studentised slopes beside it. */
export interface PermutationNull extends SlopeNull {
  /** `draws`: slopes of the shuffles in their own standard errors. Without p where `p` is missing, and with two runs. */
  readonly studentised: { readonly p?: number; readonly draws: number[] };
}

/**
 * The paper's permutation test: all rounds 1…T are shuffled independently within each replicate, then the window is
 * fitted; p = (1 + #{null ≥ observed}) / (permutations + 1), where slopes within 1e-12·Σ|c_t| are ties.
 *
 * It tests whether rounds are exchangeable, not whether trajectories diverge: replicates that only remember where they
 * were, as stationary AR(1) ones do, are rejected far more often than the nominal level. It is kept for fidelity.
 * `studentised` is the same test of the slope in its own standard error, over replicates: memory widens that error as it
 * widens the slope's scatter, so it stays near its level. `diffusiveNull` asks whether runs part faster than by
 * diffusing. All are measured in `notebooks/deliberation/10_estimators.ipynb`.
 *
 * A shuffle that leaves all replicates equal in some round of the window has no slope. It is absent from `draws` and
 * counted as if its slope were larger than the observed, so p errs towards no growth.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", Figure S5.
 *
 * @param runs R replicates, each [T][K].
 * @returns `lambda` and `p`; where the replicates all agree in some round of the window, `lambda` over the other
 * rounds and no p (`missing-rounds`).
 * @throws {RangeError} on ragged runs, values that are not finite and a window outside the data.
 *
 * @example Replicates that differ but never move do not diverge
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const frozen = [0.1, 0.3, 0.8].map((x) => Array.from({ length: 20 }, () => [x, 1 - x]));
 * const { lambda, p } = permutationNull(frozen, { rng: createRng(1) });
 * assert.deepEqual([lambda, p], [0, 1]);
 * ```
 */
export function permutationNull(runs: readonly Trajectory[], given: SlopeNullOptions): PermutationNull {
  const { rng, ...options } = checkOptions("permutationNull", given, "rng! permutations from to");
  let studentised: PermutationNull["studentised"] = { draws: [] };
  const found = slopeNull(runs, { ...options, least: 2 }, (wanted) => {
    const { slopes, ratios, observed } = shuffledSlopes(runs, { rng: rng.fork("permutation"), ...wanted });
    // Two runs have equal influence: no error, and nothing to measure their slope in.
    if (runs.length > 2) studentised = studentisedNull(ratios, observed, wanted.permutations);
    return slopes;
  });
  return { ...found, studentised };
}

/** Of ratios that rounding alone tells apart none is larger. */
const ROUNDING = 1e-9;

function studentisedNull(ratios: Float64Array, observed: number, permutations: number): PermutationNull["studentised"] {
  const draws = Array.from(ratios).filter((ratio) => !Number.isNaN(ratio));
  const reached = observed - ROUNDING * Math.abs(observed);
  const below = draws.filter((ratio) => ratio < reached).length;
  return { p: (1 + permutations - below) / (permutations + 1), draws };
}

/** Slopes of ln D, and the same in their own standard errors. */
interface ShuffledSlopes {
  /** One for every shuffle, nats per round; NaN where equal states of all runs came together, so that D is zero. */
  readonly slopes: Float64Array;
  readonly ratios: Float64Array;
  /** The ratio of the runs as they are. */
  readonly observed: number;
}

/**
 * Slopes of ln D after shuffling all rounds within each replicate, one for every shuffle, each also in its standard error
 * (of `influence`, see `weightedSlopes`).
 */
function shuffledSlopes(
  runs: readonly Trajectory[],
  { rng, permutations, window, weights }: SlopeDraws & { rng: Rng },
): ShuffledSlopes {
  const { sums, errors } = (kernelFor(runs)?.shuffledSums ?? plainShuffledSums)(runs, { rng, permutations, window });
  const slopes = logSlopes(sums, weights), own = weightedSlopes(runs, new Int32Array(runs.length).fill(1), window);
  const ratioOf = inErrors(tieTolerance(weights));
  return {
    slopes,
    ratios: slopes.map((slope, n) => ratioOf(slope, errors[n]!)),
    observed: ratioOf(own.slopes[0]!, own.errors[0]!),
  };
}

/** A slope in its standard error; zero where it does not move. */
const inErrors = (tolerance: number) => (slope: number, error: number): number => {
  if (Math.abs(slope) <= tolerance) return 0;
  return error > tolerance ? slope / error : Math.sign(slope) * Infinity;
};

/** Distances of all runs that are held at once: a few megabytes, whatever the number of runs. */
const HELD = 2 ** 20;

/**
 * For every shuffle the sums of all distances, and the influence error, without the kernel: what that is checked against, and
 * what stands in for it.
 *
 * The pair of replicates is the outer loop. All T² distances between their states are computed once for a batch of
 * shuffles, and every round of every shuffle then reads one of them: the block stays in the fastest cache, and no table
 * of all (R·T)² distances is needed, whatever R.
 */
export function plainShuffledSums(
  runs: readonly Trajectory[],
  { rng, permutations, window }: { rng: Rng; permutations: number; window: RoundWindow },
): DistanceSums {
  const R = runs.length, T = runs[0]!.length, weights = slopeWeights(windowRounds(window));
  const rounds = Int32Array.from({ length: R * T }, (_, i) => i % T);
  const sums = new Float64Array(permutations * weights.length), errors = new Float64Array(permutations);
  const batch = Math.max(1, Math.min(permutations, Math.floor(HELD / (R * weights.length))));
  for (let first = 0; first < permutations; first += batch) {
    const shuffles = Math.min(batch, permutations - first);
    const runSums = distanceSums(runs, standingRounds(rounds, { rng, shuffles, replicates: R, window }));
    for (let place = 0; place < runSums[0]!.length; place++) {
      for (const own of runSums) sums[first * weights.length + place]! += own[place]!;
    }
    for (let n = 0; n < shuffles; n++) {
      const here = n * weights.length, there = (first + n) * weights.length;
      const changes = runSums.map((own) =>
        weights.reduce((sum, c, w) => sum + c * own[here + w]! / sums[there + w]!, 0)
      );
      errors[first + n] = 2 * Math.sqrt(changes.reduce((sum, change) => sum + change ** 2, 0));
    }
  }
  return { sums, errors };
}

/**
 * Which round's state stands at each place, [R] lists of shuffles × window.
 *
 * @param rounds [R][T], shuffled each time: a shuffle of a shuffle is as random as any.
 */
function standingRounds(
  rounds: Int32Array,
  { rng, shuffles, replicates, window: { from, to } }: {
    rng: Rng;
    shuffles: number;
    replicates: number;
    window: RoundWindow;
  },
): Uint16Array[] {
  const T = rounds.length / replicates, width = to - from + 1;
  const standing = Array.from({ length: replicates }, () => new Uint16Array(shuffles * width));
  for (let n = 0; n < shuffles; n++) {
    shuffleRows(rounds, T, rng);
    standing.forEach((list, i) => list.set(rounds.subarray(i * T + from - 1, i * T + to), n * width));
  }
  return standing;
}

/** For every run, the sum of its distances to the others at every place. */
function distanceSums(runs: readonly Trajectory[], standing: readonly Uint16Array[]): Float64Array[] {
  const T = runs[0]!.length, sums = standing.map(({ length }) => new Float64Array(length));
  for (let i = 0; i < runs.length; i++) {
    for (let j = i + 1; j < runs.length; j++) {
      const block = Float64Array.from(runs[i]!.flatMap((a) => runs[j]!.map((b) => distance(a, b))));
      const [first, second, sumsA, sumsB] = [standing[i]!, standing[j]!, sums[i]!, sums[j]!];
      for (let place = 0; place < first.length; place++) {
        const d = block[first[place]! * T + second[place]!]!;
        sumsA[place]! += d;
        sumsB[place]! += d;
      }
    }
  }
  return sums;
}
