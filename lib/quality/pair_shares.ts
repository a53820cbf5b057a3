import type { Interval } from "./published_row.ts";
import { type PairOrder, pairOrder } from "./rank_bounds.ts";

/** How often two runs keep their order over many weightings. */
export interface PairShare {
  /** Index of the first run; it is smaller than `b`. */
  readonly a: number;
  readonly b: number;
  /** The order of a to b under the weights that the others are compared with. */
  readonly order: PairOrder;
  /** Shares of the weightings, summing to 1, under which a is certainly above b, certainly below, or neither. */
  readonly above: number;
  readonly below: number;
  /** Of runs whose every component is known, these are exact ties. */
  readonly undecided: number;
  /** Share under which the order is the same as `order`: for a pair that was undecided, still undecided. */
  readonly kept: number;
  /** Share under which it is certainly the opposite; absent for a pair that was undecided and has no opposite. */
  readonly reversed?: number;
}

/**
 * Share of weightings under which each pair of runs keeps its order.
 *
 * @param base scores under the weights to compare with, one a run.
 * @param draws the same runs' scores under other weightings, [weighting][run].
 * @returns one entry for each pair, in the order (0, 1), (0, 2), … (1, 2), …
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const at = (q: number) => ({ low: q, high: q });
 * const [pair] = pairShares([at(0.9), at(0.8)], [[at(0.7), at(0.6)], [at(0.5), at(0.6)], [at(0.5), at(0.5)], [at(1), at(0)]]);
 * assert.deepEqual(pair, { a: 0, b: 1, order: "above", above: 0.5, below: 0.25, undecided: 0.25, kept: 0.5, reversed: 0.25 });
 * ```
 * @throws {RangeError} without draws, or when one has another number of runs.
 */
export function pairShares(base: readonly Interval[], draws: readonly (readonly Interval[])[]): PairShare[] {
  checkDraws(draws, base.length);
  return base.flatMap((first, a) =>
    base.slice(a + 1).map((second, k): PairShare => {
      const b = a + 1 + k;
      const counts: Record<PairOrder, number> = { above: 0, below: 0, undecided: 0 };
      for (const draw of draws) counts[pairOrder(draw[a]!, draw[b]!)]++;
      const order = pairOrder(first, second);
      const share = (name: PairOrder) => counts[name] / draws.length;
      return {
        ...{ a, b, order },
        ...{ above: share("above"), below: share("below"), undecided: share("undecided") },
        kept: share(order),
        ...(order !== "undecided" && { reversed: share(order === "above" ? "below" : "above") }),
      };
    })
  );
}

/** @throws {RangeError} unless there are draws and each has one score a run. */
export function checkDraws(draws: readonly (readonly unknown[])[], runs: number): void {
  if (draws.length === 0) throw new RangeError("shares need at least one weighting, found none");
  const odd = draws.findIndex((draw) => draw.length !== runs);
  if (odd >= 0) throw new RangeError(`weighting ${odd} has ${draws[odd]!.length} scores, for ${runs} runs`);
}
