import { mean } from "d3-array";
import { createRng } from "../../core/rng.ts";
import { classify, type Thresholds } from "../../quality/classify.ts";
import { dirichletWeights } from "../../quality/dirichlet_weights.ts";
import { type Interval, SAME_Q } from "../../quality/published_row.ts";
import { type RankBounds, rankBounds } from "../../quality/ranks.ts";
import { boundsSolver, fillOrder } from "../../quality/rescore_bounds.ts";
import { type Classification, type OwnComponents } from "../../schema/quality_names.ts";
import type { Entry } from "./data.ts";
import { type FullWeights, isSame, PUBLISHED_STATE } from "./state.ts";

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

/** A run's score: absent where the weights use components that it lacks. One point where everything is known. */
export interface Score {
  readonly q?: Interval | undefined;
  /** Components that the weights use and the run lacks. */
  readonly missing: readonly string[];
}

/** Scores of some runs under any weights; made once, asked at every move. */
export type Scorer = (weights: FullWeights) => Score[];

/**
 * Printed runs have every q that agrees with what was printed (`rescoreBounds`), those with known components one.
 *
 * @throws {RangeError} on a printed row that contradicts itself.
 */
export function scorerOf(entries: readonly Entry[]): Scorer {
  const solvers = entries.map(({ row, components }) => {
    if (row === undefined) return (weights: FullWeights) => exactScore(components, weights);
    const solve = boundsSolver(row);
    return (_: FullWeights, filling: ReturnType<typeof fillOrder>): Score => ({ q: solve(filling), missing: [] });
  });
  return (weights) => {
    const filling = fillOrder(weights, Object.keys(weights));
    return solvers.map((solve) => solve(weights, filling));
  };
}

function exactScore(components: Entry["components"], weights: FullWeights): Score {
  const names = Object.keys(weights);
  const missing = names.filter((name) => weights[name]! > 0 && components[name] === undefined);
  if (missing.length > 0) return { missing };
  const q = Math.min(1, names.reduce((sum, name) => sum + weights[name]! * (components[name] ?? 0), 0));
  return { q: { low: q, high: q }, missing };
}

/** One run under the reader's weights. */
export interface RankedRun extends Score {
  readonly rank?: RankRange | undefined;
  /** Against the published weights. */
  readonly change?: RankChange | undefined;
}

/** Runs that are ranked among themselves. */
export interface Ranking {
  /** In the order of the entries. */
  readonly runs: readonly RankedRun[];
  /** Indices of the entries, the largest q first, by the middle of the interval; what has no q comes last. */
  readonly order: readonly number[];
}

/** Ranks of runs as ranges: what was not printed may be anything that agrees with what was, independently in every run. */
export function ranker(score: Scorer): (weights: FullWeights) => Ranking {
  const rankAt = (weights: FullWeights) => {
    const found = score(weights);
    const rest = rankBounds(found.flatMap(({ q }) => q ?? [])).values();
    return { found, ranked: found.map(({ q }) => q === undefined ? undefined : rest.next().value) };
  };
  const before = rankAt(PUBLISHED_STATE.weights).ranked;
  return (weights) => {
    const { found, ranked } = rankAt(weights);
    // Under the published weights every run is where it was, though its rank there may be a range.
    const unmoved = isSame(weights, PUBLISHED_STATE.weights);
    const runs = found.map(({ q, missing }, i): RankedRun => {
      const [old, rank] = [before[i], ranked[i]];
      return { q, missing, rank, change: old && rank && (unmoved ? SAME : rankChange(old, rank)) };
    });
    return { runs, order: orderOf(runs) };
  };
}

const SAME: RankChange = { kind: "same" };

const middle = ({ q }: Score): number => q === undefined ? -1 : q.low + q.high;

function orderOf(scores: readonly Score[]): number[] {
  const middles = scores.map(middle);
  return middles.map((_, i) => i).sort((a, b) => middles[b]! - middles[a]! || a - b);
}

/** The class at the lower end, and that of every threshold above it that the interval reaches. */
export function classesOf(
  { stabilized, passed_count }: Entry,
  q: Interval | undefined,
  thresholds: Thresholds,
): Classification[] {
  if (stabilized === undefined) return [];
  const { strong, adequate } = thresholds;
  const points = q && [q.low, ...[adequate, strong].filter((at) => q.low < at && at <= q.high)];
  const classes = (points ?? [undefined]).map((at) => classify({ q: at, stabilized, passed_count }, thresholds));
  return [...new Set(classes)].filter((name) => name !== undefined);
}

/** The mean score of the runs of one model or council. */
export interface Family {
  readonly name: string;
  readonly synthetic: boolean;
  readonly runs: number;
  /** Runs whose q cannot be computed: with any of them there is no mean. */
  readonly lacking: number;
  readonly q?: Interval | undefined;
  readonly rank?: RankRange | undefined;
}

/** Means by model or council, the largest first, as Table 6 of the station paper has them. */
export function familyMeans(entries: readonly Entry[], scores: readonly Score[]): Family[] {
  const groups = Map.groupBy(entries.map((entry, i) => ({ entry, q: scores[i]!.q })), ({ entry }) => entry.family);
  const found = [...groups].map(([name, runs]) => {
    const known = runs.flatMap(({ q }) => q ?? []), lacking = runs.length - known.length;
    // Runs vary independently of one another, so both ends are attained.
    const q = lacking > 0 ? undefined : { low: mean(known, (q) => q.low)!, high: mean(known, (q) => q.high)! };
    return { name, synthetic: runs.some(({ entry }) => entry.synthetic), runs: runs.length, lacking, q };
  });
  const ranks = rankBounds(found.flatMap(({ q }) => q ?? [])).values();
  const ranked = found.map((family): Family => ({ ...family, rank: family.q && ranks.next().value! }));
  return orderOf(ranked.map(({ q }) => ({ q, missing: [] }))).map((i) => ranked[i]!);
}

/** Who is first, and whether that is certain: no other run may have as large a score. */
export interface First {
  /** Place among the entries; absent where nothing can be computed. */
  readonly run?: number | undefined;
  readonly certain: boolean;
}

export function firstOf(scores: readonly Score[]): First {
  let run: number | undefined, best = -1;
  for (const [i, score] of scores.entries()) if (middle(score) > best) [run, best] = [i, middle(score)];
  const low = run === undefined ? 0 : scores[run]!.q!.low;
  const certain = run !== undefined &&
    scores.every(({ q }, i) => i === run || q === undefined || low - q.high > SAME_Q);
  return { run, certain };
}

/** How many weightings stand for all there are. */
export const DRAWS = 500;

/** Weightings that stand for all there are, each as likely as any other. */
export function drawsOf(components: OwnComponents | undefined): readonly FullWeights[] {
  const rng = createRng(1).fork("weightings");
  return Array.from({ length: DRAWS }, () => dirichletWeights(rng, { components }));
}
