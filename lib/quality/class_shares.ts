import { type Classification, CLASSIFICATIONS } from "../schema/quality_names.ts";
import { classify, type Outcome, PUBLISHED_THRESHOLDS, type Thresholds } from "./classify.ts";
import { checkDraws } from "./pair_shares.ts";
import type { Interval } from "./published_row.ts";

/** What decides a run's class besides its score. */
export type Ending = Pick<Outcome, "stabilized" | "passedCount">;

/** A class, or `undecided` where the score's range reaches into more than one or what decides is not known. */
export type PossibleClass = Classification | "undecided";

/** Number, or share, of each. */
export type ClassCounts = Readonly<Record<PossibleClass, number>>;

/**
 * The class of a run of whose score only a range is known: the class of both ends, if it is the same.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(classWithin({ low: 0.71, high: 0.81 }, { stabilized: true }), "BENCHMARK_ADEQUATE");
 * assert.equal(classWithin({ low: 0.81, high: 0.83 }, { stabilized: true }), "undecided");
 * ```
 * @throws {RangeError} as `classify`.
 */
export function classWithin(
  { low, high }: Interval,
  ending: Ending,
  thresholds: Thresholds = PUBLISHED_THRESHOLDS,
): PossibleClass {
  const [least, most] = [low, high].map((q) => classify({ ...ending, q }, thresholds));
  return least === most && least !== undefined ? least : "undecided";
}

/**
 * How many of some runs are in which class.
 *
 * @throws {RangeError} as `classify`, and unless there is one ending a score.
 */
export function classCounts(
  scores: readonly Interval[],
  endings: readonly Ending[],
  thresholds: Thresholds = PUBLISHED_THRESHOLDS,
): ClassCounts {
  if (scores.length !== endings.length) {
    throw new RangeError(`each score needs an ending: there are ${scores.length} and ${endings.length}`);
  }
  const counts = none();
  for (const [i, score] of scores.entries()) counts[classWithin(score, endings[i]!, thresholds)]++;
  return counts;
}

/**
 * Share of weightings under which each run is in which class.
 *
 * @param draws scores of the runs under many weightings, [weighting][run].
 * @returns one record a run, its values summing to 1.
 * @throws {RangeError} without draws, when a draw has another number of runs, or as `classify`.
 */
export function classShares(
  draws: readonly (readonly Interval[])[],
  endings: readonly Ending[],
  thresholds: Thresholds = PUBLISHED_THRESHOLDS,
): ClassCounts[] {
  checkDraws(draws, endings.length);
  return endings.map((ending, i) => {
    const shares = none();
    for (const draw of draws) shares[classWithin(draw[i]!, ending, thresholds)] += 1;
    for (const name of POSSIBLE) shares[name] /= draws.length;
    return shares;
  });
}

const POSSIBLE: readonly PossibleClass[] = [...CLASSIFICATIONS, "undecided"];

function none(): Record<PossibleClass, number> {
  return Object.fromEntries(POSSIBLE.map((name) => [name, 0])) as Record<PossibleClass, number>;
}
