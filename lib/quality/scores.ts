import { COMPONENTS } from "../schema/quality_names.ts";
import type { PreservedSummary } from "../schema/station_summary.ts";
import type { Interval, PublishedRow } from "./published_row.ts";
import { boundsSolver, fillOrder } from "./rescore_bounds.ts";
import { unitWeights, usedComponents, type Weights } from "./weights.ts";

/** Components of many runs, ready to be scored under many weights. */
interface ComponentColumns {
  /** Number of runs. */
  readonly length: number;
  /** One column a component, in the order of `COMPONENTS`; NaN where it is not known. */
  readonly columns: readonly Float64Array[];
}

/**
 * Lays the components of runs out by column. Components are taken as they are; `rescore` is what checks summaries.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const { length, columns } = componentColumns([{ components: { executability: 0.6 } }, { components: { trust: 1 } }]);
 * assert.equal(length, 2);
 * assert.deepEqual(columns[0], Float64Array.of(0.6, NaN)); // executability
 * ```
 */
export function componentColumns(summaries: readonly Pick<PreservedSummary, "components">[]): ComponentColumns {
  const columns = COMPONENTS.map((name) =>
    Float64Array.from(summaries, ({ components }) => components[name] ?? Number.NaN)
  );
  return { length: summaries.length, columns };
}

/**
 * q of every run under one weighting, fast: for thousands of weightings over thousands of runs.
 *
 * @param weights used as they are, as in `qualityOfSurvival`: not normalised, and a q above 1 is cut to 1.
 * @param into where to write, one number a run; by default a new array.
 * @returns NaN where the weights use a component that is not known, and only there.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const runs = componentColumns([{ components: { executability: 0.6, trust: 1 } }, { components: { trust: 1 } }]);
 * assert.deepEqual(scoreColumns(runs, { executability: 0.5, trust: 0.5 }), Float64Array.of(0.8, NaN));
 * assert.deepEqual(scoreColumns(runs, { trust: 1 }), Float64Array.of(1, 1));
 * ```
 * @throws {UserError} on weights for a name that is not a component.
 * @throws {RangeError} on a negative or non-finite weight, no weight above 0, and an `into` of another length.
 */
export function scoreColumns(
  { length, columns }: ComponentColumns,
  weights: Weights,
  into: Float64Array = new Float64Array(length),
): Float64Array {
  if (into.length !== length) {
    throw new RangeError(`into must hold ${length} numbers, one a run; it holds ${into.length}`);
  }
  const used = usedComponents(weights);
  into.fill(0);
  for (const [i, name] of COMPONENTS.entries()) {
    if (!used.includes(name)) continue;
    const [column, weight] = [columns[i]!, weights[name]!];
    for (let run = 0; run < length; run++) into[run]! += weight * column[run]!;
  }
  for (let run = 0; run < length; run++) if (into[run]! > 1) into[run] = 1;
  return into;
}

/**
 * The scores of some runs under any weighting, each as the range it may lie in: a single point where every component is
 * known. What is said of pairs, ranks and classes rests on this, so that runs of which much or little is known are
 * treated alike. Weights must sum to 1, as in `rescore`.
 */
export type ScoreIntervals = (weights: Weights) => readonly Interval[];

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
