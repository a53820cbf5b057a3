import { checkOptions } from "../core/options.ts";
import { fitLine } from "./least_squares.ts";
import { checkWindow, type WindowOptions, windowRounds } from "./round_window.ts";

interface ReferenceSlopesOptions extends WindowOptions {
  /** Rate θ of a mean-reverting walk, per round; left out, no slope is given for one. */
  reversion?: number | undefined;
}

/** What `lyapunovSlope` gives of distances that follow a law without sensitivity exactly, nats per round. */
export interface ReferenceSlopes {
  /** Replicates that differ and never move: D constant. */
  readonly steady: number;
  /** Independent random walks from one start: D ∝ √t. */
  readonly randomWalk: number;
  /** Each replicate in its own direction at its own constant speed: D ∝ t. */
  readonly ballistic: number;
  /** Walks pulled back at rate θ: D² ∝ 1 − e^(−2θt). Between the steady and the random walk's slope. */
  readonly meanReverting?: number;
}

/**
 * The slope of ln D that growth without any sensitivity to initial conditions has over a window of rounds.
 *
 * A λ̂ below one of these does not rule that law out; none of them is exponential. They depend on the window alone, not
 * on the size of D: over rounds 3-20 a random walk has 0.0509 and a straight drift twice that.
 *
 * @param options `from`, `to`: rounds, 1-based and inclusive, by default 3 and 20; `reversion`: θ > 0.
 * @throws {RangeError} on a window that is empty or has fewer than three rounds, or a θ that is not positive.
 *
 * @example Over three rounds by hand: of 1, 2, 3 the slope weights are −½, 0, ½
 * ```ts
 * import assert from "node:assert/strict";
 * const { randomWalk, ballistic } = referenceSlopes({ from: 1, to: 3 });
 * assert.ok(Math.abs(ballistic - Math.log(3) / 2) < 1e-12 && Math.abs(randomWalk - Math.log(3) / 4) < 1e-12);
 * ```
 */
export function referenceSlopes(options: ReferenceSlopesOptions = {}): ReferenceSlopes {
  const { from = 3, to = 20, reversion } = checkOptions("referenceSlopes", options, "reversion from to");
  checkWindow({ from, to }, to);
  const rounds = windowRounds({ from, to });
  if (rounds.length < 3) throw new RangeError(`rounds ${from} to ${to} are ${rounds.length}: a slope needs at least 3`);
  const slopeOf = (logD: (t: number) => number) => fitLine(rounds, rounds.map(logD)).slope;
  const pure = { steady: 0, randomWalk: slopeOf((t) => Math.log(t) / 2), ballistic: slopeOf(Math.log) };
  if (reversion === undefined) return pure;
  if (!(reversion > 0 && Number.isFinite(reversion))) {
    throw new RangeError(`reversion is ${reversion}: must be a positive rate per round`);
  }
  return { ...pure, meanReverting: slopeOf((t) => meanReverting(t, reversion)) };
}

/** ln D of a mean-reverting walk, up to its level: ½·ln(1 − e^(−2θt)), exact for small θ too. */
export function meanReverting(t: number, reversion: number): number {
  return Math.log(-Math.expm1(-2 * reversion * t)) / 2;
}
