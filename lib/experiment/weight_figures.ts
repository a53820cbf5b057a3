import type { BoundsGroup } from "../figures/bounds_plot.ts";
import type { PairShareCell } from "../figures/share_matrix.ts";
import type { SweepPanel } from "../figures/sweep_panels.ts";
import type { ThresholdPanel } from "../figures/threshold_plot.ts";
import { classWithin, type Ending } from "../quality/class_shares.ts";
import { PUBLISHED_THRESHOLDS } from "../quality/classify.ts";
import type { PairShare } from "../quality/pair_shares.ts";
import type { Interval } from "../quality/published_row.ts";
import { PUBLISHED_WEIGHTS } from "../quality/weights.ts";
import type { PublishedStationRow } from "./published_station_rows.ts";
import { groupRuns, type ShareStep, sweepThresholds } from "./weight_study.ts";
import { wordsOf } from "./weight_words.ts";

/** Published runs under one weighting, for `boundsPlot`: by family, with the class that is certain. */
export function boundsGroups(rows: readonly PublishedStationRow[], scores: readonly Interval[]): BoundsGroup[] {
  return groupRuns(rows.map(({ family }) => family)).map(({ label, runs }) => ({
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
