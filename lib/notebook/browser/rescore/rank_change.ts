import type { RankBounds } from "../../../quality/rank_bounds.ts";

/** The ranks that a run may have, 1 the largest score. */
export type RankRange = Pick<RankBounds, "best" | "worst">;

/**
 * How a rank moved. `up` and `down` are certain, by `least` to `most` ranks; where one rank or the other is not
 * certain and they overlap, it is `undecided`: the run may have gone up by as many as `up`, or down by as many as `down`.
 */
export type RankChange =
  | { readonly kind: "same" }
  | { readonly kind: "up" | "down"; readonly least: number; readonly most: number }
  | { readonly kind: "undecided"; readonly up: number; readonly down: number };

/**
 * How a rank moved from one ranking to another.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(rankChange({ best: 9, worst: 9 }, { best: 2, worst: 5 }), { kind: "up", least: 4, most: 7 });
 * assert.deepEqual(rankChange({ best: 3, worst: 3 }, { best: 2, worst: 5 }), { kind: "undecided", up: 1, down: 2 });
 * ```
 */
export function rankChange(before: RankRange, after: RankRange): RankChange {
  const [least, most] = [before.best - after.worst, before.worst - after.best];
  if (least > 0) return { kind: "up", least, most };
  if (most < 0) return { kind: "down", least: -most, most: -least };
  if (least === 0 && most === 0) return { kind: "same" };
  return { kind: "undecided", up: most, down: 0 - least };
}
