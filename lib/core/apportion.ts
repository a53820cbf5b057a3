import { sum } from "d3-array";

/**
 * Whole parts of a total in proportion to weights, by largest remainder, none above its cap; the first of equals comes
 * first. Where all caps are reached, the rest is not given out.
 *
 * @param total whole, at least 0.
 * @param options `weights`, each at least 0; `caps`, whole, by default none.
 *
 * @example What one cap cuts off goes to the others
 * ```ts
 * import assert from "node:assert/strict";
 * const weights = { a: 8, b: 1, c: 1 };
 * assert.deepEqual(apportion(10, ["a", "b", "c"], { weights }), { a: 8, b: 1, c: 1 });
 * assert.deepEqual(apportion(10, ["a", "b", "c"], { weights, caps: { a: 6, b: 9, c: 9 } }), { a: 6, b: 2, c: 2 });
 * ```
 */
export function apportion<K extends string>(
  total: number,
  keys: readonly K[],
  { weights, caps }: { weights: Readonly<Record<K, number>>; caps?: Readonly<Record<K, number>> },
): Record<K, number> {
  const parts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  const share = (key: K) => (rest * weights[key]) / sum(free, (key) => weights[key]);
  let free = keys.filter((key) => weights[key] > 0), rest = total;
  // Those whose share exceeds their cap get the cap; what is over is shared again among the others.
  for (;;) {
    const full = caps === undefined ? [] : free.filter((key) => share(key) >= caps[key]);
    if (full.length === 0) break;
    for (const key of full) parts[key] = caps![key];
    rest -= sum(full, (key) => parts[key]);
    free = free.filter((key) => !full.includes(key));
  }
  const exact = free.map(share);
  free.forEach((key, i) => parts[key] = Math.floor(exact[i]!));
  let left = free.length === 0 ? 0 : rest - sum(free, (key) => parts[key]);
  const byRemainder = free.map((_, i) => i).sort((a, b) => (exact[b]! % 1) - (exact[a]! % 1) || a - b);
  for (const i of byRemainder) if (left-- > 0) parts[free[i]!]++;
  return parts;
}
