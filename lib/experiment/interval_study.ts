// @ts-types="@types/d3-array"
import { mean, quantile } from "d3-array";
import type { Rng } from "../core/rng.ts";
import { bootstrapSlope } from "../stats/bootstrap_slope.ts";
import type { WindowOptions } from "../stats/round_window.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import { drawEnsemble } from "./draw_ensemble.ts";
import { trueSlope } from "./power_study.ts";

export interface IntervalStudyOptions extends WindowOptions {
  /** Where chance comes from. It is forked, not advanced. */
  readonly rng: Rng;
  /** Ensemble sizes, one row of results for each. */
  readonly replicates: readonly number[];
  /** Ensembles drawn for each size; by default 200, which knows a coverage of 0.95 to ±0.03. */
  readonly ensembles?: number | undefined;
  /** Resamples of each ensemble; by default 200. */
  readonly resamples?: number | undefined;
  /** Nominal coverage; by default 0.95. */
  readonly level?: number | undefined;
}

/** What the intervals of one kind were like over the ensembles; widths in nats per round. */
export interface IntervalLook {
  /** Mean width. Absent, as the rest, where most ensembles have no such interval: the others would be a selection. */
  readonly width?: number;
  /** Widths of the middle 80 % of ensembles. */
  readonly low?: number;
  readonly high?: number;
  /** Share of the intervals that hold the slope of the whole pool. */
  readonly coverage?: number;
  /** Ensembles without such an interval. */
  readonly missing: number;
}

/** Both intervals of λ̂ at one number of replicates. */
export interface IntervalRow {
  readonly replicates: number;
  readonly percentile: IntervalLook;
  readonly studentised: IntervalLook;
}

/**
 * How wide the intervals of λ̂ are at several numbers of replicates, and how often they hold the true slope.
 *
 * Ensembles are drawn with replacement from a pool of runs, whose own slope is the truth they are to hold.
 *
 * @param pool runs of one condition, each [T][K]; the more, the nearer to fresh runs: some hundreds from
 * `simulateCondition`, or a ledger's.
 * @throws {RangeError} on malformed runs, or a pool without a slope.
 */
export function intervalStudy(
  pool: readonly Trajectory[],
  { rng, replicates, ensembles = 200, resamples = 200, level = 0.95, from = 3, to = 20 }: IntervalStudyOptions,
): IntervalRow[] {
  const truth = trueSlope(pool, { from, to }, "pool");
  return replicates.map((size) => {
    const intervals = Array.from({ length: ensembles }, (_, i) => {
      const stream = rng.fork("intervals").fork(size).fork(i);
      const runs = drawEnsemble(pool, size, stream.fork("runs"));
      return bootstrapSlope(runs, { rng: stream, resamples, level, from, to });
    });
    return {
      replicates: size,
      percentile: lookOf(intervals, truth),
      studentised: lookOf(intervals.map(({ studentised }) => studentised), truth),
    };
  });
}

function lookOf(
  intervals: readonly { readonly low?: number; readonly high?: number }[],
  truth: number,
): IntervalLook {
  const known = intervals.flatMap(({ low, high }) => (low === undefined || high === undefined ? [] : [{ low, high }]));
  const missing = intervals.length - known.length;
  if (missing > known.length || known.length === 0) return { missing };
  const widths = known.map(({ low, high }) => high - low);
  const held = known.filter(({ low, high }) => low <= truth && truth <= high).length;
  return {
    width: mean(widths)!,
    low: quantile(widths, 0.1)!,
    high: quantile(widths, 0.9)!,
    coverage: held / known.length,
    missing,
  };
}
