/** The most that go together: a batch is one transaction, and nothing of it is known before all of it is. */
const MOST = 256;

/**
 * Lets pieces of work that come while one is under way go together in the next: alone each goes at once, in a crowd all
 * wait for two rounds at most.
 *
 * @param work gives one result for each item, in their order.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const sizes: number[] = [];
 * const doubled = batched((items: readonly number[]) => {
 *   sizes.push(items.length);
 *   return Promise.resolve(items.map((n) => 2 * n));
 * });
 * assert.deepEqual(await Promise.all([doubled(1), doubled(2), doubled(3)]), [2, 4, 6]);
 * assert.deepEqual(sizes, [1, 2]);
 * ```
 */
export function batched<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: { item: Item; outcome: PromiseWithResolvers<Result> }[] = [];
  let busy = false;
  const go = async () => {
    if (busy) return;
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST);
      try {
        const results = await work(batch.map(({ item }) => item));
        batch.forEach(({ outcome }, i) => outcome.resolve(results[i]!));
      } catch (error) {
        for (const { outcome } of batch) outcome.reject(error);
      }
    }
    busy = false;
  };
  return (item) => {
    const outcome = Promise.withResolvers<Result>();
    waiting.push({ item, outcome });
    void go();
    return outcome.promise;
  };
}
