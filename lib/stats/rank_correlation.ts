import { sampleCorrelation } from "simple-statistics";

/**
 * Spearman's rank correlation: Pearson's over ranks, equal values sharing the mean of their ranks.
 *
 * (`sampleRankCorrelation` of `simple-statistics` gives equal values different ranks, by position.)
 *
 * @returns from −1 (reversed) to 1 (the same order); `undefined` with fewer than three pairs, or where one side does not
 * vary.
 * @throws {RangeError} when the lists differ in length or hold a NaN.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(rankCorrelation([1, 2, 30], [5, 6, 7]), 1);
 * assert.equal(rankCorrelation([1, 2, 3], [4, 4, 4]), undefined);
 * ```
 */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number | undefined {
  if (a.length !== b.length) throw new RangeError(`the lists must be of one length, found ${a.length} and ${b.length}`);
  if ([...a, ...b].some(Number.isNaN)) {
    throw new RangeError("a value is NaN; leave out what is not known, in both lists");
  }
  if (a.length < 3 || new Set(a).size < 2 || new Set(b).size < 2) return undefined;
  return sampleCorrelation(ranks(a), ranks(b));
}

function ranks(values: readonly number[]): number[] {
  const below = (value: number) => values.filter((other) => other < value).length;
  const equal = (value: number) => values.filter((other) => other === value).length;
  return values.map((value) => below(value) + (equal(value) + 1) / 2);
}
