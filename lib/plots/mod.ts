/**
 * What Observable Plot lacks: theme and legend of a figure, composite marks, and the figures that are still drawn whole.
 *
 * @module
 */
export { accountingPlot } from "./accounting_plot.ts";
export { agentsPlot } from "./agents_plot.ts";
export { boundsPlot } from "./bounds_plot.ts";
export { coalitionPlot } from "./coalition_plot.ts";
export { countsPlot } from "./counts_plot.ts";
export { distributionPlot } from "./distribution_plot.ts";
export { divergencePlot } from "./divergence_plot.ts";
export { ecdfPlot } from "./ecdf_plot.ts";
export type { Figure } from "./figure.ts";
export { intervalPlot } from "./interval_plot.ts";
export { fitWindow, intervalDots, publishedDiamonds, simplexFrame, simplexPoint } from "./marks.ts";
export { openStack } from "./open_stack.ts";
export { outcomeMatrix } from "./outcome_matrix.ts";
export { predictionsPlot } from "./predictions_plot.ts";
export { proposalPlot } from "./proposal_plot.ts";
export { qStack } from "./q_stack.ts";
export { rankStrip } from "./rank_strip.ts";
export { rumorPlot } from "./rumor_plot.ts";
export { seedPlot } from "./seed_plot.ts";
export { shareMatrix } from "./share_matrix.ts";
export { simplexZoom } from "./simplex_zoom.ts";
export { stationTimeline } from "./station_timeline.ts";
export { sweepPanels } from "./sweep_panels.ts";
export { thresholdPlot } from "./threshold_plot.ts";
export { trajectoriesPlot } from "./trajectories_plot.ts";
