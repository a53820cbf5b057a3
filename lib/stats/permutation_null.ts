import type { Rng } from "../core/rng.ts";
import { distance } from "./distance.ts";
import { tieTolerance } from "./least_squares.ts";
import { shuffleRows } from "./resampling.ts";
import type { RoundWindow } from "./round_window.ts";
import { type SlopeDraws, type SlopeNull, slopeNull, type SlopeNullOptions } from "./slope_null.ts";
import type { Trajectory } from "./trajectory.ts";

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
export function permutationNull(runs: readonly Trajectory[], { rng, ...options }: SlopeNullOptions): PermutationNull {
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

/** Distances of all runs that are held at once: a few megabytes, whatever the number of runs. */
const HELD = 2 ** 20;

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
 *
 * The pair of replicates is the outer loop. All T² distances between their states are computed once for a batch of
 * shuffles, and every round of every shuffle then reads one of them: the block stays in the fastest cache, and no table
 * of all (R·T)² distances is needed, whatever R.
 */
function shuffledSlopes(
  runs: readonly Trajectory[],
  { rng, permutations, window, weights }: SlopeDraws & { rng: Rng },
): ShuffledSlopes {
  const R = runs.length, width = weights.length;
  const rounds = Int32Array.from({ length: R * runs[0]!.length }, (_, i) => i % runs[0]!.length);
  const slopes = new Float64Array(permutations), ratios = new Float64Array(permutations);
  const batch = Math.max(1, Math.min(2000, Math.floor(HELD / (R * width))));
  const standing = (shuffles: number, order: (rounds: Int32Array) => void) =>
    standingRounds(rounds, { order, shuffles, replicates: R, window });
  const [own] = ratiosOf(distanceSums(runs, standing(1, () => {})), weights);
  for (let first = 0; first < permutations; first += batch) {
    const shuffles = Math.min(batch, permutations - first);
    const sums = distanceSums(runs, standing(shuffles, () => shuffleRows(rounds, rounds.length / R, rng)));
    ratiosOf(sums, weights).forEach(({ slope, ratio }, n) => {
      slopes[first + n] = slope;
      ratios[first + n] = ratio;
    });
  }
  return { slopes, ratios, observed: own!.ratio };
}

/**
 * Which round's state stands at each place, [R] lists of shuffles × window.
 *
 * @param rounds [R][T], put into another order by `order` before each shuffle: a shuffle of a shuffle is as random as any.
 */
function standingRounds(
  rounds: Int32Array,
  { order, shuffles, replicates, window: { from, to } }: {
    order: (rounds: Int32Array) => void;
    shuffles: number;
    replicates: number;
    window: RoundWindow;
  },
): Uint16Array[] {
  const T = rounds.length / replicates, width = to - from + 1;
  const standing = Array.from({ length: replicates }, () => new Uint16Array(shuffles * width));
  for (let n = 0; n < shuffles; n++) {
    order(rounds);
    for (let i = 0; i < replicates; i++) {
      const list = standing[i]!, row = i * T + from - 1;
      for (let w = 0; w < width; w++) list[n * width + w] = rounds[row + w]!;
    }
  }
  return standing;
}

/** For every run, the sum of its distances to the others at every place. */
function distanceSums(runs: readonly Trajectory[], standing: readonly Uint16Array[]): Float64Array[] {
  const R = runs.length, T = runs[0]!.length;
  const sums = standing.map(({ length }) => new Float64Array(length));
  const block = new Float64Array(T * T);
  for (let i = 0; i < R; i++) {
    for (let j = i + 1; j < R; j++) {
      fillBlock(block, runs[i]!, runs[j]!);
      addDistances(sums[i]!, sums[j]!, { block, T, first: standing[i]!, second: standing[j]! });
    }
  }
  return sums;
}

function fillBlock(block: Float64Array, a: Trajectory, b: Trajectory): void {
  const T = a.length;
  for (let s = 0; s < T; s++) {
    for (let u = 0; u < T; u++) block[s * T + u] = distance(a[s]!, b[u]!);
  }
}

function addDistances(
  sumsA: Float64Array,
  sumsB: Float64Array,
  { block, T, first, second }: { block: Float64Array; T: number; first: Uint16Array; second: Uint16Array },
): void {
  for (let place = 0; place < sumsA.length; place++) {
    const d = block[first[place]! * T + second[place]!]!;
    sumsA[place]! += d;
    sumsB[place]! += d;
  }
}

/** The slope of every shuffle, and the same in its standard error; zero where neither moves. */
function ratiosOf(sums: readonly Float64Array[], weights: readonly number[]): { slope: number; ratio: number }[] {
  const width = weights.length, tolerance = tieTolerance(weights);
  const influence = new Float64Array(sums.length);
  return Array.from({ length: sums[0]!.length / width }, (_, n) => {
    let start = 0, slope = 0;
    influence.fill(0);
    for (let w = 0; w < width; w++) {
      const place = n * width + w;
      let total = 0;
      for (let i = 0; i < sums.length; i++) total += sums[i]![place]!;
      const log = total > 0 ? Math.log(total) : NaN;
      // From the first round on, so that sums that never move have a slope of exactly zero.
      if (w === 0) start = log;
      slope += weights[w]! * (log - start);
      const scale = weights[w]! / total;
      for (let i = 0; i < sums.length; i++) influence[i]! += scale * sums[i]![place]!;
    }
    let squares = 0;
    for (let i = 0; i < influence.length; i++) squares += influence[i]! ** 2;
    const error = 2 * Math.sqrt(squares);
    const ratio = error > tolerance ? slope / error : Math.sign(slope) * Infinity;
    return { slope, ratio: Math.abs(slope) <= tolerance ? 0 : ratio };
  });
}
