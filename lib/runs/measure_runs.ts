import { checkOptions } from "../core/options.ts";
import { createRng } from "../core/rng.ts";
import { type BootstrapSlope, bootstrapSlope } from "../stats/bootstrap_slope.ts";
import { divergence } from "../stats/divergence.ts";
import { lyapunovSlope } from "../stats/lyapunov_slope.ts";
import { permutationNull } from "../stats/permutation_null.ts";
import type { SlopeNull } from "../stats/slope_null.ts";
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
export interface Measurement {
  readonly replicates: number;
  readonly rounds: number;
  readonly options: number;
  readonly D?: readonly number[];
  readonly lambda?: number;
  readonly intercept?: number;
  /** The paper's percentile interval. */
  readonly low?: number;
  readonly high?: number;
  /** Of the permutation null. */
  readonly p?: number;
  /** Our interval, and its one-sided p of no growth. */
  readonly studentised: BootstrapSlope["studentised"];
  /** The slope without each of the runs in turn; NaN where the others all agree in some round. */
  readonly leaveOneOut: readonly number[];
  /** Whether few runs carry the growth, so that no interval can be trusted; absent where it cannot be seen. */
  readonly bimodal?: boolean;
  readonly used: readonly number[];
  readonly dropped: readonly number[];
  readonly undefinedDraws: number;
  readonly reason?: string;
  /** Slopes of the permuted runs, for a histogram. */
  readonly nullDraws: readonly number[];
}

/**
 * The whole analysis of one condition: D(t), λ̂, percentile and studentised interval, permutation and studentised p.
 *
 * @param runs R replicates of committee means, each [T][K].
 * @throws {RangeError} on ragged or non-finite runs, naming run and round, or a window outside them.
 */
export function measureRuns(runs: readonly Trajectory[], options: MeasureOptions = {}): Measurement {
  checkOptions("measureRuns", options, "seed name resamples permutations from to");
  const { seed = 1, name, from = 3, to = 20, resamples = 500, permutations = 2000 } = options;
  const shape = checkRuns(runs);
  const nothing = { studentised: {}, leaveOneOut: [], used: [], dropped: [], undefinedDraws: 0, nullDraws: [] };
  if (runs.length < 2) return { ...shape, ...nothing, reason: "too-few-replicates" };
  const rng = name === undefined ? createRng(seed) : createRng(seed).fork(name);
  const window = { from, to };
  const D = divergence(runs);
  const slope = lyapunovSlope(D, window);
  const bootstrap: BootstrapSlope = bootstrapSlope(runs, { rng, resamples, ...window });
  const permuted: SlopeNull = permutationNull(runs, { rng, permutations, ...window });
  const { low, high, studentised, leaveOneOut, bimodal, undefinedDraws } = bootstrap;
  const reason = slope.reason ?? bootstrap.reason ?? permuted.reason;
  return {
    ...shape,
    D,
    ...slope,
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
    ...(permuted.p !== undefined && { p: permuted.p }),
    studentised,
    leaveOneOut,
    ...(bimodal !== undefined && { bimodal }),
    undefinedDraws,
    ...(reason && { reason }),
    nullDraws: permuted.draws,
  };
}
