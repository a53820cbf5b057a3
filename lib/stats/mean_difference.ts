/** A mean as tables print it. */
interface MeanSummary {
  readonly mean: number;
  /** Standard deviation of what the mean is over. */
  readonly sd: number;
  readonly n: number;
}

/** A difference of two means with its 95 % interval. */
interface MeanDifference {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % point of the standard normal distribution. */
const Z = 1.959963984540054;

/**
 * The first mean less the second, with a 95 % interval that lets the two deviations differ (Welch's standard error with
 * the normal quantile, which is 1 % short of Student's at a hundred values each).
 *
 * @throws {RangeError} on numbers that are not finite, a negative deviation, or fewer than two values.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const { difference, low } = meanDifference({ mean: 3, sd: 3, n: 9 }, { mean: 1, sd: 0, n: 4 });
 * assert.equal(difference, 2);
 * assert.ok(Math.abs(low - 0.04) < 1e-4);
 * ```
 */
export function meanDifference(first: MeanSummary, second: MeanSummary): MeanDifference {
  const error = Math.hypot(standardError(first), standardError(second));
  const difference = first.mean - second.mean;
  return { difference, low: difference - Z * error, high: difference + Z * error };
}

function standardError({ mean, sd, n }: MeanSummary): number {
  if (!Number.isFinite(mean)) throw new RangeError(`mean must be finite, got ${mean}`);
  if (!(Number.isFinite(sd) && sd >= 0)) throw new RangeError(`sd must be finite and at least 0, got ${sd}`);
  if (!(Number.isInteger(n) && n >= 2)) throw new RangeError(`n must be a whole number of at least 2, got ${n}`);
  return sd / Math.sqrt(n);
}
