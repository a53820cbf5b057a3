import { classify, type Thresholds } from "../../../quality/classify.ts";
import type { Interval } from "../../../quality/published_row.ts";
import { rankBounds } from "../../../quality/rank_bounds.ts";
import { boundsSolver, fillOrder } from "../../../quality/rescore_bounds.ts";
import { type Classification, type ComponentName, COMPONENTS } from "../../../schema/quality_names.ts";
import type { OwnEntry, PublishedEntry } from "./data.ts";
import { type RankChange, rankChange, type RankRange } from "./rank_change.ts";
import { type ExplorerState, type FullWeights, PUBLISHED_STATE, rankedWeights } from "./state.ts";

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
