import type { Rng } from "../core/rng.ts";

/**
 * Ways to give `size` of `total` runs the label of the first group, as rows of counts: 1 with it, 0 without.
 *
 * @returns every way, the runs' own first among them, where there are no more than `most`; otherwise `most` shuffles, the
 * own not counted.
 */
export function labelSplits(
  total: number,
  size: number,
  { rng, most }: { rng: Rng; most: number },
): { rows: Int32Array; exact: boolean } {
  const ways = binomial(total, size);
  if (ways > most) return { rows: shuffledSplits(total, size, { rng, most }), exact: false };
  const rows = new Int32Array(ways * total);
  const first = Array.from({ length: size }, (_, i) => i);
  for (let row = 0; row < ways; row++, nextCombination(first, total)) {
    for (const run of first) rows[row * total + run] = 1;
  }
  return { rows, exact: true };
}

function shuffledSplits(total: number, size: number, { rng, most }: { rng: Rng; most: number }): Int32Array {
  const rows = new Int32Array(most * total);
  const order = Int32Array.from({ length: total }, (_, i) => i);
  for (let row = 0; row < most; row++) {
    // The first `size` places of a Fisher-Yates shuffle; a shuffle of a shuffle is as random as any.
    for (let place = 0; place < size; place++) {
      const chosen = place + rng.int(total - place);
      [order[place], order[chosen]] = [order[chosen]!, order[place]!];
      rows[row * total + order[place]!] = 1;
    }
  }
  return rows;
}

/** How many subsets of `size` there are; beyond 2⁵³ only about, which is far beyond any use. */
function binomial(total: number, size: number): number {
  let ways = 1;
  for (let i = 1; i <= Math.min(size, total - size); i++) ways = (ways * (total - i + 1)) / i;
  return Math.round(ways);
}

/** The next subset in lexical order, in place; after the last one nothing of use. */
function nextCombination(chosen: number[], total: number): void {
  let place = chosen.length - 1;
  while (place >= 0 && chosen[place] === total - chosen.length + place) place--;
  if (place < 0) return;
  chosen[place]!++;
  for (let later = place + 1; later < chosen.length; later++) chosen[later] = chosen[later - 1]! + 1;
}
