import type { BootstrapSlopeOptions } from "./bootstrap_slope.ts";
import { checkCount, checkLevel } from "./check_option.ts";
import { observedSlope, threeDiffer } from "./observed_slope.ts";
import { percentileInterval } from "./percentile_interval.ts";
import { resampledSlopes } from "./resampled_slopes.ts";
import type { Trajectory } from "./trajectory.ts";
import type { UndefinedReason } from "./undefined_reason.ts";

/** A difference between slopes of ln D, or a sum of such, nats per round. */
export interface SlopeDifference {
  /** The weighted sum of the groups' λ̂; of a difference λ̂ full − λ̂ ablated, positive when the ablated part amplified. */
  readonly delta?: number;
  readonly low?: number;
  readonly high?: number;
  readonly reason?: UndefinedReason;
}

/** Replicates that share a slope, and how it counts. */
export interface ContrastGroup {
  readonly runs: readonly Trajectory[];
  readonly weight: number;
}

/**
 * A weighted sum of the slopes of several groups, with a percentile interval from resampling the replicates of each
 * group by itself; what `slopeDifference` and `slopeInteraction` stand on, and where their degenerate cases are decided.
 *
 * @param groups by name; the name labels errors and the group's stream of chance.
 */
export function slopeContrast(
  groups: Readonly<Record<string, ContrastGroup>>,
  { rng, resamples = 500, level = 0.95, from = 3, to = 20 }: BootstrapSlopeOptions,
): SlopeDifference {
  checkCount("resamples", resamples);
  checkLevel(level);
  const window = { from, to };
  const observed = Object.entries(groups).map(([name, { runs, weight }]) => ({
    name,
    runs,
    weight,
    ...observedSlope(runs, window, name),
  }));
  let delta = 0;
  for (const { weight, lambda, reason } of observed) {
    if (lambda === undefined) return { reason };
    delta += weight * lambda;
  }
  if (observed.some(({ reason }) => reason)) return { delta, reason: "missing-rounds" };
  if (!observed.every(({ runs }) => threeDiffer(runs, window))) return { delta, reason: "too-few-replicates" };

  const sums = new Float64Array(resamples);
  for (const { name, runs, weight } of observed) {
    const { resampled } = resampledSlopes(runs, { rng: rng.fork(name), resamples, window });
    resampled.forEach(({ slope }, i) => sums[i]! += weight * slope);
  }
  const defined = Array.from(sums).filter((sum) => !Number.isNaN(sum));
  return defined.length > 0 ? { delta, ...percentileInterval(defined, level) } : { delta, reason: "no-divergence" };
}
