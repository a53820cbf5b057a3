import type { Interval } from "./published_row.ts";

/** Which ranks a run may have when its score is only known to lie in an interval. */
export interface RankBounds {
  /** 1 is the largest score. */
  readonly best: number;
  readonly worst: number;
  /** `certain`: one rank is left; `undecided`: none is excluded; `possible`: some are. */
  readonly statement: "certain" | "possible" | "undecided";
}

/** Whether the first of two scores is above the second: in every case, in none, or in some. */
export type PairOrder = "above" | "below" | "undecided";

/**
 * The order of two scores of which only intervals are known. Intervals that touch leave it undecided: a tie is possible.
 */
export function pairOrder(a: Interval, b: Interval): PairOrder {
  if (a.low > b.high) return "above";
  return a.high < b.low ? "below" : "undecided";
}

/**
 * The ranks that each of some runs may have. A run ranks behind all that are certainly above it, and before all that
 * are certainly below; runs vary independently, so every rank between occurs.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const [a, b] = rankBounds([{ low: 0.9, high: 1 }, { low: 0.5, high: 0.7 }, { low: 0.6, high: 0.8 }]);
 * assert.deepEqual(a, { best: 1, worst: 1, statement: "certain" });
 * assert.deepEqual(b, { best: 2, worst: 3, statement: "possible" });
 * ```
 */
export function rankBounds(intervals: readonly Interval[]): RankBounds[] {
  const n = intervals.length;
  return intervals.map((own) => {
    const orders = intervals.map((other) => other === own ? "undecided" : pairOrder(other, own));
    const best = 1 + orders.filter((order) => order === "above").length;
    const worst = n - orders.filter((order) => order === "below").length;
    return {
      best,
      worst,
      statement: best === worst ? "certain" : best === 1 && worst === n ? "undecided" : "possible",
    };
  });
}
