import type { Rng } from "../core/rng.ts";
import { resampleCounts } from "./random_choices.ts";
import type { RoundWindow } from "./round_window.ts";
import type { Trajectory } from "./trajectory.ts";
import { weightedSlopes } from "./weighted_slopes.ts";

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
