import { checkDivergence, checkOptions, type UndefinedReason } from "./input_checks.ts";
import { fitLine } from "./least_squares.ts";
import { checkWindow, type WindowOptions, windowRounds } from "./round_window.ts";

interface HingeFit {
  /** Slope of ln D before the plateau, nats per round. */
  readonly lambda?: number;
  /** Round at which the plateau begins, 1-based; absent when a straight line over the whole window fits as well. */
  readonly plateauFrom?: number;
  /** Share of the variance of ln D that the fit explains; absent when ln D does not vary. */
  readonly r2?: number;
  readonly reason?: UndefinedReason;
}

/**
 * Growth, then a plateau: ln D(t) = a + λ·min(t, b), by least squares over λ, a and the break round b.
 *
 * Where D saturates inside the window, a straight line mixes growth and plateau and gives too small a slope; this one
 * stops growing at b. Breaks leave at least three rounds up to and including b. The last round of the window as break
 * means no plateau, and is kept unless another break fits better, so that `lambda` is then that of `lyapunovSlope`.
 *
 * The break is one more thing fitted to the same curve: report it beside the fixed-window slope, not in its place.
 *
 * @param D mean pairwise distance, shape [T], D[0] is round 1.
 * @param options `from`, `to`: rounds, 1-based and inclusive, by default 3 and 20.
 * @returns `lambda`; absent with `too-few-rounds` in a window of less than three rounds, `no-divergence` where D is
 * zero throughout it and `missing-rounds` where D is zero in part of it.
 * @throws {RangeError} on NaN, a negative distance, or a window outside the data.
 *
 * @example Doubling until round 4, then still
 * ```ts
 * import assert from "node:assert/strict";
 * const { lambda, plateauFrom } = hingeFit([1, 2, 4, 8, 8, 8], { from: 1, to: 6 });
 * assert.ok(Math.abs(lambda! - Math.LN2) < 1e-12);
 * assert.equal(plateauFrom, 4);
 * ```
 */
export function hingeFit(D: readonly number[], options: WindowOptions = {}): HingeFit {
  const { from = 3, to = 20 } = checkOptions("hingeFit", options, "from to");
  checkDivergence(D);
  checkWindow({ from, to }, D.length);
  const rounds = windowRounds({ from, to });
  const missing = rounds.filter((round) => D[round - 1] === 0).length;
  if (missing === rounds.length) return { reason: "no-divergence" };
  if (missing > 0) return { reason: "missing-rounds" };
  if (rounds.length < 3) return { reason: "too-few-rounds" };

  const logs = rounds.map((round) => Math.log(D[round - 1]!));
  const fitUpTo = (last: number) => fitLine(rounds.map((round) => Math.min(round, last)), logs);
  let best = fitUpTo(to), plateauFrom = to;
  // Residuals that differ by rounding alone are equal: a perfect line must not be bent.
  const rounding = 1e-24 * logs.length;
  for (let last = to - 1; last >= from + 2; last--) {
    const fit = fitUpTo(last);
    if (fit.residual < best.residual - rounding) [best, plateauFrom] = [fit, last];
  }
  const { slope: lambda, r2 } = best;
  return { lambda, ...(plateauFrom < to ? { plateauFrom } : {}), ...(r2 === undefined ? {} : { r2 }) };
}
