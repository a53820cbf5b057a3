/** With more, 2⁻ⁿ soon is no longer a number above zero. */
const MOST = 1000;

/**
 * The two-sided sign test: how often as many of n differences, or more, would have one sign if either were as likely.
 *
 * Exact. Differences of zero say nothing of the sign: leave them out of both counts, as is usual.
 *
 * @param counts `above`, `below`: differences of each sign, whole numbers.
 * @returns p in (0, 1]; 1 where there is no difference at all.
 * @throws {RangeError} on a count that is none, or more than 1,000 differences.
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
  if (n > MOST) throw new RangeError(`above ${above}, below ${below}: must be at most ${MOST} together`);
  let [probability, tail] = [2 ** -n, 0];
  for (let k = 0; k <= Math.min(above, below); k++) {
    tail += probability;
    probability *= (n - k) / (k + 1);
  }
  return Math.min(1, 2 * tail);
}
