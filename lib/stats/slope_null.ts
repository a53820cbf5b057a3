import type { Rng } from "../core/rng.ts";
import { checkCount, type UndefinedReason } from "./input_checks.ts";
import { slopeWeights, tieTolerance } from "./least_squares.ts";
import { observedSlope, threeDiffer } from "./observed_slope.ts";
import { type RoundWindow, type WindowOptions, windowRounds } from "./round_window.ts";
import type { Trajectory } from "./trajectory.ts";

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

/** What an ensemble under the null is drawn for. */
export interface SlopeDraws {
  readonly permutations: number;
  readonly window: RoundWindow;
  /** Of the least-squares slope over the window. */
  readonly weights: readonly number[];
}

/**
 * One-sided p of the runs' slope: (1 + #{draw ≥ observed}) / (permutations + 1). Slopes within the tie tolerance are equal,
 * and a draw without a slope (NaN) counts as large.
 *
 * @param options `least`: how many replicates that differ p needs, 2 or 3.
 * @param draw the slopes of as many ensembles under the null.
 * @throws {RangeError} on ragged runs, values that are not finite and a window outside the data.
 */
export function slopeNull(
  runs: readonly Trajectory[],
  { permutations = 2000, from = 3, to = 20, least }: Omit<SlopeNullOptions, "rng"> & { least: 2 | 3 },
  draw: (wanted: SlopeDraws) => ArrayLike<number>,
): SlopeNull {
  checkCount("permutations", permutations);
  const window = { from, to };
  const observed = observedSlope(runs, window);
  if (observed.lambda === undefined || observed.reason) return { ...observed, draws: [] };
  const { lambda } = observed;
  if (least === 3 && !threeDiffer(runs, window)) return { lambda, draws: [], reason: "too-few-replicates" };

  const weights = slopeWeights(windowRounds(window));
  const draws = Array.from(draw({ permutations, window, weights })).filter((slope) => !Number.isNaN(slope));
  const reached = lambda - tieTolerance(weights);
  const below = draws.filter((slope) => slope < reached).length;
  return { lambda, p: (1 + permutations - below) / (permutations + 1), draws };
}
