/** With more, 2⁻ⁿ soon is no longer a number above zero. */
const MOST_PAIRS = 1000;

/**
 * The two-sided sign test: how often as many of n differences, or more, would have one sign if either were as likely.
 *
 * Exact. Differences of zero say nothing of the sign: leave them out of both counts, as is usual.
 *
 * @param counts `above`, `below`: differences of each sign, whole numbers.
 * @returns p in (0, 1]; 1 where there is no difference at all.
 * @throws {RangeError} on a count that is not a whole number of at least 0, or more than 1,000 differences.
 * @example Five of five: 2 / 2⁵
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(signTest({ above: 5, below: 0 }), 1 / 16);
 * ```
 */
export function signTest({ above, below }: { readonly above: number; readonly below: number }): number {
  if (![above, below].every((count) => Number.isInteger(count) && count >= 0)) {
    throw new RangeError(`above ${above}, below ${below}: must be whole numbers from 0`);
  }
  const n = above + below;
  if (n > MOST_PAIRS) throw new RangeError(`above ${above}, below ${below}: must be at most ${MOST_PAIRS} together`);
  let [probability, tail] = [2 ** -n, 0];
  for (let k = 0; k <= Math.min(above, below); k++) {
    tail += probability;
    probability *= (n - k) / (k + 1);
  }
  return Math.min(1, 2 * tail);
}

/** More values would need more than a million sign patterns. */
const MOST_FLIPS = 20;

/** Sums that differ by less, relative to Σ|value|, are the same: two orders of adding may differ in the last digit. */
const TIE = 1e-12;

/**
 * The two-sided sign-flip test of a mean: the share of all 2ⁿ ways to give the values signs whose mean is as far from
 * zero as the one observed, or further.
 *
 * Exact under values that are symmetric about zero and independent; unlike the sign test it weighs their sizes.
 *
 * @param values 1 to 20 differences, finite.
 * @returns p, from 2 / 2ⁿ to 1.
 * @throws {RangeError} on none, more than 20, or one that is not finite.
 * @example Of the four ways to sign 1 and 2, two reach a sum of 3
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(signFlipTest([1, 2]), 0.5);
 * ```
 */
export function signFlipTest(values: readonly number[]): number {
  if (values.length === 0 || values.length > MOST_FLIPS) {
    throw new RangeError(`values must be 1 to ${MOST_FLIPS}, found ${values.length}`);
  }
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new RangeError(`values must be finite, found ${wrong}`);
  const total = (pattern: number) => values.reduce((sum, value, i) => sum + (pattern >> i & 1 ? -value : value), 0);
  const reach = Math.abs(total(0)) - TIE * values.reduce((sum, value) => sum + Math.abs(value), 0);
  const patterns = Array.from({ length: 2 ** values.length }, (_, pattern) => Math.abs(total(pattern)) >= reach);
  return patterns.filter(Boolean).length / patterns.length;
}
