/**
 * Whole parts of a total in proportion to weights, by largest remainder, none above its cap; the first of equals comes
 * first. Where all caps are reached, the rest is not given out.
 *
 * @example What one cap cuts off goes to the others
 * ```ts
 * import assert from "node:assert/strict";
 * const parts = shareOut(10, ["a", "b", "c"], { a: 8, b: 1, c: 1 }, { a: 6, b: 9, c: 9 });
 * assert.deepEqual(parts, { a: 6, b: 2, c: 2 });
 * ```
 */
export function shareOut<K extends string>(
  total: number,
  keys: readonly K[],
  weights: Readonly<Record<K, number>>,
  caps: Readonly<Record<K, number>>,
): Record<K, number> {
  const parts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  let free = keys.filter((key) => weights[key] > 0);
  let rest = total;
  // Those whose share exceeds their cap get the cap; what is over is shared again among the others.
  for (;;) {
    const sum = free.reduce((all, key) => all + weights[key], 0);
    const full = free.filter((key) => (rest * weights[key]) / sum >= caps[key]);
    if (full.length === 0) break;
    for (const key of full) parts[key] = caps[key];
    rest -= full.reduce((all, key) => all + caps[key], 0);
    free = free.filter((key) => !full.includes(key));
  }
  const sum = free.reduce((all, key) => all + weights[key], 0);
  const exact = free.map((key) => (rest * weights[key]) / sum);
  free.forEach((key, i) => parts[key] = Math.floor(exact[i]!));
  let left = free.length === 0 ? 0 : rest - free.reduce((all, key) => all + parts[key], 0);
  const byRemainder = free.map((_, i) => i).sort((a, b) => (exact[b]! % 1) - (exact[a]! % 1) || a - b);
  for (const i of byRemainder) if (left-- > 0) parts[free[i]!]++;
  return parts;
}
