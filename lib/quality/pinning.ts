import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import { componentRanges, type Interval, type PublishedRow } from "./published_row.ts";
import { rescoreBounds } from "./rescore_bounds.ts";
import { PUBLISHED_WEIGHTS } from "./weights.ts";

/** What the printed q says of the components that were not printed. */
interface Pinning {
  /** Published weight of the components that are not determined by what was printed. */
  readonly openWeight: number;
  /** What they earned together, as a share of that weight. */
  readonly earned: Interval;
  /** For each of them, its range before and after q is taken into account. */
  readonly components: Readonly<
    Partial<Record<ComponentName, { readonly prior: Interval; readonly pinned: Interval }>>
  >;
  /** Mean of 1 − width after / width before, weighted by the published weights: 0 says nothing was learned, 1 all. */
  readonly tightness: number;
}

/** A component whose range is wider than this is not determined: rounding alone leaves less. */
const ROUNDING_WIDTH = 0.003;

/**
 * How tightly the printed q of a run pins the components that were not printed.
 *
 * Their sum is pinned to within rounding; each one alone only as far as the others cannot make up for it. A q near its
 * largest possible value pins them all near 1.
 *
 * @example MIMO 109: its two passed plans allow a q of 0.9667, so what was not printed lost at most 0.0062 of 0.62
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const levels = { q: 0.961, public_order: 0.963, active_rumors: 0 };
 * const { openWeight, earned, components } = pinning(
 *   { ...levels, stabilized: true, time_to_first_pass: 1, passed_count: 2 },
 * );
 * assert.equal(openWeight.toFixed(2), "0.62");
 * assert.equal(earned.low.toFixed(3), "0.990");
 * assert.equal(components.trust!.pinned.low.toFixed(3), "0.938"); // all of it lost by trust: 1 - 0.0062 / 0.10
 * ```
 * @throws {RangeError} as `rescoreBounds`.
 */
export function pinning(row: PublishedRow): Pinning {
  const prior = componentRanges(row);
  const open = COMPONENTS.filter((name) => prior[name].high - prior[name].low > ROUNDING_WIDTH);
  const openWeight = open.reduce((sum, name) => sum + PUBLISHED_WEIGHTS[name], 0);
  const onlyOpen = Object.fromEntries(open.map((name) => [name, PUBLISHED_WEIGHTS[name] / openWeight]));
  const components = Object.fromEntries(
    open.map((name) => [name, { prior: prior[name], pinned: rescoreBounds(row, { [name]: 1 }) }]),
  );
  const width = ({ low, high }: Interval) => high - low;
  const learned = open.map((name) =>
    PUBLISHED_WEIGHTS[name] * (1 - width(components[name]!.pinned) / width(components[name]!.prior))
  );
  return {
    openWeight,
    earned: rescoreBounds(row, onlyOpen),
    components,
    tightness: learned.reduce((sum, share) => sum + share, 0) / openWeight,
  };
}
