import { checkOptions } from "../core/options.ts";
import { createRng } from "../core/rng.ts";
import { type BootstrapSlope, bootstrapSlope } from "../stats/bootstrap_slope.ts";
import { divergence } from "../stats/divergence.ts";
import { lyapunovSlope } from "../stats/lyapunov_slope.ts";
import { permutationNull } from "../stats/nulls.ts";
import { checkRuns, type Trajectory } from "../stats/trajectory.ts";

/** Options of `measureRuns`; the defaults are the paper's. */
export interface MeasureOptions {
  readonly seed?: number | undefined;
  /** Name of the condition: chance is forked from it, so that it has the interval that notebooks give it. */
  readonly name?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly resamples?: number | undefined;
  readonly permutations?: number | undefined;
}

/** λ̂ of one condition with all that is said about it. A field that does not exist is absent, and `reason` says why. */
export interface Measurement extends Omit<BootstrapSlope, "draws"> {
  readonly replicates: number;
  readonly rounds: number;
  readonly options: number;
  readonly D?: readonly number[];
  readonly intercept?: number;
  /** The paper's test, `permutationNull`. */
  readonly shuffled: { readonly p?: number };
  readonly used: readonly number[];
  readonly dropped: readonly number[];
  /** Slopes of the permuted runs, for a histogram. */
  readonly nullDraws: readonly number[];
}

/**
 * The whole analysis of one condition: D(t), λ̂ with the interval and the test that we believe (`low`, `high`, `p`), and the
 * paper's beside them (`percentile`, `shuffled`).
 *
 * @param runs R replicates of committee means, each [T][K].
 * @throws {RangeError} on ragged or non-finite runs, naming run and round, or a window outside them.
 */
export function measureRuns(runs: readonly Trajectory[], options: MeasureOptions = {}): Measurement {
  checkOptions("measureRuns", options, "seed name resamples permutations from to");
  const { seed = 1, name, from = 3, to = 20, resamples = 500, permutations = 2000 } = options;
  const shape = checkRuns(runs);
  const nothing = { percentile: {}, shuffled: {}, leaveOneOut: [], used: [], dropped: [], undefinedDraws: 0 };
  if (runs.length < 2) return { ...shape, ...nothing, nullDraws: [], reason: "too-few-replicates" };
  const rng = name === undefined ? createRng(seed) : createRng(seed).fork(name);
  const window = { from, to };
  const D = divergence(runs);
  const slope = lyapunovSlope(D, window);
  const { draws: _, ...bootstrap } = bootstrapSlope(runs, { rng, resamples, ...window });
  const { p, draws: nullDraws, reason: unshuffled } = permutationNull(runs, { rng, permutations, ...window });
  const reason = slope.reason ?? bootstrap.reason ?? unshuffled;
  return {
    ...shape,
    D,
    ...bootstrap,
    ...slope,
    shuffled: p === undefined ? {} : { p },
    ...(reason && { reason }),
    nullDraws,
  };
}
