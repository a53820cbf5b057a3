import type { Rng } from "../core/rng.ts";
import type { UndefinedReason } from "./input_checks.ts";
import { tieTolerance } from "./least_squares.ts";
import type { WindowOptions } from "./round_window.ts";

export interface SlopeNullOptions extends WindowOptions {
  /** Where chance comes from. It is forked, not advanced: the same stream gives the same answer again. */
  rng: Rng;
  /** How many ensembles are drawn under the null; by default 2,000, as in the paper. */
  permutations?: number | undefined;
}

/** A slope of ln D against those of ensembles drawn under a null. */
export interface SlopeNull {
  /** Slope of the runs as they are, nats per round. */
  readonly lambda?: number;
  /** One-sided: the share of draws with a slope at least as large. */
  readonly p?: number;
  /** The slopes of the draws that have one. */
  readonly draws: number[];
  readonly reason?: UndefinedReason;
}

/**
 * p = (1 + #{draw ≥ observed}) / (draws + 1), where slopes within the tie tolerance are equal and a draw without a slope
 * (NaN) counts as large.
 *
 * @param weights of the least-squares slope over the window.
 */
export function againstNull(lambda: number, slopes: ArrayLike<number>, weights: readonly number[]): SlopeNull {
  const draws = Array.from(slopes).filter((slope) => !Number.isNaN(slope));
  const reached = lambda - tieTolerance(weights);
  const below = draws.filter((slope) => slope < reached).length;
  return { lambda, p: (1 + slopes.length - below) / (slopes.length + 1), draws };
}
