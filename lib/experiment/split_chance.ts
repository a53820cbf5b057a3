/**
 * How likely runs of one committee are to part between two options at least as evenly as `minority` against the rest,
 * when each run ends in the less frequent option with probability `share`, independently.
 *
 * With a share taken from a few runs the result is a guide, not a test: the share is uncertain itself.
 *
 * @param options `runs`: how many; `minority`: runs on the smaller side, at most half; `share`: such as a flip rate.
 * @throws {RangeError} when a number is out of range.
 *
 * @example Two runs of a fair coin part with probability one half
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(splitChance({ runs: 2, minority: 1, share: 0.5 }), 0.5);
 * ```
 */
export function splitChance(
  { runs, minority, share }: { readonly runs: number; readonly minority: number; readonly share: number },
): number {
  if (!Number.isSafeInteger(runs) || runs < 1) throw new RangeError(`runs is ${runs}: must be a whole number from 1`);
  if (!Number.isSafeInteger(minority) || minority < 0 || 2 * minority > runs) {
    throw new RangeError(`minority is ${minority}: must be a whole number from 0 to half of ${runs} runs`);
  }
  if (!(share >= 0 && share <= 1)) throw new RangeError(`share is ${share}: must lie between 0 and 1`);
  let [ways, total] = [1, 0];
  for (let k = 0; k <= runs - minority; k++) {
    if (k >= minority) total += ways * share ** k * (1 - share) ** (runs - k);
    ways = ways * (runs - k) / (k + 1);
  }
  return total;
}
