import { mean, sampleStandardDeviation } from "simple-statistics";
import { createRng } from "../../core/rng.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import { normalQuantile } from "../../stats/normal_quantile.ts";
import { verdict } from "../verdict.ts";
import type { FitTarget } from "./fit_targets.ts";
import { simulatedLambda } from "./simulated_facts.ts";

/** The mean of some draws and where one more of them would fall. */
export interface PredictionInterval {
  readonly n: number;
  readonly mean?: number;
  readonly low?: number;
  readonly high?: number;
}

/**
 * Where one more ensemble would fall, given what some ensembles of its size showed: mean ± z · s · √(1 + 1/m).
 *
 * A published estimate is one ensemble, so it is to be compared with this and not with the interval of a mean. The
 * draws are taken as normal; with twenty of them the normal quantile covers about 94 % where 95 % are asked for.
 *
 * @param draws one value an ensemble; undefined ones are left out.
 * @param options `level` 0.95; `floor`: what the quantity cannot fall below, such as 0 for a rate.
 * @returns without bounds where there are fewer than two draws, empty but for `n` where there is none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const { mean, low, high } = predictionInterval([1, 3]);
 * // z = 1.96, s = √2 and √(1 + 1/2): 3.39 either way
 * assert.deepEqual([mean, low!.toFixed(1), high!.toFixed(1)], [2, "-1.4", "5.4"]);
 * ```
 */
export function predictionInterval(
  draws: readonly (number | undefined)[],
  { level = 0.95, floor = -Infinity }: { level?: number; floor?: number } = {},
): PredictionInterval {
  const known = draws.filter((draw) => draw !== undefined);
  if (known.length === 0) return { n: 0 };
  const middle = mean(known);
  if (known.length < 2) return { n: 1, mean: middle };
  const reach = normalQuantile((1 + level) / 2) * sampleStandardDeviation(known) * Math.sqrt(1 + 1 / known.length);
  return { n: known.length, mean: middle, low: Math.max(floor, middle - reach), high: middle + reach };
}

/** A target of the fit beside fresh ensembles of the surrogate; λ̂ in nats per round. */
export interface FittedRow extends PredictionInterval {
  readonly name: string;
  readonly published: number;
  readonly verdict: string;
}

/** The fit's targets, each with the mean of some fresh ensembles and where one of them falls (95 %). */
export function fittedRows(
  targets: readonly FitTarget[],
  parameters: SurrogateParameters,
  { seed, ensembles, replicates = 20 }: { seed: number; ensembles: number; replicates?: number },
): FittedRow[] {
  return targets.map(({ name, lambda, n = replicates, spec }) => {
    const keys = Array.from({ length: ensembles }, (_, e) => createRng(seed).fork(name).fork(e).key);
    const interval = predictionInterval(keys.map((key) => simulatedLambda(spec, parameters, key, n)));
    return { name, published: lambda, ...interval, verdict: verdict(lambda, interval) };
  });
}
