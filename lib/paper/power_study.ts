// @ts-types="@types/d3-array"
import { deviation, mean, quantile } from "d3-array";
import type { Rng } from "../core/rng.ts";
import { planReplicates, type PlanReplicatesOptions } from "../runs/plan_replicates.ts";
import { bootstrapSlope } from "../stats/bootstrap_slope.ts";
import { normalQuantile } from "../stats/normal_quantile.ts";
import { observedSlope } from "../stats/observed_slope.ts";
import type { WindowOptions } from "../stats/round_window.ts";
import { slopeError } from "../stats/slope_error.ts";
import type { Trajectory } from "../stats/trajectory.ts";

/**
 * An ensemble of some size from a pool of runs, drawn with replacement: the pool stands for all runs there could be.
 *
 * A run drawn twice lowers D by the same factor in every round, on average, so that it does not move the slope.
 *
 * @throws {RangeError} when there is nothing to draw from, or the size is not a whole number of at least 2.
 */
export function drawEnsemble(pool: readonly Trajectory[], replicates: number, rng: Rng): Trajectory[] {
  if (pool.length === 0) throw new RangeError("there are no runs to draw from");
  if (!Number.isSafeInteger(replicates) || replicates < 2) {
    throw new RangeError(`replicates is ${replicates}: must be a whole number, 2 or more`);
  }
  return Array.from({ length: replicates }, () => pool[rng.int(pool.length)]!);
}

interface PowerStudyOptions extends WindowOptions {
  /** Where chance comes from. It is forked, not advanced. */
  readonly rng: Rng;
  /** Runs of each condition, one row of results for each. */
  readonly replicates: readonly number[];
  /** True differences of λ to be shown, nats per round. */
  readonly effects: readonly number[];
  /** Pairs of ensembles drawn for each number of replicates; by default 500, which knows a power of 0.8 to ±0.035. */
  readonly ensembles?: number | undefined;
  /** 1 − the chance of a false alarm; by default 0.95. */
  readonly level?: number | undefined;
}

/** What some number of replicates of two conditions can show. */
interface PowerRow {
  readonly replicates: number;
  /** How far the estimated difference scatters: its standard deviation over ensembles, nats per round. */
  readonly error?: number;
  /** What the difference in its own standard errors must exceed, so that a false alarm has the chance asked for. */
  readonly critical?: number;
  /** Chance of a false alarm with the normal quantile in the place of `critical`. */
  readonly size: number;
  /** Share of pairs that show the effect, in the order of `effects`. */
  readonly power: readonly number[];
  /** Pairs of which one has no slope or no error; they show nothing. */
  readonly undefinedPairs: number;
}

/**
 * How often a difference in λ̂ between two conditions would be noticed, by number of replicates and true difference.
 *
 * Pairs of ensembles are drawn from the runs given, which stand for all there could be. Each gives t = Δλ̂/√(se_a² + se_b²)
 * with the errors of `slopeError`, two-sided. `critical` is the quantile of |t| where there is no difference, so the
 * power is that of a test that keeps its level, such as `labelPermutation`. A difference of δ moves every Δλ̂ by δ and
 * leaves its error alone: distances in one condition that grow by a further e^(δt) do just that.
 *
 * From few runs it inherits their accident, and drawing from R runs again understates errors by about 1/R. Runs of a
 * surrogate show what its mechanism would need, not what models need.
 *
 * @param first runs of one condition, each [T][K]; from `simulateCondition`, a ledger or `importRuns`.
 * @param second of the other; `first` again where only one was piloted.
 * @throws {RangeError} on malformed runs, or runs of which a slope cannot be had at all.
 */
export function powerStudy(
  first: readonly Trajectory[],
  second: readonly Trajectory[],
  { rng, replicates, effects, ensembles = 500, level = 0.95, from = 3, to = 20 }: PowerStudyOptions,
): PowerRow[] {
  const window = { from, to };
  const truth = trueSlope(first, window, "first") - trueSlope(second, window, "second");
  return replicates.map((size) => {
    const stream = rng.fork("power").fork(size);
    const pairs = Array.from({ length: ensembles }, (_, i) => {
      const draw = (pool: readonly Trajectory[], name: string) =>
        slopeError(drawEnsemble(pool, size, stream.fork(i).fork(name)), window);
      return differenceOf(draw(first, "first"), draw(second, "second"), truth);
    });
    return { replicates: size, ...rowOf(pairs, { effects, level }) };
  });
}

/** How far an estimated difference is from the true one, and what it takes its own standard error to be. */
interface Miss {
  readonly by: number;
  readonly error: number;
}

/** @throws {RangeError} naming the group where the pool has no slope over the whole window. */
function trueSlope(pool: readonly Trajectory[], window: { from: number; to: number }, name: string): number {
  const { lambda, reason } = observedSlope(pool, window, name);
  if (lambda !== undefined && !reason) return lambda;
  throw new RangeError(`the runs of "${name}" have no slope over rounds ${window.from}-${window.to}: ${reason}`);
}

function differenceOf(
  a: ReturnType<typeof slopeError>,
  b: ReturnType<typeof slopeError>,
  truth: number,
): Miss | undefined {
  if (a.error === undefined || b.error === undefined) return undefined;
  return { by: a.lambda! - b.lambda! - truth, error: Math.hypot(a.error, b.error) };
}

function rowOf(
  pairs: readonly (Miss | undefined)[],
  { effects, level }: { effects: readonly number[]; level: number },
): Omit<PowerRow, "replicates"> {
  const known = pairs.filter((pair) => pair !== undefined);
  const beyond = (effect: number, limit: number) =>
    known.filter(({ by, error }) => Math.abs(by + effect) > limit * error).length / pairs.length;
  const critical = quantile(known.map(({ by, error }) => Math.abs(by) / error), level);
  const error = deviation(known, ({ by }) => by);
  return {
    ...(error !== undefined && { error }),
    ...(critical !== undefined && { critical }),
    size: beyond(0, normalQuantile((1 + level) / 2)),
    power: effects.map((effect) => (critical === undefined ? 0 : beyond(effect, critical))),
    undefinedPairs: pairs.length - known.length,
  };
}

interface IntervalStudyOptions extends WindowOptions {
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
interface IntervalLook {
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
export interface IntervalStudyRow {
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
): IntervalStudyRow[] {
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

interface PilotStudyOptions extends PlanReplicatesOptions {
  /** Where chance comes from. It is forked, not advanced. */
  readonly rng: Rng;
  /** Runs of each condition in a pilot, one row of results for each. */
  readonly sizes: readonly number[];
  /** Pilots drawn for each size; by default 200. */
  readonly pilots?: number | undefined;
}

/** What pilots of one size would have planned. */
interface PilotRow {
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
