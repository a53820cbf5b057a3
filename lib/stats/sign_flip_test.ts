/** More values would need more than a million sign patterns. */
const MOST = 20;

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
  if (values.length === 0 || values.length > MOST) {
    throw new RangeError(`values must be 1 to ${MOST}, found ${values.length}`);
  }
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new RangeError(`values must be finite, found ${wrong}`);
  const total = (pattern: number) => values.reduce((sum, value, i) => sum + (pattern >> i & 1 ? -value : value), 0);
  const reach = Math.abs(total(0)) - TIE * values.reduce((sum, value) => sum + Math.abs(value), 0);
  const patterns = Array.from({ length: 2 ** values.length }, (_, pattern) => Math.abs(total(pattern)) >= reach);
  return patterns.filter(Boolean).length / patterns.length;
}
