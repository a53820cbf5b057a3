import type { Rng } from "../core/rng.ts";
import { distanceMatrix } from "./distance.ts";
import { slopeWeights } from "./least_squares.ts";
import { quadraticForm, quadraticProducts, resampleCounts, type SparseSamples, sparseSamples } from "./resampling.ts";
import { type RoundWindow, windowRounds } from "./round_window.ts";
import type { Trajectory } from "./trajectory.ts";

/** Slopes of ln D for several weightings of the same runs, in the order of the weightings. */
interface WeightedSlopes {
  /** Nats per round; NaN where D is zero in some round of the window. */
  readonly slopes: Float64Array;
  /** Standard error of each over replicates; NaN where there is none, zero where none was asked for. */
  readonly errors: Float64Array;
}

/** How the error of a weighted slope is taken: see `weightedSlopes`. */
export type ErrorKind = "delete-one" | "influence" | "none";

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
  const R = runs.length, count = counts.length / R;
  const samples = sparseSamples(counts, R);
  const slopes = new Float64Array(count), start = new Float64Array(count);
  const changes = new Float64Array(samples.members.length);
  const d = new Float64Array(R * R), products = new Float64Array(R + 3);
  slopeWeights(windowRounds(window)).forEach((c, i) => {
    distanceMatrix(runs, window.from + i, d);
    for (let s = 0; s < count; s++) {
      const form = kind === "none" ? quadraticForm(d, samples, s) : quadraticProducts(d, samples, s, products);
      const log = form > 0 ? Math.log(form) : NaN;
      // Measured from the first round, so that a D that never moves has a slope of exactly zero.
      if (i === 0) start[s] = log;
      slopes[s]! += c * (log - start[s]!);
      if (kind !== "none") addChanges(changes, { samples, s, c, form, products, kind });
    }
  });
  const errorOf = kind === "delete-one" ? deleteOneError : influenceError;
  return { slopes, errors: slopes.map((_, s) => errorOf(samples, changes, s)) };
}

/** Adds what a round contributes to the change of the slope with each member of a sample. */
function addChanges(
  changes: Float64Array,
  { samples: { offsets }, s, c, form, products, kind }: {
    samples: SparseSamples;
    s: number;
    c: number;
    form: number;
    products: Float64Array;
    kind: ErrorKind;
  },
): void {
  const first = offsets[s]!, end = offsets[s + 1]!;
  if (kind === "influence") {
    const scale = c / form;
    for (let a = first; a < end; a++) changes[a]! += scale * products[a - first]!;
  } else {
    const scale = 2 / form;
    for (let a = first; a < end; a++) changes[a]! += c * Math.log(1 - scale * products[a - first]!);
  }
}

function influenceError({ offsets, weights }: SparseSamples, changes: Float64Array, s: number): number {
  let sum = 0;
  for (let a = offsets[s]!; a < offsets[s + 1]!; a++) sum += weights[a]! * changes[a]! ** 2;
  return 2 * Math.sqrt(sum);
}

/** NaN where a replicate cannot be left out, because the others all agree in some round. */
function deleteOneError({ offsets, weights }: SparseSamples, changes: Float64Array, s: number): number {
  let m = 0, sum = 0, squares = 0;
  // Lists are filled up with weight 0, whose changes are those of some replicate and must not count.
  for (let a = offsets[s]!; a < offsets[s + 1]!; a++) {
    if (weights[a] === 0) continue;
    m += weights[a]!;
    sum += weights[a]! * changes[a]!;
  }
  for (let a = offsets[s]!; a < offsets[s + 1]!; a++) {
    if (weights[a]! > 0) squares += weights[a]! * (changes[a]! - sum / m) ** 2;
  }
  return Number.isFinite(sum) ? Math.sqrt(squares * (m - 1) / m) : NaN;
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
