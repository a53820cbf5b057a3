import { checkDivergence, checkOptions, type UndefinedReason } from "./input_checks.ts";
import { fitLine } from "./least_squares.ts";
import { checkWindow, type WindowOptions } from "./round_window.ts";

interface LyapunovSlopeOptions extends WindowOptions {
  /** Rounds with D ≤ floor are left out and listed; by default 0, so only rounds in which all replicates agree. */
  floor?: number | undefined;
}

export interface LyapunovSlope {
  /** Slope of ln D, nats per round. */
  readonly lambda?: number;
  /** ln D of the fitted line at round 0. */
  readonly intercept?: number;
  /** Share of the variance of ln D on the line; absent when ln D does not vary. */
  readonly r2?: number;
  /** Rounds fitted, 1-based. */
  readonly used: number[];
  /** Rounds of the window left out, 1-based. */
  readonly dropped: number[];
  readonly reason?: UndefinedReason;
}

/**
 * Empirical Lyapunov exponent: the least-squares slope of ln D(t) on t over rounds `from`…`to`.
 *
 * Positive means that replicates drift apart; it does not by itself mean that they do so exponentially. Over rounds
 * 3-20 a random walk (D ∝ √t) has slope 0.0509 and drift at constant speed (D ∝ t) 0.1018. Gives no standard error,
 * since residuals along one curve are correlated: use `bootstrapSlope`, which resamples whole replicates.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", Results, eq. (1) and below.
 *
 * @param D mean pairwise distance, shape [T], D[0] is round 1; dimensionless, each ≥ 0.
 * @param options `from`, `to`: rounds, 1-based and inclusive, by default 3 and 20; `floor`: rounds with D ≤ floor are
 * left out and listed.
 * @returns `lambda` in nats per round with the rounds `used` and `dropped`. Without a round above the floor the
 * `reason` is `no-divergence`, with one or two it is `too-few-rounds`, and the slope is undefined, not zero.
 * @throws {RangeError} on NaN, a negative distance, or a window outside the data.
 *
 * @example A distance that doubles every round grows by ln 2
 * ```ts
 * import assert from "node:assert/strict";
 * const { lambda } = lyapunovSlope([1, 2, 4, 8], { from: 1, to: 4 });
 * assert.ok(Math.abs(lambda! - Math.LN2) < 1e-12);
 * ```
 */
export function lyapunovSlope(D: readonly number[], options: LyapunovSlopeOptions = {}): LyapunovSlope {
  const { from = 3, to = 20, floor = 0 } = checkOptions("lyapunovSlope", options, "floor from to");
  checkDivergence(D);
  checkWindow({ from, to }, D.length);
  if (!(floor >= 0)) throw new RangeError(`floor is ${floor}: must be a distance, 0 or more`);
  const used: number[] = [], dropped: number[] = [];
  for (let round = from; round <= to; round++) (D[round - 1]! > floor ? used : dropped).push(round);
  if (used.length < 3) return { used, dropped, reason: used.length === 0 ? "no-divergence" : "too-few-rounds" };
  const { slope, intercept, r2 } = fitLine(used, used.map((round) => Math.log(D[round - 1]!)));
  return { lambda: slope, intercept, ...(r2 === undefined ? {} : { r2 }), used, dropped };
}
