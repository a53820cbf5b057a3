import type { BootstrapSlopeOptions } from "./bootstrap_slope.ts";
import { slopeContrast, type SlopeDifference } from "./slope_contrast.ts";
import type { Trajectory } from "./trajectory.ts";

/** The four cells of a 2 × 2, each with its replicates. */
export interface InteractionGroups {
  readonly both: readonly Trajectory[];
  readonly first: readonly Trajectory[];
  readonly second: readonly Trajectory[];
  readonly neither: readonly Trajectory[];
}

/**
 * Interaction of two factors on the slope of ln D: λ̂(both) − λ̂(first) − λ̂(second) + λ̂(neither), nats per round.
 *
 * Below zero the two together raise λ̂ by less than the sum of what each does alone (sub-additive); zero is additive.
 * The percentile interval resamples the replicates of each of the four cells by itself.
 *
 * @returns `delta`, `low`, `high`, or what is missing and its `reason`; see `slopeDifference`.
 * @throws {RangeError} on malformed runs, naming cell, run and round.
 *
 * @example Slopes 0.09, 0.06, 0.05 and 0.02: exactly additive
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const cell = (lambda: number) =>
 *   [0, 1, 3].map((scale) => Array.from({ length: 20 }, (_, t) => [scale * 0.01 * Math.exp(lambda * t)]));
 * const groups = { both: cell(0.09), first: cell(0.06), second: cell(0.05), neither: cell(0.02) };
 * const { delta } = slopeInteraction(groups, { rng: createRng(1) });
 * assert.ok(Math.abs(delta!) < 1e-12);
 * ```
 */
export function slopeInteraction(
  { both, first, second, neither }: InteractionGroups,
  options: BootstrapSlopeOptions,
): SlopeDifference {
  return slopeContrast({
    both: { runs: both, weight: 1 },
    first: { runs: first, weight: -1 },
    second: { runs: second, weight: -1 },
    neither: { runs: neither, weight: 1 },
  }, options);
}
