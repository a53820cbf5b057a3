import { divergencePlot } from "../figures/divergence_plot.ts";
import type { Figure } from "../figures/figure.ts";
import { divergence } from "../stats/divergence.ts";
import { lyapunovSlope } from "../stats/lyapunov_slope.ts";
import type { ConditionEntry } from "./browser/committee/data.ts";
import { openingState } from "./browser/committee/state.ts";

/** How the first condition's replicates part, as the explorer opens: the picture behind it. */
export function committeeStill(condition: ConditionEntry): Figure {
  const { from, to, replicates: n } = openingState(condition);
  const D = divergence(condition.means);
  const fit = lyapunovSlope(D, { from, to });
  return divergencePlot({
    name: "committee-explorer-still",
    series: [{ label: condition.label, D, n, window: [from, to], fit }],
    synthetic: condition.synthetic,
  });
}
