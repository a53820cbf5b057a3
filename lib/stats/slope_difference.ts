import type { BootstrapSlopeOptions } from "./bootstrap_slope.ts";
import { checkCount, checkLevel } from "./check_option.ts";
import { observedSlope, threeDiffer } from "./observed_slope.ts";
import { percentileInterval } from "./percentile_interval.ts";
import { resampledSlopes } from "./resampled_slopes.ts";
import type { Trajectory } from "./trajectory.ts";
import type { UndefinedReason } from "./undefined_reason.ts";

export interface SlopeDifference {
  /** λ̂ full − λ̂ ablated, nats per round: positive when the ablated part amplified divergence. */
  readonly delta?: number;
  readonly low?: number;
  readonly high?: number;
  readonly reason?: UndefinedReason;
}

/**
 * Effect of an ablation on the slope of ln D, with a percentile interval from resampling the replicates of both groups
 * independently.
 *
 * A pair of resamples counts when both have a slope. With fewer than three differing replicates in either group, or
 * replicates that all agree in some round of the window, there is a `delta` but no interval, and a `reason`.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", "Mechanism" and Figure 2.
 *
 * @param full replicates with every role, each [T][K].
 * @param ablated replicates without the one; their number may differ.
 * @param options as for `bootstrapSlope`.
 * @throws {RangeError} on ragged runs, values that are not finite and a window outside the data.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const growing = (rate: number) => [0, 1, 2].map((x) => Array.from({ length: 20 }, (_, t) => [x * rate ** t]));
 * const { delta } = slopeDifference(growing(2), growing(1), { rng: createRng(1) });
 * assert.ok(Math.abs(delta! - Math.LN2) < 1e-12);
 * ```
 */
export function slopeDifference(
  full: readonly Trajectory[],
  ablated: readonly Trajectory[],
  { rng, resamples = 500, level = 0.95, from = 3, to = 20 }: BootstrapSlopeOptions,
): SlopeDifference {
  checkCount("resamples", resamples);
  checkLevel(level);
  const window = { from, to };
  const a = observedSlope(full, window, "full"), b = observedSlope(ablated, window, "ablated");
  if (a.lambda === undefined) return { reason: a.reason };
  if (b.lambda === undefined) return { reason: b.reason };
  const delta = a.lambda - b.lambda;
  if (a.reason || b.reason) return { delta, reason: "missing-rounds" };
  if (!threeDiffer(full, window) || !threeDiffer(ablated, window)) return { delta, reason: "too-few-replicates" };

  const draw = (runs: readonly Trajectory[], label: string) =>
    resampledSlopes(runs, { rng: rng.fork(label), resamples, window }).resampled;
  const others = draw(ablated, "ablated");
  const differences = draw(full, "full").map(({ slope }, i) => slope - others[i]!.slope);
  const defined = differences.filter((difference) => !Number.isNaN(difference));
  return defined.length > 0 ? { delta, ...percentileInterval(defined, level) } : { delta, reason: "no-divergence" };
}
