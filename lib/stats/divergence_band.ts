import type { Rng } from "../core/rng.ts";
import { divergence } from "./divergence.ts";
import { checkCount, checkLevel, checkOptions, type UndefinedReason } from "./input_checks.ts";
import { fewestDraws, percentileInterval } from "./intervals.ts";
import { resampleCounts } from "./resampling.ts";
import { checkRuns, type Trajectory } from "./trajectory.ts";
import { weightedForms } from "./weighted_forms.ts";

interface DivergenceBandOptions {
  /** Where chance comes from. It is forked, not advanced. */
  rng: Rng;
  /** How many resamples; by default 500. */
  resamples?: number | undefined;
  /** Nominal coverage in each round by itself; by default 0.95. */
  level?: number | undefined;
}

interface DivergenceBand {
  /** D(t), shape [T]: also what the corrected resamples average to. */
  readonly mean?: number[];
  readonly low?: number[];
  readonly high?: number[];
  readonly reason?: UndefinedReason;
}

/**
 * Pointwise bootstrap band of D(t): whole replicates are resampled, and the percentiles taken round by round.
 *
 * A resample holds some replicates twice, at distance zero from themselves, which makes its D too small by the factor
 * 1 − 1/R on average, the same in every round. Each is divided by it; without that the band lies 5 % low at R = 20.
 *
 * @param runs R replicates, each [T][K].
 * @returns `mean`, `low` and `high`, each [T], index 0 is round 1. Two replicates give D(t) but no band, fewer give
 * nothing; the `reason` is `too-few-replicates`.
 * @throws {RangeError} on ragged runs and values that are not finite.
 *
 * @example Where all replicates agree there is nothing to be uncertain about
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const { mean, low, high } = divergenceBand([[[1], [0]], [[1], [3]], [[1], [6]]], { rng: createRng(1) });
 * assert.deepEqual(mean, [0, 4]);
 * assert.ok(low![0] === 0 && high![0] === 0 && low![1]! < 4 && high![1]! > 4);
 * ```
 */
export function divergenceBand(runs: readonly Trajectory[], options: DivergenceBandOptions): DivergenceBand {
  const { rng, resamples = 500, level = 0.95 } = checkOptions("divergenceBand", options, "rng! resamples level");
  checkCount("resamples", resamples);
  checkLevel(level);
  const { replicates: R, rounds } = checkRuns(runs);
  if (R < 2) return { reason: "too-few-replicates" };
  const mean = divergence(runs);
  if (R < 3) return { mean, reason: "too-few-replicates" };
  if (resamples < fewestDraws(level)) return { mean, reason: "too-few-resamples" };

  const counts = resampleCounts(rng.fork("band"), R, resamples);
  const { sums } = weightedForms(runs, counts, { from: 1, to: rounds }, "none");
  const ends = Array.from({ length: rounds }, (_, t) => {
    // The form is R(R−1) times the resample's D; dividing by 1 − 1/R as well leaves (R−1)².
    const draws = Float64Array.from({ length: resamples }, (_, s) => sums[s * rounds + t]! / (R - 1) ** 2);
    return percentileInterval(draws, level);
  });
  return { mean, low: ends.map(({ low }) => low!), high: ends.map(({ high }) => high!) };
}
