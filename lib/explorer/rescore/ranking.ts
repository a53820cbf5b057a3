import { classify, type Thresholds } from "../../quality/classify.ts";
import type { Interval } from "../../quality/published_row.ts";
import { type RankBounds, rankBounds } from "../../quality/ranks.ts";
import { boundsSolver, fillOrder } from "../../quality/rescore_bounds.ts";
import { type Classification, type ComponentName, COMPONENTS } from "../../schema/quality_names.ts";
import type { OwnEntry, PublishedEntry } from "./data.ts";
import { type ExplorerState, type FullWeights, nameOf, PUBLISHED_STATE, rankedWeights } from "./state.ts";

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

/** One run under the reader's weights. */
export interface RankedRun {
  /** Absent when it cannot be computed: see `missing`, or all weights are 0. One point where everything is known. */
  readonly q?: Interval;
  readonly rank?: RankRange;
  /** Against the published weights. */
  readonly change?: RankChange;
  /** Every class that q allows; one, except where an interval holds a threshold. Empty when it is not known. */
  readonly classes: readonly Classification[];
  /** Components that the weights use and the run lacks. */
  readonly missing: readonly ComponentName[];
}

/** Runs that are ranked among themselves. */
export interface Ranking {
  /** In the order of the entries. */
  readonly runs: readonly RankedRun[];
  /** Indices of the entries, the largest q first, by the middle of the interval; what has no q comes last. */
  readonly order: readonly number[];
}

/** Ranks under any state; made once, asked at every move. */
export type Ranker = (state: ExplorerState) => Ranking;

/**
 * A ranker of published runs. Ranks are ranges: the values that were not printed may be anything that agrees with what
 * was (`rescoreBounds`), independently in every run.
 *
 * @throws {RangeError} on a row that contradicts itself.
 */
export function publishedRanker(entries: readonly PublishedEntry[]): Ranker {
  const solvers = entries.map(({ row }) => boundsSolver(row));
  return ranker({
    outcomes: entries.map(({ row }) => ({ stabilized: row.stabilized, passedCount: row.passed_count })),
    scores(unit) {
      const filling = fillOrder(unit);
      return solvers.map((solve) => ({ q: solve(filling), missing: [] }));
    },
  });
}

/** A ranker of preserved runs, whose q is exact: equal q share a rank. */
export function ownRanker(entries: readonly OwnEntry[]): Ranker {
  return ranker({
    outcomes: entries.map(({ stabilized, passed_count }) => ({ stabilized, passedCount: passed_count })),
    scores: (unit) => entries.map(({ components }) => exactScore(components, unit)),
  });
}

type Score = Pick<RankedRun, "q" | "missing">;

interface Scoring {
  readonly outcomes: readonly { readonly stabilized: boolean; readonly passedCount: number | undefined }[];
  readonly scores: (unit: FullWeights) => Score[];
}

function ranker({ outcomes, scores }: Scoring): Ranker {
  const rankAt = (state: ExplorerState): { found: Score[]; ranked: (RankRange | undefined)[] } => {
    const { unit } = rankedWeights(state.weights);
    const found: Score[] = unit === undefined ? outcomes.map(() => ({ missing: [] })) : scores(unit);
    const known = found.flatMap(({ q }) => q ?? []);
    const rest = rankBounds(known).values();
    return { found, ranked: found.map(({ q }) => q === undefined ? undefined : rest.next().value) };
  };
  const before = rankAt(PUBLISHED_STATE).ranked;
  return (state) => {
    const { found, ranked } = rankAt(state);
    const unmoved = samePublished(state.weights);
    const runs = found.map(({ q, missing }, i): RankedRun => {
      const [old, rank] = [before[i], ranked[i]];
      const change = old && rank && (unmoved ? SAME : rankChange(old, rank));
      return {
        ...(q && { q }),
        ...(rank && { rank }),
        ...(change && { change }),
        classes: classesOf(q, outcomes[i]!, state.thresholds),
        missing,
      };
    });
    return { runs, order: orderOf(runs) };
  };
}

const SAME: RankChange = { kind: "same" };

/** Under the published weights every run is where it was, though its rank there may be a range. */
function samePublished(weights: FullWeights): boolean {
  const { unit } = rankedWeights(weights);
  return unit !== undefined && COMPONENTS.every((name) => Math.abs(unit[name] - PUBLISHED_STATE.weights[name]) < 1e-12);
}

function exactScore(components: OwnEntry["components"], unit: FullWeights): Score {
  const missing = COMPONENTS.filter((name) => unit[name] > 0 && components[name] === undefined);
  if (missing.length > 0) return { missing };
  const sum = COMPONENTS.reduce((total, name) => total + unit[name] * (components[name] ?? 0), 0);
  const q = Math.min(1, sum);
  return { q: { low: q, high: q }, missing };
}

/** The class at the lower end, and that of every threshold above it that the interval reaches. */
function classesOf(q: Interval | undefined, outcome: Scoring["outcomes"][number], thresholds: Thresholds) {
  const { strong, adequate } = thresholds;
  const points = q && [q.low, ...[adequate, strong].filter((at) => q.low < at && at <= q.high)];
  const classes = (points ?? [undefined]).map((at) => classify({ ...outcome, q: at }, thresholds));
  return [...new Set(classes)].filter((name) => name !== undefined);
}

function orderOf(runs: readonly RankedRun[]): number[] {
  const middle = runs.map(({ q }) => q === undefined ? -1 : q.low + q.high);
  return runs.map((_, i) => i).sort((a, b) => middle[b]! - middle[a]! || a - b);
}

/** A ranking, with how it is called and how its runs stood under the published weights and thresholds. */
export interface Told {
  readonly title: string;
  readonly labels: readonly string[];
  readonly ranking: Ranking;
  readonly baseline: Ranking;
}

/** What the reader's last move changed, in a few sentences to be read out. */
export function summaryText(state: ExplorerState, told: readonly Told[]): string {
  const { sum, divided, unit } = rankedWeights(state.weights);
  if (unit === undefined) return "All weights are 0: nothing can be ranked.";
  const name = nameOf(state.weights);
  const weights = name === undefined ? "Your own weights" : `Weights: ${name}`;
  const normalised = divided ? `, divided by their sum ${sum.toFixed(2)}` : "";
  return [`${weights}${normalised}.`, ...told.map(rankSentence)].join(" ");
}

function rankSentence({ title, labels, ranking: { runs, order }, baseline }: Told): string {
  const count = (kind: string) => runs.filter(({ change }) => change?.kind === kind).length;
  const moved: [number, string][] = [
    [count("up"), "up"],
    [count("down"), "down"],
    [count("undecided"), "undecided"],
    [runs.filter(({ q }) => q === undefined).length, "not computable"],
  ];
  const some = moved.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  const ranks = some.length === 0 ? "no rank changed" : `of ${runs.length} ranks ${some.join(", ")}`;
  const classes = runs.filter((run, i) => run.classes.join() !== baseline.runs[i]!.classes.join()).length;
  const changed = classes === 0 ? "" : `, ${classes} with another class`;
  const first = order[0];
  const leader = first === undefined ? "" : `; first is ${labels[first]}`;
  return `${title}: ${ranks}${changed}${leader}.`;
}
