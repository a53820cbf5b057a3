// @ts-types="@types/d3-array"
import { deviation, quantile } from "d3-array";
import type { Rng } from "../core/rng.ts";
import { normalQuantile } from "../stats/normal_quantile.ts";
import { observedSlope } from "../stats/observed_slope.ts";
import type { WindowOptions } from "../stats/round_window.ts";
import { slopeError } from "../stats/slope_error.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import { drawEnsemble } from "./draw_ensemble.ts";

export interface PowerStudyOptions extends WindowOptions {
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
export interface PowerRow {
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
export function trueSlope(pool: readonly Trajectory[], window: { from: number; to: number }, name: string): number {
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
