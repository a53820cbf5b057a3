import { least } from "d3-array";
import { type ComponentName, componentNames } from "../schema/quality_names.ts";
import type { PublishedRow } from "./published_row.ts";
import { type PairOrder, pairOrder } from "./ranks.ts";
import { publishedScores, type ScoreIntervals } from "./scores.ts";
import { type OwnOptions, unitWeights, type Weights } from "./weights.ts";

/** Halvings: 2^−40 of a weight is far below what rounding leaves. */
const HALVINGS = 40;

/**
 * Where a concave function that starts above 0 first is 0 or less, up to `most`; `undefined` where it stays above.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.ok(Math.abs(firstUsedUp((x) => 0.25 - x * x, 1)! - 0.5) < 1e-9);
 * assert.equal(firstUsedUp((x) => 2 - x, 1), undefined);
 * ```
 */
export function firstUsedUp(lead: (at: number) => number, most: number): number | undefined {
  if (most === 0 || lead(most) > 0) return undefined;
  return bisect((at) => lead(at) <= 0, 0, most);
}

/**
 * Where a convex function that starts above 0 first is below 0, up to `most`; `undefined` where it never is. It may come
 * up again, so its lowest point is searched first, to 1e-6: a dip that is narrower may be missed.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.ok(Math.abs(firstNegative((x) => (x - 0.5) ** 2 - 0.04, 1)! - 0.3) < 1e-9);
 * assert.equal(firstNegative((x) => (x - 0.5) ** 2, 1), undefined);
 * ```
 */
export function firstNegative(lead: (at: number) => number, most: number): number | undefined {
  if (most === 0) return undefined;
  const deepest = lowest(lead, most);
  return lead(deepest) < 0 ? bisect((at) => lead(at) < 0, 0, deepest) : undefined;
}

/** The smallest number between `from`, which fails, and `to`, which passes, that passes. */
function bisect(passes: (at: number) => boolean, from: number, to: number): number {
  let [fails, good] = [from, to];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (fails + good) / 2;
    if (passes(middle)) good = middle;
    else fails = middle;
  }
  return good;
}

/** Where a convex function is lowest between 0 and `most`, by thirds. */
function lowest(value: (at: number) => number, most: number): number {
  let [low, high] = [0, most];
  while (high - low > 1e-6) {
    const third = (high - low) / 3;
    if (value(low + third) <= value(high - third)) high -= third;
    else low += third;
  }
  return (low + high) / 2;
}

/** Weight moved from one component to one other. */
export interface WeightMove<Name extends string = ComponentName> {
  readonly from: Name;
  readonly to: Name;
  /** How much of the weight is moved; the L1 distance is twice this. */
  readonly moved: number;
}

/** How firmly the published values settle the order of two runs. */
interface NearestUnsettled<Name extends string = ComponentName> {
  readonly order: PairOrder;
  /** The smallest move after which the order is no longer certain; absent where it is not, or where none is enough. */
  readonly unsettled?: WeightMove<Name>;
  /** The smallest move after which it is certainly the opposite; absent where none does that. */
  readonly reversed?: WeightMove<Name>;
}

/**
 * The smallest moves of weight from one component to one other (72 of them) that unsettle or reverse the order of two
 * published runs, of which only bounds are known under other weights (`rescoreBounds`, `BOUND_ASSUMPTIONS`).
 *
 * A move of several components at once may be smaller; this is what a reader can follow. Along each move the lower end
 * of a run's score is concave and its upper end convex, so the lead that is certain is concave: it is used up once, and
 * bisection finds where. A certain reversal holds over a stretch of the move or nowhere; its deepest point is searched
 * first, then where it begins. From the published weights both are straight lines, since a single move leaves the order
 * in which `rescoreBounds` fills up the components as it is.
 *
 * @returns only the `order` where it is undecided under `weights` already: it has nothing to lose.
 * @throws {RangeError} on bad weights as `unitWeights`, and on rows as `rescoreBounds`.
 */
export function nearestUnsettled(a: PublishedRow, b: PublishedRow, weights: Weights): NearestUnsettled {
  return nearestMoves(publishedScores([a, b]), weights) as NearestUnsettled;
}

/**
 * As `nearestUnsettled`, of any two runs, a first: also where every component of one or of both is known, and between
 * components of one's own.
 */
export function nearestMoves(
  scores: ScoreIntervals,
  weights: Weights,
  { components }: OwnOptions = {},
): NearestUnsettled<string> {
  const unit = unitWeights(weights, { components }), names = componentNames(components);
  const [first, second] = scores(unit);
  const order = pairOrder(first!, second!);
  if (order === "undecided") return { order };
  const [upper, lower] = order === "above" ? [0, 1] : [1, 0];
  const gaps = (at: Weights) => {
    const bounds = scores(at);
    const [high, low] = [bounds[upper]!, bounds[lower]!];
    // What the one that leads is certainly ahead, and what it is possibly ahead.
    return { certain: high.low - low.high, possible: high.high - low.low };
  };
  const unsettled = smallest(unit, names, (along, most) => firstUsedUp((moved) => gaps(along(moved)).certain, most));
  const reversed = smallest(unit, names, (along, most) => firstNegative((moved) => gaps(along(moved)).possible, most));
  return { order, ...(unsettled && { unsettled }), ...(reversed && { reversed }) };
}

/** The smallest move, between any two of the names, that `find` finds. */
function smallest(
  unit: Weights,
  names: readonly string[],
  find: (along: (moved: number) => Weights, most: number) => number | undefined,
): WeightMove<string> | undefined {
  const moves = names.flatMap((from) =>
    names.filter((to) => to !== from).flatMap((to): WeightMove<string>[] => {
      const [most, start] = [unit[from] ?? 0, unit[to] ?? 0];
      const moved = find((moved) => ({ ...unit, [from]: Math.max(0, most - moved), [to]: start + moved }), most);
      return moved === undefined ? [] : [{ from, to, moved }];
    })
  );
  return least(moves, ({ moved }) => moved);
}
