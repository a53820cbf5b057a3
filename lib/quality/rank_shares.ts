import { checkDraws } from "./pair_shares.ts";
import type { Interval } from "./published_row.ts";
import { rankBounds } from "./rank_bounds.ts";

/** The ranks of one run over many weightings; rank 1 is the largest score and stands first. */
export interface RankShare {
  /** Share of the weightings under which each rank is the best that the run may have, [runs]. */
  readonly best: readonly number[];
  /** The same of the worst. */
  readonly worst: readonly number[];
  /** Share under which each rank is possible, [runs]: where one rank is certain the shares sum to 1, else to more. */
  readonly possible: readonly number[];
  /** Share under which one rank alone is possible. */
  readonly certain: number;
}

/**
 * How often each run may have which rank, by `rankBounds`: known scores that are equal share a rank, and intervals that
 * overlap leave each other's ranks open.
 *
 * @param draws scores of the same runs under many weightings, [weighting][run].
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const at = (q: number) => ({ low: q, high: q });
 * const open = { low: 0.4, high: 0.6 };
 * const [run] = rankShares([[at(0.9), at(0.8)], [at(0.5), at(0.6)], [at(0.5), at(0.5)], [at(0.5), open]]);
 * assert.deepEqual(run, { best: [0.75, 0.25], worst: [0.5, 0.5], possible: [0.75, 0.5], certain: 0.75 });
 * ```
 * @throws {RangeError} without draws, or when they differ in their number of runs.
 */
export function rankShares(draws: readonly (readonly Interval[])[]): RankShare[] {
  const runs = draws[0]?.length ?? 0;
  checkDraws(draws, runs);
  const none = () => Array.from({ length: runs }, () => 0);
  const counts = Array.from({ length: runs }, () => ({ best: none(), worst: none(), possible: none(), certain: 0 }));
  for (const draw of draws) {
    for (const [i, { best, worst }] of rankBounds(draw).entries()) {
      const count = counts[i]!;
      count.best[best - 1]!++;
      count.worst[worst - 1]!++;
      for (let rank = best; rank <= worst; rank++) count.possible[rank - 1]!++;
      if (best === worst) count.certain++;
    }
  }
  const share = (count: number) => count / draws.length;
  return counts.map(({ best, worst, possible, certain }) => ({
    best: best.map(share),
    worst: worst.map(share),
    possible: possible.map(share),
    certain: share(certain),
  }));
}
