import { mean, sampleStandardDeviation } from "simple-statistics";
import { normalQuantile } from "../../stats/normal_quantile.ts";

/** The mean of some draws and where one more of them would fall. */
interface PredictionInterval {
  readonly n: number;
  readonly mean?: number;
  readonly low?: number;
  readonly high?: number;
}

/**
 * Where one more ensemble would fall (95 %), given what some ensembles of its size showed: mean ± z · s · √(1 + 1/m).
 *
 * A published estimate is one ensemble, so it is to be compared with this and not with the interval of a mean. The
 * draws are taken as normal; with twenty of them the normal quantile covers about 94 % where 95 % are asked for.
 *
 * @param draws one value an ensemble; undefined ones are left out.
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
export function predictionInterval(draws: readonly (number | undefined)[]): PredictionInterval {
  const known = draws.filter((draw) => draw !== undefined);
  if (known.length === 0) return { n: 0 };
  const middle = mean(known);
  if (known.length < 2) return { n: 1, mean: middle };
  const reach = normalQuantile(0.975) * sampleStandardDeviation(known) * Math.sqrt(1 + 1 / known.length);
  return { n: known.length, mean: middle, low: middle - reach, high: middle + reach };
}
