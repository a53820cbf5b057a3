import type { Interval } from "../../../quality/published_row.ts";
import { SAME_Q } from "../../../quality/same_q.ts";
import type { RankRange } from "./rank_change.ts";

/**
 * The best and worst ranks of `rankBounds`, for every move of a slider: by sorting once and halving, not by comparing
 * every pair.
 */
export function rankRanges(intervals: readonly Interval[]): RankRange[] {
  const lows = Float64Array.from(intervals, ({ low }) => low).sort();
  const highs = Float64Array.from(intervals, ({ high }) => high).sort();
  return intervals.map(({ low, high }) => {
    // A run of some width lies above its own low end, and is no other run.
    const itself = high - low > SAME_Q ? 1 : 0;
    return { best: 1 + countAbove(lows, high), worst: 1 + countAbove(highs, low) - itself };
  });
}

/** How many of the ascending values exceed `value` by more than rounding. */
function countAbove(ascending: Float64Array, value: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle]! - value > SAME_Q) to = middle;
    else from = middle + 1;
  }
  return ascending.length - from;
}
