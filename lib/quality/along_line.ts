/** Halvings: 2^−40 of a weight is far below what rounding leaves. */
const HALVINGS = 40;

/**
 * Where a concave function that starts above 0 first is 0 or less, up to `most`; `undefined` where it stays above.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.ok(Math.abs(firstUsedUp((x) => 0.25 - x * x, 1)! - 0.5) < 1e-9);
 * assert.equal(firstUsedUp((x) => 2 - x, 1), undefined);
 * ```
 */
export function firstUsedUp(lead: (at: number) => number, most: number): number | undefined {
  if (most === 0 || lead(most) > 0) return undefined;
  return bisect((at) => lead(at) <= 0, 0, most);
}

/**
 * Where a convex function that starts above 0 first is below 0, up to `most`; `undefined` where it never is. It may come
 * up again, so its lowest point is searched first, to 1e-6: a dip that is narrower may be missed.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.ok(Math.abs(firstNegative((x) => (x - 0.5) ** 2 - 0.04, 1)! - 0.3) < 1e-9);
 * assert.equal(firstNegative((x) => (x - 0.5) ** 2, 1), undefined);
 * ```
 */
export function firstNegative(lead: (at: number) => number, most: number): number | undefined {
  if (most === 0) return undefined;
  const deepest = lowest(lead, most);
  return lead(deepest) < 0 ? bisect((at) => lead(at) < 0, 0, deepest) : undefined;
}

/** The smallest number between `from`, which fails, and `to`, which passes, that passes. */
function bisect(passes: (at: number) => boolean, from: number, to: number): number {
  let [fails, good] = [from, to];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (fails + good) / 2;
    if (passes(middle)) good = middle;
    else fails = middle;
  }
  return good;
}

/** Where a convex function is lowest between 0 and `most`, by thirds. */
function lowest(value: (at: number) => number, most: number): number {
  let [low, high] = [0, most];
  while (high - low > 1e-6) {
    const third = (high - low) / 3;
    if (value(low + third) <= value(high - third)) high -= third;
    else low += third;
  }
  return (low + high) / 2;
}
