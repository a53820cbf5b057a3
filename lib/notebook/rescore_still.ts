import { boundsPlot } from "../figures/bounds_plot.ts";
import type { Figure } from "../figures/figure.ts";
import { NAMED_WEIGHTS } from "../quality/named_weights.ts";
import { rescoreBounds } from "../quality/rescore_bounds.ts";
import type { PublishedRun } from "../storage/published_rows.ts";

/** The weighting that reverses what the published one puts first. */
const OTHER = "participation-first";

/** The published ranking, and what one other weighting may make of it: the picture behind the explorer of weights. */
export function rescoreStill(published: readonly Pick<PublishedRun, "label" | "row">[]): Figure {
  const { label, weights } = NAMED_WEIGHTS[OTHER]!;
  const rows = published.toSorted((a, b) => b.row.q - a.row.q).map(({ label, row }) => ({
    label,
    published: row.q,
    ...rescoreBounds(row, weights),
  }));
  return boundsPlot({
    name: "rescore-explorer-still",
    groups: [{ label: "published runs", rows }],
    context: `Published runs, the largest published q first. Bars: under the weights "${label}"`,
    synthetic: false,
  });
}
