import { checkOptions, type UndefinedReason } from "./input_checks.ts";
import { observedSlope, threeDiffer } from "./observed_slope.ts";
import type { WindowOptions } from "./round_window.ts";
import type { Trajectory } from "./trajectory.ts";

/** A slope of ln D with its standard error over replicates, nats per round. */
interface SlopeError {
  readonly lambda?: number;
  readonly error?: number;
  readonly reason?: UndefinedReason;
}

/**
 * The slope of ln D and its standard error over replicates, without resampling: the infinitesimal jackknife's
 * influence-function error (see `weightedSlopes`), times R/(R − 1).
 *
 * The factor was found in simulations of random walks, autoregressive ensembles and surrogate committees: the slopes
 * of 1,000 ensembles of R runs scattered 1.29 to 1.44 times as widely as the bare error says at R = 5, 1.10 to 1.13 times
 * at R = 10 and 1.06 to 1.07 times at R = 20, where it is 1.25, 1.11 and 1.05. The error of R' runs of the same kind is
 * then about error · √(R/R'), which is what planning rests on; for an interval use `bootstrapSlope`.
 *
 * @param runs R replicates, each [T][K].
 * @param options `from`, `to`: rounds, 1-based and inclusive, by default 3 and 20.
 * @returns no `error` and a `reason` where `bootstrapSlope` gives no interval: fewer than three runs that differ
 * (`too-few-replicates`), or a round of the window in which all agree (`missing-rounds`).
 * @throws {RangeError} on ragged runs, values that are not finite and a window outside the data.
 *
 * @example Runs whose distances all grow alike leave no doubt about the slope
 * ```ts
 * import assert from "node:assert/strict";
 * const runs = [0, 1, 2, 4].map((x) => Array.from({ length: 20 }, (_, t) => [x * 1.1 ** t]));
 * const { lambda, error } = slopeError(runs);
 * assert.ok(Math.abs(lambda! - Math.log(1.1)) < 1e-12 && error! < 1e-12);
 * ```
 */
export function slopeError(runs: readonly Trajectory[], options: WindowOptions = {}): SlopeError {
  const { from = 3, to = 20 } = checkOptions("slopeError", options, "from to");
  const R = runs.length, window = { from, to };
  const observed = observedSlope(runs, window, { kind: "influence" });
  if (observed.error === undefined) return observed;
  const { lambda, error } = observed;
  if (!threeDiffer(runs, window)) return { lambda, reason: "too-few-replicates" };
  return { lambda, error: (error * R) / (R - 1) };
}
