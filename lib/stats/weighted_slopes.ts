import type { Rng } from "../core/rng.ts";
import { logSlopes, slopeWeights } from "./least_squares.ts";
import { resampleCounts } from "./resampling.ts";
import { type RoundWindow, windowRounds } from "./round_window.ts";
import type { Trajectory } from "./trajectory.ts";
import type { ErrorKind } from "./kernel/kernel.ts";
import { weightedForms } from "./weighted_forms.ts";

/** Slopes of ln D for several weightings of the same runs, in the order of the weightings. */
interface WeightedSlopes {
  /** Nats per round; NaN where D is zero in some round of the window. */
  readonly slopes: Float64Array;
  /** Standard error of each over replicates; NaN where there is none, zero where none was asked for. */
  readonly errors: Float64Array;
}

/**
 * Slope of ln D and its standard error, for every row of counts.
 *
 * With replicate i counted n_i times and c_t the slope weights, θ = Σ_t c_t ln q_t where q_t = nᵀ d_t n is
 * proportional to D(t); the factor does not depend on t and drops out, because Σ c_t = 0. Both errors rest on d_t n, which
 * is computed for q_t anyway.
 *
 * `delete-one`, the jackknife's: without one copy of replicate i the form is q_t − 2 (d_t n)_i, so that
 *
 *     δ_i = θ₍₋ᵢ₎ − θ = Σ_t c_t ln(1 − 2 (d_t n)_i / q_t),   se² = (m−1)/m · Σ_i n_i (δ_i − δ̄)²,   m = Σ_i n_i.
 *
 * `influence`, the infinitesimal jackknife's: let p = n/R be the weights as a distribution and move it a little towards
 * replicate i, p → (1−ε)p + ε·e_i. Then U_i = dθ/dε = 2R Σ_t c_t (d_t n)_i / q_t at ε = 0, again because Σ c_t = 0, and
 * se² = (1/R²) Σ_i n_i U_i² = 4 Σ_i n_i (Σ_t c_t (d_t n)_i / q_t)². It needs no logarithm for each replicate, and is what
 * tests take that compare a slope with those of relabelled or shuffled runs.
 *
 * Source: Efron, "The Jackknife, the Bootstrap and Other Resampling Plans", 1982, chapters 3 and 6.
 *
 * @param counts shape [samples][R], row by row.
 */
export function weightedSlopes(
  runs: readonly Trajectory[],
  counts: Int32Array,
  window: RoundWindow,
  kind: ErrorKind = "influence",
): WeightedSlopes {
  const { sums, errors } = weightedForms(runs, counts, window, kind);
  return { slopes: logSlopes(sums, slopeWeights(windowRounds(window))), errors };
}

/** A slope of ln D with its standard error over replicates, both in nats per round; the error is NaN where there is none. */
export interface SlopeWithError {
  readonly slope: number;
  readonly error: number;
}

/**
 * The slope of the sample, and those of `resamples` resamples of whole replicates; a slope is NaN where the resample's
 * replicates all agree in some round of the window.
 */
export function resampledSlopes(
  runs: readonly Trajectory[],
  { rng, resamples, window, errors: kind }: {
    rng: Rng;
    resamples: number;
    window: RoundWindow;
    errors: ErrorKind;
  },
): { sample: SlopeWithError; resampled: SlopeWithError[] } {
  const R = runs.length;
  // The sample itself is the row in which every replicate counts once.
  const counts = new Int32Array((resamples + 1) * R).fill(1, 0, R);
  counts.set(resampleCounts(rng, R, resamples), R);
  const { slopes, errors } = weightedSlopes(runs, counts, window, kind);
  const [sample, ...resampled] = Array.from(slopes, (slope, s) => ({ slope, error: errors[s]! }));
  return { sample: sample!, resampled };
}
