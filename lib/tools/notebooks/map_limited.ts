/**
 * Maps items with at most `limit` at work at once. Results keep the items' order.
 *
 * @throws the first error; items not yet begun are then left alone.
 */
export async function mapLimited<T, U>(
  items: readonly T[],
  limit: number,
  map: (item: T, index: number) => Promise<U>,
): Promise<U[]> {
  const results: U[] = new Array(items.length);
  const queue = items.entries();
  let failed = false;
  const work = async () => {
    for (const [index, item] of queue) {
      if (failed) return;
      try {
        results[index] = await map(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
