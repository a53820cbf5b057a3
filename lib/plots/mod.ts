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
export { outcomeMatrix } from "./outcome_matrix.ts";
export { predictionsPlot } from "./predictions_plot.ts";
export { proposalPlot } from "./proposal_plot.ts";
export { rumorPlot } from "./rumor_plot.ts";
export { simplexZoom } from "./simplex_zoom.ts";
export { stationTimeline } from "./station_timeline.ts";
export { trajectoriesPlot } from "./trajectories_plot.ts";
