import type { Rng } from "../core/rng.ts";

/** The most runs whose pairs are compared again for every shuffle: with more, a minute becomes an hour. */
export const MOST_RUNS = 500;

/** The items if they are no more than `MOST_RUNS`; otherwise so many of them, drawn without replacement, in their order. */
export function subsetOf<Item>(items: readonly Item[], rng: Rng): readonly Item[] {
  if (items.length <= MOST_RUNS) return items;
  const drawn = new Set(rng.fork("subset").shuffle([...items.keys()]).slice(0, MOST_RUNS));
  return items.filter((_, i) => drawn.has(i));
}
