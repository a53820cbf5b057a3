import { distance } from "./distance.ts";
import { type DistanceSums, type ErrorKind, kernelFor } from "./kernel/kernel.ts";
import { slopeWeights } from "./least_squares.ts";
import { type RoundWindow, windowRounds } from "./round_window.ts";
import type { Trajectory } from "./trajectory.ts";

/**
 * The quadratic form q_t = nᵀ d_t n for every row of counts, which is R(R − 1) times the D(t) of the runs so often counted,
 * and the errors that `weightedSlopes` describes.
 *
 * @param counts shape [samples][R], row by row.
 */
export function weightedForms(
  runs: readonly Trajectory[],
  counts: Int32Array,
  window: RoundWindow,
  kind: ErrorKind,
): DistanceSums {
  return (kernelFor(runs)?.forms ?? plainForms)(runs, counts, window, kind);
}

/** As `weightedForms`, without the kernel: what that is checked against, and what stands in for it. */
export function plainForms(
  runs: readonly Trajectory[],
  counts: Int32Array,
  window: RoundWindow,
  kind: ErrorKind,
): DistanceSums {
  const R = runs.length, samples = counts.length / R, weights = slopeWeights(windowRounds(window));
  const sums = new Float64Array(samples * weights.length), changes = new Float64Array(counts.length);
  const d = new Float64Array(R * R), products = new Float64Array(R);
  weights.forEach((c, w) => {
    fillDistances(d, runs.map((run) => run[window.from + w - 1]!));
    for (let s = 0; s < samples; s++) {
      const n = counts.subarray(s * R, s * R + R), form = fillProducts(products, d, n);
      sums[s * weights.length + w] = form;
      for (let i = 0; i < R; i++) {
        if (n[i] === 0) continue;
        const share = products[i]! / form;
        changes[s * R + i]! += c * (kind === "influence" ? share : Math.log(shareLeft(1 - 2 * share)));
      }
    }
  });
  const errorOf = kind === "delete-one" ? deleteOneError : influenceError;
  const errors = Float64Array.from({ length: samples }, (_, s) => {
    const [from, to] = [s * R, (s + 1) * R];
    return kind === "none" ? 0 : errorOf(counts.subarray(from, to), changes.subarray(from, to));
  });
  return { sums, errors };
}

function fillDistances(d: Float64Array, states: readonly (readonly number[])[]): void {
  const R = states.length;
  for (let i = 0; i < R; i++) {
    for (let j = 0; j < i; j++) d[i * R + j] = d[j * R + i] = distance(states[i]!, states[j]!);
  }
}

/** The products d·n, at the places of the runs that count, and the form nᵀ d n. */
function fillProducts(products: Float64Array, d: Float64Array, n: Int32Array): number {
  const R = n.length;
  let form = 0;
  for (let i = 0; i < R; i++) {
    if (n[i] === 0) continue;
    let product = 0;
    for (let j = 0; j < R; j++) product += n[j]! * d[i * R + j]!;
    products[i] = product;
    form += n[i]! * product;
  }
  return form;
}

/** The share of D that is left without a run is exactly zero or well above 1e-12; between is rounding. */
export const shareLeft = (share: number): number => (share > 1e-12 ? share : 0);

function influenceError(n: Int32Array, changes: Float64Array): number {
  return 2 * Math.sqrt(n.reduce((sum, count, i) => sum + count * changes[i]! ** 2, 0));
}

/** NaN where a replicate cannot be left out, because the others all agree in some round. */
function deleteOneError(n: Int32Array, changes: Float64Array): number {
  const m = n.reduce((sum, count) => sum + count, 0);
  const mean = n.reduce((sum, count, i) => sum + count * changes[i]!, 0) / m;
  const squares = n.reduce((sum, count, i) => sum + count * (changes[i]! - mean) ** 2, 0);
  return Number.isFinite(mean) ? Math.sqrt(squares * (m - 1) / m) : NaN;
}
