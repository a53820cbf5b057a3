/**
 * Maps items with at most `limit` of them under way at once; results keep the items' order.
 *
 * After the first failure no further item is begun; those under way are waited for, so that nothing works on when the
 * call is over. (p-map rejects at once and lets them run.)
 *
 * @throws the first failure.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(await mapLimited([3, 1, 2], 2, (n) => Promise.resolve(10 * n)), [30, 10, 20]);
 * ```
 */
export async function mapLimited<T, U>(
  items: readonly T[],
  limit: number,
  map: (item: T, index: number) => Promise<U>,
): Promise<U[]> {
  const results: U[] = new Array(items.length);
  const waiting = items.entries();
  const failures: unknown[] = [];
  const work = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[index] = await map(item, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
