import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import type { PublishedRow } from "./published_row.ts";
import { type PairOrder, pairOrder } from "./rank_bounds.ts";
import { publishedScores } from "./score_intervals.ts";
import { firstNegative, firstUsedUp } from "./along_line.ts";
import { unitWeights, type Weights } from "./weights.ts";

/** Weight moved from one component to one other. */
export interface WeightMove {
  readonly from: ComponentName;
  readonly to: ComponentName;
  /** How much of the weight is moved; the L1 distance is twice this. */
  readonly moved: number;
}

/** How firmly the published values settle the order of two runs. */
export interface NearestUnsettled {
  readonly order: PairOrder;
  /** The smallest move after which the order is no longer certain; absent where it is not, or where none is enough. */
  readonly unsettled?: WeightMove;
  /** The smallest move after which it is certainly the opposite; absent where none does that. */
  readonly reversed?: WeightMove;
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
  const unit = unitWeights(weights);
  const scores = publishedScores([a, b]);
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
  const unsettled = smallest(unit, (along, most) => firstUsedUp((moved) => gaps(along(moved)).certain, most));
  const reversed = smallest(unit, (along, most) => firstNegative((moved) => gaps(along(moved)).possible, most));
  return { order, ...(unsettled && { unsettled }), ...(reversed && { reversed }) };
}

/** The smallest of the 72 moves that `find` finds. */
function smallest(
  unit: Weights,
  find: (along: (moved: number) => Weights, most: number) => number | undefined,
): WeightMove | undefined {
  const moves = COMPONENTS.flatMap((from) =>
    COMPONENTS.filter((to) => to !== from).flatMap((to): WeightMove[] => {
      const [most, start] = [unit[from] ?? 0, unit[to] ?? 0];
      const moved = find((moved) => ({ ...unit, [from]: Math.max(0, most - moved), [to]: start + moved }), most);
      return moved === undefined ? [] : [{ from, to, moved }];
    })
  );
  return moves.reduce<WeightMove | undefined>(
    (best, move) => (best && best.moved <= move.moved ? best : move),
    undefined,
  );
}
