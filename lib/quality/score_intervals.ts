import { COMPONENTS } from "../schema/quality_names.ts";
import type { PreservedSummary } from "./preserved_summary.ts";
import type { Interval, PublishedRow } from "./published_row.ts";
import { boundsSolver, fillOrder } from "./rescore_bounds.ts";
import { unitWeights, type Weights } from "./weights.ts";

/**
 * The scores of some runs under any weighting, each as the range it may lie in: a single point where every component is
 * known. What is said of pairs, ranks and classes rests on this, so that runs of which much or little is known are
 * treated alike. Weights must sum to 1, as in `rescore`.
 */
export type ScoreIntervals = (weights: Weights) => readonly Interval[];

/**
 * Scores of runs whose components were preserved. A component that is not known may be anything from 0 to 1.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const scores = preservedScores([{ components: { trust: 0.5, coalition: 1 } }, { components: { trust: 0.5 } }]);
 * assert.deepEqual(scores({ trust: 0.5, coalition: 0.5 }), [{ low: 0.75, high: 0.75 }, { low: 0.25, high: 0.75 }]);
 * ```
 * @throws {UserError} and {RangeError}, when scored, on bad weights as `unitWeights`.
 */
export function preservedScores(summaries: readonly Pick<PreservedSummary, "components">[]): ScoreIntervals {
  return (weights) => {
    const unit = unitWeights(weights);
    const used = COMPONENTS.flatMap((name) => ((unit[name] ?? 0) > 0 ? [[name, unit[name]!] as const] : []));
    return summaries.map(({ components }) => ({
      low: used.reduce((sum, [name, weight]) => sum + weight * (components[name] ?? 0), 0),
      high: used.reduce((sum, [name, weight]) => sum + weight * (components[name] ?? 1), 0),
    }));
  };
}

/**
 * Scores of published runs: the bounds of `rescoreBounds`, which rest on `BOUND_ASSUMPTIONS`.
 *
 * @throws {RangeError} as `boundsSolver`; when scored, on bad weights as `unitWeights`.
 */
export function publishedScores(rows: readonly PublishedRow[]): ScoreIntervals {
  const solvers = rows.map((row) => boundsSolver(row));
  return (weights) => {
    const filling = fillOrder(unitWeights(weights));
    return solvers.map((solve) => solve(filling));
  };
}

/**
 * Mean scores of groups of runs, such as model families. Runs vary independently of one another, so the mean of the
 * lower ends can be reached, and so can that of the upper.
 *
 * @param groups of each group, the indices of its runs.
 * @throws {RangeError} on a group without runs, and, when scored, on an index that no run has.
 */
export function meanScores(scores: ScoreIntervals, groups: readonly (readonly number[])[]): ScoreIntervals {
  const empty = groups.findIndex((group) => group.length === 0);
  if (empty >= 0) throw new RangeError(`group ${empty} has no runs, so it has no mean`);
  return (weights) => {
    const all = scores(weights);
    const at = (i: number): Interval => {
      const found = all[i];
      if (found === undefined) throw new RangeError(`there is no run ${i}: there are ${all.length}`);
      return found;
    };
    return groups.map((group) => ({
      low: group.reduce((sum, i) => sum + at(i).low, 0) / group.length,
      high: group.reduce((sum, i) => sum + at(i).high, 0) / group.length,
    }));
  };
}
