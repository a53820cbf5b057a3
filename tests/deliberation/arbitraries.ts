import fc from "fast-check";

/** Random inputs that property tests of the committee share. */

/** Shares of `optionCount` options in hundredths, summing to 100; zeros and single winners among them. */
export const hundredths = (optionCount: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: 100 }), { minLength: optionCount - 1, maxLength: optionCount - 1 }).map((cuts) => {
    const sorted = [0, ...cuts.toSorted((a, b) => a - b), 100];
    return sorted.slice(1).map((cut, k) => cut - sorted[k]!);
  });
