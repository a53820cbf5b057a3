import type { Rng } from "../core/rng.ts";
import { checkCount } from "./check_option.ts";
import { slopeWeights, tieTolerance } from "./least_squares.ts";
import { observedSlope } from "./observed_slope.ts";
import { type WindowOptions, windowRounds } from "./round_window.ts";
import { shuffledSlopes } from "./shuffled_slopes.ts";
import type { Trajectory } from "./trajectory.ts";
import type { UndefinedReason } from "./undefined_reason.ts";

export interface PermutationNullOptions extends WindowOptions {
  /** Where chance comes from. It is forked, not advanced: the same stream gives the same answer again. */
  rng: Rng;
  /** How many shuffles; by default the paper's 2,000. */
  permutations?: number | undefined;
}

export interface PermutationNull {
  /** Slope of the runs as they are, nats per round. */
  readonly lambda?: number;
  /** One-sided: the share of shuffles with a slope at least as large. */
  readonly p?: number;
  /** The slopes of the shuffles that have one. */
  readonly draws: number[];
  readonly reason?: UndefinedReason;
}

/**
 * The paper's permutation test: all rounds 1…T are shuffled independently within each replicate, then the window is
 * fitted; p = (1 + #{null ≥ observed}) / (permutations + 1), where slopes within 1e-12·Σ|c_t| are ties.
 *
 * It tests whether rounds are exchangeable, not whether trajectories diverge: replicates that only remember where they
 * were, as stationary AR(1) ones do, are rejected far more often than the nominal level. It is kept for fidelity;
 * read the studentised p of `bootstrapSlope` beside it, which stays near its level, and `diffusiveNull`, which asks
 * whether runs part faster than by diffusing. All are measured in `notebooks/deliberation/10_estimators.ipynb`.
 *
 * A shuffle that leaves all replicates equal in some round of the window has no slope. It is absent from `draws` and
 * counted as if its slope were larger than the observed, so p errs towards no growth.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", Figure S5.
 *
 * @param runs R replicates, each [T][K].
 * @returns `lambda` and `p`; where the replicates all agree in some round of the window, `lambda` over the other
 * rounds and no p (`missing-rounds`).
 * @throws {RangeError} on ragged runs, values that are not finite and a window outside the data.
 *
 * @example Replicates that differ but never move do not diverge
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const frozen = [0.1, 0.3, 0.8].map((x) => Array.from({ length: 20 }, () => [x, 1 - x]));
 * const { lambda, p } = permutationNull(frozen, { rng: createRng(1) });
 * assert.deepEqual([lambda, p], [0, 1]);
 * ```
 */
export function permutationNull(
  runs: readonly Trajectory[],
  { rng, permutations = 2000, from = 3, to = 20 }: PermutationNullOptions,
): PermutationNull {
  checkCount("permutations", permutations);
  const window = { from, to };
  const observed = observedSlope(runs, window);
  if (observed.lambda === undefined || observed.reason) return { ...observed, draws: [] };
  const { lambda } = observed;

  const slopes = shuffledSlopes(runs, { rng: rng.fork("permutation"), permutations, window });
  const draws = Array.from(slopes).filter((slope) => !Number.isNaN(slope));
  const reached = lambda - tieTolerance(slopeWeights(windowRounds(window)));
  const below = draws.filter((slope) => slope < reached).length;
  return { lambda, p: (1 + permutations - below) / (permutations + 1), draws };
}
