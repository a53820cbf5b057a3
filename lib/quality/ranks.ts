import { SAME_Q } from "./same_q.ts";

/**
 * Competition ranks, the largest value first: equal values share a rank, and the next one counts them all (1, 2, 2, 4).
 * A value that is not known has no rank and takes none from others. Values that differ by 1e-12 or less are equal.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(ranks([0.7, 0.9, undefined, 0.7]), [2, 1, undefined, 2]);
 * assert.deepEqual(ranks([0.3, 0.1 + 0.2]), [1, 1]);
 * ```
 * @throws {RangeError} on NaN, which has no place in an order; leave out what is not known.
 */
export function ranks(values: readonly (number | undefined)[]): (number | undefined)[] {
  if (values.some(Number.isNaN)) throw new RangeError("cannot rank NaN; leave a value out when it is not known");
  const descending = values.filter((value) => value !== undefined).sort((a, b) => b - a);
  const rankOf = new Map<number, number>();
  let leader = 0; // The first of those that share a rank.
  for (const [i, value] of descending.entries()) {
    if (descending[leader]! - value > SAME_Q) leader = i;
    rankOf.set(value, leader + 1);
  }
  return values.map((value) => value === undefined ? undefined : rankOf.get(value));
}
