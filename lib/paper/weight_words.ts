import type { BoundsGroup } from "../plots/bounds_plot.ts";
import type { PairShareCell } from "../plots/share_matrix.ts";
import type { SweepPanel } from "../plots/sweep_panels.ts";
import type { ThresholdPanel } from "../plots/threshold_plot.ts";
import { PUBLISHED_THRESHOLDS } from "../quality/classify.ts";
import type { WeightMove } from "../quality/nearest_unsettled.ts";
import type { Interval } from "../quality/published_row.ts";
import { classWithin, type Ending, type PairShare, type PossibleClass } from "../quality/shares.ts";
import { PUBLISHED_WEIGHTS, type Weights } from "../quality/weights.ts";
import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import type { Advantage } from "./goodhart.ts";
import type { PublishedStationRow } from "./published_rows.ts";
import { groupByLabel, type ShareStep, sweepThresholds } from "./weight_study.ts";

/** A class or component in words. */
export function wordsOf(name: PossibleClass | ComponentName): string {
  return name.replace("BENCHMARK_", "").toLowerCase().replaceAll("_", " ");
}

/** A move of weight in words, such as `0.097 from trust to containment`; nothing where there is none. */
export function moveWords(move: WeightMove | undefined): string | undefined {
  return move && `${move.moved.toFixed(3)} from ${wordsOf(move.from)} to ${wordsOf(move.to)}`;
}

/**
 * What changes from one weighting to another, such as `trust −0.050, coalition +0.050`; nothing where there is none, or
 * where nothing changes by as much as is printed.
 */
export function weightChangeWords(before: Weights, after: Weights | undefined): string | undefined {
  if (after === undefined) return undefined;
  const words = COMPONENTS.flatMap((name) => {
    const change = (after[name] ?? 0) - (before[name] ?? 0);
    const size = Math.abs(change).toFixed(3);
    return Number(size) === 0 ? [] : [`${wordsOf(name)} ${change < 0 ? "−" : "+"}${size}`];
  });
  return words.length === 0 ? undefined : words.join(", ");
}

// Notebooks still call it changeWords.
export { weightChangeWords as changeWords };

/** The pairs that keep their order under one other weighting, and those that turn round, such as `A > B`. */
export function orderWords(
  labels: readonly string[],
  pairs: readonly PairShare[],
): { readonly kept: readonly string[]; readonly reversed: readonly string[] } {
  const words = ({ a, b }: PairShare, above: boolean) => `${labels[above ? a : b]} > ${labels[above ? b : a]}`;
  const ordered = pairs.filter(({ order }) => order !== "undecided");
  return {
    kept: ordered.filter(({ kept }) => kept === 1).map((pair) => words(pair, pair.order === "above")),
    reversed: ordered.filter(({ reversed }) => reversed === 1).map((pair) => words(pair, pair.order === "below")),
  };
}

/** An advantage with its interval, such as `1.67 [1.46, 1.91]`, or why there is none. */
export function advantageWords({ value, low, high, reason }: Advantage): string {
  if (value === undefined) return `none: ${reason ?? "unknown"}`.replaceAll("-", " ");
  const interval = low === undefined || high === undefined ? "" : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  return `${value.toFixed(2)}${interval}`.replaceAll("-", "−");
}

/** Published runs under one weighting, for `boundsPlot`: by family, with the class that is certain. */
export function boundsGroups(rows: readonly PublishedStationRow[], scores: readonly Interval[]): BoundsGroup[] {
  return groupByLabel(rows.map(({ family }) => family)).map(({ label, runs }) => ({
    label,
    rows: runs.map((i) => ({
      ...{ label: rows[i]!.label, low: scores[i]!.low, high: scores[i]!.high, published: rows[i]!.q },
      note: wordsOf(classWithin(scores[i]!, rows[i]!)),
    })),
  }));
}

/** Pair shares for `shareMatrix`: both directions of each pair, rows and columns in the order of the labels. */
export function pairCells(labels: readonly string[], pairs: readonly PairShare[]): PairShareCell[] {
  return labels.flatMap((row, i) =>
    labels.flatMap((column, j): PairShareCell[] => {
      const pair = pairs.find(({ a, b }) => a === Math.min(i, j) && b === Math.max(i, j));
      if (pair === undefined) return [];
      const [above, order] = i < j ? [pair.above, "above"] : [pair.below, "below"];
      return [{ row, column, above, undecided: pair.undecided, published: pair.order === order }];
    })
  );
}

/** A sweep of shares for `sweepPanels`: a panel a component, a series a label, either ranks or scores. */
export function sweepPanelData(
  labels: readonly string[],
  steps: readonly ShareStep[],
  what: "ranks" | "scores",
): SweepPanel[] {
  const components = [...new Set(steps.map(({ component }) => component))];
  return components.map((component) => ({
    title: wordsOf(component),
    published: PUBLISHED_WEIGHTS[component],
    series: labels.map((label, i) => ({
      label,
      points: steps.filter((step) => step.component === component).map((step) => {
        const { best, worst } = step.ranks[i]!;
        return { x: step.share, ...(what === "ranks" ? { low: best, high: worst } : step.scores[i]!) };
      }),
    })),
  }));
}

/**
 * Class counts for `thresholdPlot`: first the threshold of strong is moved, then that of adequate, by hundredths around
 * the published one, up to where they would meet.
 */
export function thresholdPanels(scores: readonly Interval[], endings: readonly Ending[]): ThresholdPanel[] {
  const { strong, adequate } = PUBLISHED_THRESHOLDS;
  const reach = Math.round((strong - adequate) * 100);
  const around = (middle: number) =>
    Array.from({ length: 2 * reach + 1 }, (_, i) => Number((middle + (i - reach) / 100).toFixed(2)));
  return (["strong", "adequate"] as const).map((name) => ({
    title: `${name} from`,
    published: PUBLISHED_THRESHOLDS[name],
    steps: sweepThresholds(
      scores,
      endings,
      around(PUBLISHED_THRESHOLDS[name]).map((q) => ({ strong, adequate, [name]: q })),
    )
      .map((step) => ({ threshold: step[name], counts: step.counts })),
  }));
}
