import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import { pinning } from "./pinning.ts";
import { componentRanges, type Interval, type PublishedRow } from "./published_row.ts";
import { PUBLISHED_WEIGHTS } from "./weights.ts";

/** What is known of where a published q comes from. */
export interface DeterminedParts {
  /** What each determined component adds to q, within the rounding of what was printed. */
  readonly parts: Readonly<Partial<Record<ComponentName, Interval>>>;
  /** The others: their weight, and what they add together. */
  readonly open: { readonly components: readonly ComponentName[]; readonly weight: number; readonly earned: Interval };
}

/**
 * How a published q is made up, as far as what was printed of the run determines it: each component that follows from a
 * printed value, and one block for all others, whose sum follows from q.
 *
 * The published weights are taken to have been used. Rests on `BOUND_ASSUMPTIONS`.
 *
 * @example Public order, first pass and passed plans were printed, and q leaves 0.3 to the rest
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const row = { q: 0.68, public_order: 0.9, active_rumors: 0, stabilized: true, time_to_first_pass: 1, passed_count: 3 };
 * const { parts, open } = determinedParts(row);
 * assert.deepEqual(Object.keys(parts), ["public_order", "time_to_pass", "passed_depth"]);
 * assert.equal(open.weight.toFixed(2), "0.62");
 * assert.deepEqual([open.earned.low, open.earned.high].map((value) => value.toFixed(4)), ["0.2995", "0.3005"]);
 * ```
 * @throws {RangeError} as `rescoreBounds`.
 */
export function determinedParts(row: PublishedRow): DeterminedParts {
  const { openWeight, earned, components } = pinning(row);
  const ranges = componentRanges(row);
  const known = COMPONENTS.filter((name) => components[name] === undefined);
  return {
    parts: Object.fromEntries(known.map((name) => [name, scaled(ranges[name], PUBLISHED_WEIGHTS[name])])),
    open: {
      components: COMPONENTS.filter((name) => components[name] !== undefined),
      weight: openWeight,
      earned: scaled(earned, openWeight),
    },
  };
}

const scaled = ({ low, high }: Interval, weight: number): Interval => ({ low: weight * low, high: weight * high });
