import type { BootstrapSlopeOptions } from "./bootstrap_slope.ts";
import { slopeContrast, type SlopeDifference } from "./slope_contrast.ts";
import type { Trajectory } from "./trajectory.ts";

export type { SlopeDifference };

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
  options: BootstrapSlopeOptions,
): SlopeDifference {
  return slopeContrast({ full: { runs: full, weight: 1 }, ablated: { runs: ablated, weight: -1 } }, options);
}
