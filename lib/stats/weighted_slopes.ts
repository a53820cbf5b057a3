import type { Rng } from "../core/rng.ts";
import { distanceMatrix } from "./distance.ts";
import { slopeWeights } from "./least_squares.ts";
import { quadraticForm, quadraticProducts, resampleCounts, sparseSamples } from "./resampling.ts";
import { type RoundWindow, windowRounds } from "./round_window.ts";
import type { Trajectory } from "./trajectory.ts";

/** Slopes of ln D for several weightings of the same runs, in the order of the weightings. */
interface WeightedSlopes {
  /** Nats per round; NaN where D is zero in some round of the window. */
  readonly slopes: Float64Array;
  /** Standard error of each over replicates; where they are not asked for, zeros. */
  readonly errors: Float64Array;
}

/**
 * Slope of ln D and its standard error, for every row of counts.
 *
 * With replicate i counted n_i times and c_t the slope weights, θ = Σ_t c_t ln q_t where q_t = nᵀ d_t n is
 * proportional to D(t); the factor does not depend on t and drops out, because Σ c_t = 0.
 *
 * The standard error is the infinitesimal jackknife's. Let p = n/R be the weights as a distribution and move it a
 * little towards replicate i, p → (1−ε)p + ε·e_i. Then
 *
 *     d/dε (pᵀ d_t p) = 2 (d_t p)_i − 2 pᵀ d_t p   at ε = 0,
 *     U_i = dθ/dε = 2 Σ_t c_t (d_t p)_i / (pᵀ d_t p) − 2 Σ_t c_t = 2R Σ_t c_t (d_t n)_i / q_t,
 *
 * again because Σ c_t = 0. The U_i are the replicates' influence values; they average to zero over the sample, and
 *
 *     se² = (1/R²) Σ_i n_i U_i² = 4 Σ_i n_i (Σ_t c_t (d_t n)_i / q_t)².
 *
 * d_t n is computed for q_t anyway, so the error costs next to nothing. (Efron, "The Jackknife, the Bootstrap and
 * Other Resampling Plans", 1982, chapter 6.)
 *
 * @param counts shape [samples][R], row by row.
 * @param options `errors`: without them slopes take half the time.
 */
export function weightedSlopes(
  runs: readonly Trajectory[],
  counts: Int32Array,
  window: RoundWindow,
  { errors: wanted = true }: { errors?: boolean } = {},
): WeightedSlopes {
  const R = runs.length, count = counts.length / R;
  const samples = sparseSamples(counts, R);
  const slopes = new Float64Array(count), start = new Float64Array(count);
  const influence = new Float64Array(samples.members.length);
  const d = new Float64Array(R * R), products = new Float64Array(R + 3);
  slopeWeights(windowRounds(window)).forEach((c, i) => {
    distanceMatrix(runs, window.from + i, d);
    for (let s = 0; s < count; s++) {
      const form = wanted ? quadraticProducts(d, samples, s, products) : quadraticForm(d, samples, s);
      const log = form > 0 ? Math.log(form) : NaN;
      // Measured from the first round, so that a D that never moves has a slope of exactly zero.
      if (i === 0) start[s] = log;
      slopes[s]! += c * (log - start[s]!);
      if (!wanted) continue;
      const scale = c / form, first = samples.offsets[s]!, end = samples.offsets[s + 1]!;
      for (let a = first; a < end; a++) influence[a]! += scale * products[a - first]!;
    }
  });
  const errors = slopes.map((_, s) => {
    let sum = 0;
    for (let a = samples.offsets[s]!; a < samples.offsets[s + 1]!; a++) sum += samples.weights[a]! * influence[a]! ** 2;
    return 2 * Math.sqrt(sum);
  });
  return { slopes, errors };
}

/** A slope of ln D with its standard error over replicates, both in nats per round. */
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
  { rng, resamples, window }: { rng: Rng; resamples: number; window: RoundWindow },
): { sample: SlopeWithError; resampled: SlopeWithError[] } {
  const R = runs.length;
  // The sample itself is the row in which every replicate counts once.
  const counts = new Int32Array((resamples + 1) * R).fill(1, 0, R);
  counts.set(resampleCounts(rng, R, resamples), R);
  const { slopes, errors } = weightedSlopes(runs, counts, window);
  const [sample, ...resampled] = Array.from(slopes, (slope, s) => ({ slope, error: errors[s]! }));
  return { sample: sample!, resampled };
}
