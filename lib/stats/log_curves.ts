import { distanceMatrix } from "./distance.ts";
import { type RoundWindow, windowRounds } from "./round_window.ts";
import { quadraticForm, sparseSamples } from "./sparse_samples.ts";
import type { Trajectory } from "./trajectory.ts";

/**
 * ln D over a window for several weightings of the same runs, each curve less its mean, so without its level.
 *
 * @param counts shape [samples][R], row by row: how often each replicate counts.
 * @returns [samples][rounds of the window]; undefined for a weighting whose D is zero in some round.
 */
export function logCurves(
  runs: readonly Trajectory[],
  counts: Int32Array,
  window: RoundWindow,
): (number[] | undefined)[] {
  const R = runs.length, samples = sparseSamples(counts, R);
  const d = new Float64Array(R * R), products = new Float64Array(R + 3);
  const curves = Array.from({ length: counts.length / R }, (): number[] => []);
  for (const round of windowRounds(window)) {
    distanceMatrix(runs, round, d);
    curves.forEach((curve, s) => curve.push(Math.log(quadraticForm(d, samples, s, products))));
  }
  return curves.map((curve) => (curve.every(Number.isFinite) ? centred(curve) : undefined));
}

/** Values less their mean. */
export function centred(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}
