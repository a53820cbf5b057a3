// @ts-types="@types/d3-array"
import { quantile } from "d3-array";
import type { Rng } from "../core/rng.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import { drawEnsemble } from "./draw_ensemble.ts";
import { planReplicates, type PlanReplicatesOptions } from "./plan_replicates.ts";

export interface PilotStudyOptions extends PlanReplicatesOptions {
  /** Where chance comes from. It is forked, not advanced. */
  readonly rng: Rng;
  /** Runs of each condition in a pilot, one row of results for each. */
  readonly sizes: readonly number[];
  /** Pilots drawn for each size; by default 200. */
  readonly pilots?: number | undefined;
}

/** What pilots of one size would have planned. */
export interface PilotRow {
  readonly size: number;
  /** Runs of each condition that the middle pilot asks for. Absent where no pilot tells. */
  readonly median?: number;
  /** What the middle 80 % of pilots ask for. */
  readonly low?: number;
  readonly high?: number;
  /** Pilots that plan nothing: too few of their runs differ. */
  readonly withoutPlan: number;
}

/**
 * How far a plan from a pilot can be trusted: what `planReplicates` says after one pilot and after another.
 *
 * @param pools runs of each condition that pilots are drawn from, with replacement.
 * @throws {RangeError} as `planReplicates` and `drawEnsemble` do.
 */
export function pilotStudy(
  pools: readonly (readonly Trajectory[])[],
  { rng, sizes, pilots = 200, ...options }: PilotStudyOptions,
): PilotRow[] {
  return sizes.map((size) => {
    const stream = rng.fork("pilots").fork(size);
    const plans = Array.from({ length: pilots }, (_, i) => {
      const drawn = pools.map((pool, group) => drawEnsemble(pool, size, stream.fork(i).fork(group)));
      return planReplicates(drawn, options).replicates;
    });
    const known = plans.filter((plan) => plan !== undefined);
    const withoutPlan = pilots - known.length;
    if (known.length === 0) return { size, withoutPlan };
    const [low, median, high] = [0.1, 0.5, 0.9].map((share) => Math.round(quantile(known, share)!));
    return { size, median: median!, low: low!, high: high!, withoutPlan };
  });
}
