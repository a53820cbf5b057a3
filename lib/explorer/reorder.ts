import { bisector } from "d3-array";

/**
 * Which places hold a longest rising subsequence of `values`; negative values are no part of one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(longestRising([3, 0, 1, 2]), new Set([1, 2, 3]));
 * ```
 */
export function longestRising(values: readonly number[]): Set<number> {
  // ends[k]: the place of the smallest value that ends a rising sequence of length k + 1.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  const byValue = bisector((place: number) => values[place]!);
  for (const [i, value] of values.entries()) {
    if (value < 0) continue;
    const from = byValue.left(ends, value);
    before[i] = ends[from - 1];
    ends[from] = i;
  }
  const places = new Set<number>();
  for (let i = ends.at(-1); i !== undefined; i = before[i]) places.add(i);
  return places;
}

/**
 * Puts the children of an element into another order by moving as few of them as can be: a moved one is laid out anew.
 *
 * @param wanted children of `parent`, all of them, or the first ones that it is given.
 */
export function reorder(parent: Element, wanted: readonly Element[]): void {
  const places = new Map([...parent.children].map((child, i) => [child, i]));
  const staying = longestRising(wanted.map((child) => places.get(child) ?? -1));
  let next: Element | null = null;
  for (let i = wanted.length - 1; i >= 0; i--) {
    const child = wanted[i]!;
    if (!staying.has(i)) parent.insertBefore(child, next);
    next = child;
  }
}
