/**
 * What Observable Plot lacks: theme and legend of a figure, composite marks, and the figures that are still drawn whole.
 *
 * @module
 */
export { accountingPlot } from "./accounting_plot.ts";
export { agreementPlot } from "./agreement_plot.ts";
export { boundsPlot } from "./bounds_plot.ts";
export { branchingPlot } from "./branching_plot.ts";
export { coalitionPlot } from "./coalition_plot.ts";
export { distributionPlot } from "./distribution_plot.ts";
export { divergencePlot } from "./divergence_plot.ts";
export { ecdfPlot } from "./ecdf_plot.ts";
export type { Figure } from "./figure.ts";
export { intervalPlot } from "./interval_plot.ts";
export { lawsPlot } from "./laws_plot.ts";
export { fitWindow, intervalDots, publishedDiamonds, simplexFrame, simplexPoint } from "./marks.ts";
export { matrixPlot } from "./matrix_plot.ts";
export { nullHistogram } from "./null_histogram.ts";
export { nullPanels } from "./null_panels.ts";
export { openStack } from "./open_stack.ts";
export { outcomeMatrix } from "./outcome_matrix.ts";
export { predictionsPlot } from "./predictions_plot.ts";
export { proposalPlot } from "./proposal_plot.ts";
export { qStack } from "./q_stack.ts";
export { rankStrip } from "./rank_strip.ts";
export { ratePlot } from "./rate_plot.ts";
export { replicatesPlot } from "./replicates_plot.ts";
export { rumorPlot } from "./rumor_plot.ts";
export { seedPlot } from "./seed_plot.ts";
export { shareMatrix } from "./share_matrix.ts";
export { simplexPlot } from "./simplex_plot.ts";
export { slopeStrip } from "./slope_strip.ts";
export { stationTimeline } from "./station_timeline.ts";
export { sweepPanels } from "./sweep_panels.ts";
export { temperaturePlot } from "./temperature_plot.ts";
export { thresholdPlot } from "./threshold_plot.ts";
