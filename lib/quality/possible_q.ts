import { COMPONENTS } from "../schema/quality_names.ts";
import { componentRanges, type Interval, type PublishedRow } from "./published_row.ts";
import { PUBLISHED_WEIGHTS } from "./weights.ts";

/**
 * What q the published formula can give for a run, from everything that was printed of it except its q.
 *
 * A printed q outside contradicts the values printed beside it, or was not made by this formula. Rests on
 * `BOUND_ASSUMPTIONS`.
 *
 * @example No plan passed, so 0.22 of the weight is lost; order and two rumours say the rest
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const printed = { public_order: 0.9, active_rumors: 2, stabilized: false, time_to_first_pass: null, passed_count: 0 };
 * const { high } = possibleQ({ q: 0.5, ...printed });
 * assert.equal(high.toFixed(3), (1 - 0.12 - 0.10 - 0.08 * 0.55 * 2 / 8).toFixed(3));
 * ```
 * @throws {RangeError} as `componentRanges`.
 */
export function possibleQ(row: PublishedRow): Interval {
  const ranges = componentRanges(row);
  const at = (end: keyof Interval) =>
    COMPONENTS.reduce((sum, name) => sum + PUBLISHED_WEIGHTS[name] * ranges[name][end], 0);
  return { low: at("low"), high: at("high") };
}
