import { UserError } from "../../core/user_error.ts";
import { classify, type Thresholds } from "../../quality/classify.ts";
import { type Interval } from "../../quality/published_row.ts";
import { rankBounds } from "../../quality/ranks.ts";
import { type RescoreOptions } from "../../quality/rescore.ts";
import { boundsSolver, fillOrder } from "../../quality/rescore_bounds.ts";
import { unitWeights, type Weights } from "../../quality/weights.ts";
import { type Classification, CLASSIFICATIONS, componentNames } from "../../schema/quality_names.ts";
import type { PublishedRun } from "./published_rows.ts";

/**
 * Published runs under other weights: of each the bounds of its score, the ranks it may have among them, and its
 * possible classes. No single score is given, for none was published that would allow it.
 *
 * @returns of each run its bounds (`low`, `high`; they rest on `BOUND_ASSUMPTIONS`), its possible ranks, `q` and
 * `classification` as printed, and every class that it may have, best first (`classifications`).
 * @throws {UserError} on a row that contradicts itself, naming file and line; on a name that is no component.
 * @throws {RangeError} on bad weights or thresholds, as `rescore`.
 */
export function scorePublished(
  runs: readonly PublishedRun[],
  weights: Weights,
  { thresholds, normalise = false, components }: Omit<RescoreOptions, "tolerance"> = {},
) {
  const filling = fillOrder(unitWeights(weights, { normalise, components }), componentNames(components));
  const bounds = runs.map((run) => boundsOf(run, filling));
  const places = rankBounds(bounds);
  return runs.map(({ label, model, seed, source, row, classification }, i) => ({
    ...{ label, model, seed, source, q: row.q, classification },
    ...bounds[i]!,
    classifications: possibleClasses(runs[i]!, bounds[i]!, thresholds),
    ...places[i]!,
  }));
}

/** The score of a published run under other weights. */
export type PublishedScore = ReturnType<typeof scorePublished>[number];

function boundsOf({ name, label, row }: PublishedRun, filling: ReturnType<typeof fillOrder>): Interval {
  try {
    return boundsSolver(row)(filling);
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`${name}: ${label}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The class of a failure does not depend on q; a stabilised run has any class between those of its ends. */
function possibleClasses(
  { row: { stabilized }, classification }: PublishedRun,
  { low, high }: Interval,
  thresholds: Thresholds | undefined,
): Classification[] {
  if (!stabilized) return [classification];
  const place = (q: number) => CLASSIFICATIONS.indexOf(classify({ q, stabilized, passed_count: 1 }, thresholds));
  return CLASSIFICATIONS.slice(place(high), place(low) + 1);
}
