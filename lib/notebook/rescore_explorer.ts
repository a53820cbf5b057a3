import type { ExplorerData, OwnEntry } from "../explorer/rescore/data.ts";
import * as Plot from "@observablehq/plot";
import type { Figure } from "../plots/figure.ts";
import { publishedDiamonds } from "../plots/marks.ts";
import { COLOURS } from "../plots/palette.ts";
import { plotFigure } from "../plots/plot_figure.ts";
import { checkPreserved, isUngoverned, summaryName } from "../quality/preserved_summary.ts";
import { UNGOVERNED_WORDS } from "../schema/quality_names.ts";
import type { PreservedSummary } from "../schema/station_summary.ts";
import { boundsSolver, rescoreBounds } from "../quality/rescore_bounds.ts";
import { NAMED_WEIGHTS } from "../quality/weights.ts";
import type { Controls } from "./controls.ts";

export interface RescoreExplorerOptions {
  readonly published: ExplorerData["published"];
  /** Runs whose components are known, as preserved. */
  readonly own: readonly PreservedSummary[];
}

/**
 * The explorer of weights, for `controls`: nine sliders over published and preserved runs, re-ranked as they move.
 *
 * Published runs are ranked by what their printed values allow, preserved ones exactly; the two are ranked apart, for
 * one are language models and the other need not be.
 *
 * @throws {RangeError} on a run that contradicts itself, naming it.
 */
export function rescoreExplorer({ published, own }: RescoreExplorerOptions): Controls {
  for (const { label, row } of published) checkRow(label, row);
  for (const [i, summary] of own.entries()) {
    checkPreserved(summary, { name: summaryName(summary, i), tolerance: 1e-9 });
  }
  const data: ExplorerData = {
    published: published.map(({ label, source, row }) => ({ label, source, row })),
    own: own.map(ownEntry),
  };
  return { name: "rescore-explorer", entry: ENTRY, data, still: rescoreStill(published) };
}

const ENTRY = new URL("../explorer/rescore/main.ts", import.meta.url);

function checkRow(label: string, row: ExplorerData["published"][number]["row"]): void {
  try {
    boundsSolver(row);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RangeError(`${label}: ${cause.message}`, { cause });
  }
}

function ownEntry(summary: PreservedSummary, i: number): OwnEntry {
  const { model, seed, ruleset, synthetic = false, stabilized, passed_count, components } = summary;
  const label = [model, seed].filter((part) => part !== undefined).join(" ") || summaryName(summary, i);
  const source = ruleset ?? "ruleset unknown";
  if (isUngoverned(summary)) {
    // Of what is not known there is neither score nor rank nor class.
    return { label: `${label} (${UNGOVERNED_WORDS})`, source, synthetic, stabilized: true, components: {} };
  }
  return {
    label,
    source,
    ...{ synthetic, stabilized, components },
    ...(passed_count !== undefined && { passed_count }),
  };
}

/** The weighting that reverses what the published one puts first. */
const OTHER = "participation-first";

/** The published ranking, and what one other weighting may make of it: the picture behind the explorer of weights. */
export function rescoreStill(published: ExplorerData["published"]): Figure {
  const { label, weights } = NAMED_WEIGHTS[OTHER]!;
  const rows = published.toSorted((a, b) => b.row.q - a.row.q).map(({ label, row }) => ({
    label,
    published: row.q,
    ...rescoreBounds(row, weights),
  }));
  return plotFigure({
    name: "rescore-explorer-still",
    context:
      `Published runs, the largest published q first. Bars: what q may be under the weights "${label}"; diamonds: q ` +
      "as published, under the published weights",
    synthetic: false,
    x: { label: "quality of survival q", grid: true },
    y: { label: null, domain: rows.map(({ label }) => label) },
    marks: [
      Plot.link(rows, { x1: "low", x2: "high", y1: "label", y2: "label", stroke: COLOURS[0], strokeWidth: 6 }),
      publishedDiamonds(rows, { x: "published", y: "label" }),
    ],
  });
}
