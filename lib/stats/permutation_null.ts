import type { Rng } from "../core/rng.ts";
import { distance } from "./distance.ts";
import { shuffleRows } from "./resampling.ts";
import type { RoundWindow } from "./round_window.ts";
import { type SlopeDraws, type SlopeNull, slopeNull, type SlopeNullOptions } from "./slope_null.ts";
import type { Trajectory } from "./trajectory.ts";

/**
 * The paper's permutation test: all rounds 1…T are shuffled independently within each replicate, then the window is
 * fitted; p = (1 + #{null ≥ observed}) / (permutations + 1), where slopes within 1e-12·Σ|c_t| are ties.
 *
 * It tests whether rounds are exchangeable, not whether trajectories diverge: replicates that only remember where they
 * were, as stationary AR(1) ones do, are rejected far more often than the nominal level. It is kept for fidelity;
 * read the studentised p of `bootstrapSlope` beside it, which stays near its level, and `diffusiveNull`, which asks
 * whether runs part faster than by diffusing. All are measured in `notebooks/deliberation/10_estimators.ipynb`.
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
export function permutationNull(runs: readonly Trajectory[], { rng, ...options }: SlopeNullOptions): SlopeNull {
  return slopeNull(
    runs,
    { ...options, least: 2 },
    (draws) => shuffledSlopes(runs, { rng: rng.fork("permutation"), ...draws }),
  );
}

/** Shuffles taken together: enough to read a block of distances often, few enough to stay in the processor's cache. */
const BATCH = 2000;

/**
 * Slopes of ln D after shuffling all rounds within each replicate, one for every shuffle.
 *
 * The pair of replicates is the outer loop. All T² distances between their states are computed once for a batch of
 * shuffles, and every round of every shuffle then reads one of them: the block stays in the fastest cache, and no table
 * of all (R·T)² distances is needed, whatever R.
 *
 * @returns nats per round; NaN where a shuffle brought equal states of all replicates together, so that D is zero.
 */
function shuffledSlopes(
  runs: readonly Trajectory[],
  { rng, permutations, window, weights }: SlopeDraws & { rng: Rng },
): Float64Array {
  const rounds = Int32Array.from({ length: runs.length * runs[0]!.length }, (_, i) => i % runs[0]!.length);
  const slopes = new Float64Array(permutations);
  for (let first = 0; first < permutations; first += BATCH) {
    const shuffles = Math.min(BATCH, permutations - first);
    const standing = shuffledRounds(rounds, { rng, shuffles, replicates: runs.length, window });
    const sums = sumsOfDistances(runs, standing);
    for (let n = 0; n < shuffles; n++) slopes[first + n] = slopeOf(sums, n * weights.length, weights);
  }
  return slopes;
}

/**
 * Which round's state stands at each place, [R] lists of shuffles × window.
 *
 * @param rounds [R][T], shuffled further in place: a shuffle of a shuffle is as random as any.
 */
function shuffledRounds(
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
    for (let i = 0; i < replicates; i++) {
      const list = standing[i]!, row = i * T + from - 1;
      for (let w = 0; w < width; w++) list[n * width + w] = rounds[row + w]!;
    }
  }
  return standing;
}

/** For every place, the sum over pairs of replicates of the distance between the states standing there. */
function sumsOfDistances(runs: readonly Trajectory[], standing: readonly Uint16Array[]): Float64Array {
  const R = runs.length, T = runs[0]!.length;
  const sums = new Float64Array(standing[0]!.length);
  const near = new Float64Array(T * T), far = new Float64Array(T * T);
  for (let i = 0; i < R; i++) {
    // Partners are taken two at a time, which halves the traffic to the sums; an odd last one is paired with zeros.
    for (let j = i + 1; j < R; j += 2) {
      fillBlock(near, runs[i]!, runs[j]!);
      if (j + 1 < R) fillBlock(far, runs[i]!, runs[j + 1]!);
      else far.fill(0);
      addDistances(sums, standing[i]!, { near, far, first: standing[j]!, second: standing[j + 1] ?? standing[j]!, T });
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
  sums: Float64Array,
  base: Uint16Array,
  { near, far, first, second, T }: {
    near: Float64Array;
    far: Float64Array;
    first: Uint16Array;
    second: Uint16Array;
    T: number;
  },
): void {
  for (let place = 0; place < sums.length; place++) {
    const row = base[place]! * T;
    sums[place]! += near[row + first[place]!]! + far[row + second[place]!]!;
  }
}

/** From the first round on, so that sums that never move have a slope of exactly zero. */
function slopeOf(sums: Float64Array, at: number, weights: readonly number[]): number {
  const log = (place: number) => (sums[place]! > 0 ? Math.log(sums[place]!) : NaN);
  const start = log(at);
  let slope = 0;
  for (let w = 0; w < weights.length; w++) slope += weights[w]! * (log(at + w) - start);
  return slope;
}
