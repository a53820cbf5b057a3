import { mean } from "simple-statistics";
import type { Thresholds } from "../quality/classify.ts";
import type { Interval } from "../quality/published_row.ts";
import { type RankBounds, rankBounds } from "../quality/ranks.ts";
import { meanScores, type ScoreIntervals } from "../quality/scores.ts";
import { type ClassCounts, classCounts, type Ending, pairShares, type PossibleClass } from "../quality/shares.ts";
import { PUBLISHED_WEIGHTS, type Weights, withShare } from "../quality/weights.ts";
import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import { kendallTau } from "../stats/rank_correlation.ts";

/** Runs that belong together, such as those of a model family. */
interface RunGroup {
  readonly label: string;
  /** Indices of its runs. */
  readonly runs: readonly number[];
}

/** Runs by label, in the order of each label's first run. */
export function groupByLabel(labels: readonly string[]): RunGroup[] {
  return [...Map.groupBy(labels.keys(), (i) => labels[i]!)].map(([label, runs]) => ({ label, runs }));
}

// Notebooks still call it groupRuns.
export { groupByLabel as groupRuns };

/** The groups in falling order of their means under `weights`, by the middle of what each may be. */
export function orderGroups(
  groups: readonly RunGroup[],
  scores: ScoreIntervals,
  weights: Weights = PUBLISHED_WEIGHTS,
): RunGroup[] {
  const means = meanScores(scores, groups.map(({ runs }) => runs))(weights);
  const middles = groups.map((group, i) => ({ group, middle: means[i]!.low + means[i]!.high }));
  return middles.sort((a, b) => b.middle - a.middle).map(({ group }) => group);
}

/**
 * Mean components of some runs: since q is linear in them, what holds of the scores of means holds of mean scores.
 *
 * @throws {RangeError} without runs, or when a component of a run is not known.
 */
export function meanComponents(
  summaries: readonly { readonly components: Readonly<Partial<Record<ComponentName, number | undefined>>> }[],
): Record<ComponentName, number> {
  if (summaries.length === 0) throw new RangeError("there are no runs, so they have no mean components");
  const means = COMPONENTS.map((name) => {
    const values = summaries.map(({ components }, i) => {
      const value = components[name];
      if (value === undefined) throw new RangeError(`run ${i} lacks the component ${name}: its mean is not known`);
      return value;
    });
    return [name, mean(values)] as const;
  });
  return Object.fromEntries(means) as Record<ComponentName, number>;
}

/** A group's mean share of each class: of its runs and the weightings they were scored under. */
interface ClassMix {
  readonly label: string;
  readonly shares: ClassCounts;
}

/** Mean class shares of groups of runs, from those of the runs. */
export function classMix(groups: readonly RunGroup[], shares: readonly ClassCounts[]): ClassMix[] {
  return groups.map(({ label, runs }) => ({
    label,
    shares: Object.fromEntries(
      Object.keys(shares[0] ?? {}).map((name) => [name, mean(runs.map((i) => shares[i]![name as PossibleClass]))]),
    ) as ClassCounts,
  }));
}

/** How many pairs of runs kept their order. */
interface OrderCounts {
  /** Pairs whose order was certain before. */
  readonly decided: number;
  /** Of those, still the same for certain. */
  readonly kept: number;
  readonly undecided: number;
  readonly reversed: number;
}

/**
 * How many pairs keep their order from one weighting to another.
 *
 * @throws {RangeError} when the scores are not of the same number of runs.
 */
export function orderCounts(before: readonly Interval[], after: readonly Interval[]): OrderCounts {
  const decided = pairShares(before, [after]).filter(({ order }) => order !== "undecided");
  const count = (share: "kept" | "undecided" | "reversed") => decided.filter((pair) => pair[share] === 1).length;
  return { decided: decided.length, kept: count("kept"), undecided: count("undecided"), reversed: count("reversed") };
}

/** The runs under one weighting of a sweep. */
export interface ShareStep {
  readonly component: ComponentName;
  /** Share of the weight that the component has, the others keeping their proportions. */
  readonly share: number;
  readonly scores: readonly Interval[];
  readonly ranks: readonly RankBounds[];
  readonly orders: OrderCounts;
  /** Kendall's τ-b with the ranking under the base weights; absent where some score is a range, or all are equal. */
  readonly tau?: number;
}

/**
 * One component at a time: its share of the weight is moved, the others keep their proportions.
 *
 * @param options `shares` in [0, 1], default 0, 0.05, … 0.5; `weights` to start from, default the published ones;
 * `components` to move, default all nine.
 * @throws {RangeError} as `withShare`.
 */
export function sweepShares(
  scores: ScoreIntervals,
  { shares = SHARES, weights = PUBLISHED_WEIGHTS, components = COMPONENTS }: {
    shares?: readonly number[];
    weights?: Weights;
    components?: readonly ComponentName[];
  } = {},
): ShareStep[] {
  const base = scores(weights);
  return components.flatMap((component) =>
    shares.map((share): ShareStep => {
      const moved = scores(withShare(component, share, weights));
      const tau = agreement(base, moved);
      return {
        ...{ component, share, scores: moved, ranks: rankBounds(moved), orders: orderCounts(base, moved) },
        ...(tau !== undefined && { tau }),
      };
    })
  );
}

const SHARES: readonly number[] = Array.from({ length: 11 }, (_, i) => i / 20);

function agreement(before: readonly Interval[], after: readonly Interval[]): number | undefined {
  const points = (scores: readonly Interval[]) => scores.flatMap(({ low, high }) => (low === high ? [low] : []));
  const [a, b] = [points(before), points(after)];
  return a.length === before.length && b.length === after.length ? kendallTau(a, b) : undefined;
}

/** Class counts under one pair of thresholds. */
interface ThresholdStep extends Thresholds {
  readonly counts: ClassCounts;
}

/**
 * Class counts as one threshold moves and the other stays.
 *
 * @throws {RangeError} as `classCounts`.
 */
export function sweepThresholds(
  scores: readonly Interval[],
  endings: readonly Ending[],
  steps: readonly Thresholds[],
): ThresholdStep[] {
  return steps.map(({ strong, adequate }) => ({
    ...{ strong, adequate },
    counts: classCounts(scores, endings, { strong, adequate }),
  }));
}
