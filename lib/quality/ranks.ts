/**
 * Competition ranks, the largest value first: equal values share a rank, and the next one counts them all (1, 2, 2, 4).
 * A value that is not known has no rank and takes none from others.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(ranks([0.7, 0.9, undefined, 0.7]), [2, 1, undefined, 2]);
 * ```
 */
export function ranks(values: readonly (number | undefined)[]): (number | undefined)[] {
  const descending = values.filter((value) => value !== undefined).sort((a, b) => b - a);
  const first = new Map<number, number>();
  for (const [i, value] of descending.entries()) if (!first.has(value)) first.set(value, i + 1);
  return values.map((value) => value === undefined ? undefined : first.get(value));
}
