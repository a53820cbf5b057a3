/** Figures: one function each, from plain data to SVG with alt text, caption and rows. They draw and compute nothing. */
export { accountingPlot, type AccountingPlotOptions, type AccountingRow } from "./accounting_plot.ts";
export { agentsPlot, type AgentsPlotOptions } from "./agents_plot.ts";
export { type CoalitionEdge, coalitionPlot, type CoalitionPlotOptions } from "./coalition_plot.ts";
export {
  type DistributionGroup,
  distributionPlot,
  type DistributionPlotOptions,
  type DistributionRun,
} from "./distribution_plot.ts";
export { divergencePlot, type DivergencePlotOptions, type DivergenceSeries } from "./divergence_plot.ts";
export type { Figure } from "./figure.ts";
export { type FigureOptions, SYNTHETIC_SENTENCE } from "./figure_options.ts";
export { intervalPlot, type IntervalPlotOptions, type IntervalRow } from "./interval_plot.ts";
export { type MatrixCell, matrixPlot, type MatrixPlotOptions } from "./matrix_plot.ts";
export { nullHistogram, type NullHistogramOptions } from "./null_histogram.ts";
export { type OutcomeCell, outcomeMatrix, type OutcomeMatrixOptions } from "./outcome_matrix.ts";
export { type PredictionRow, predictionsPlot, type PredictionsPlotOptions } from "./predictions_plot.ts";
export { type ProposalGate, type ProposalLife, proposalPlot, type ProposalPlotOptions } from "./proposal_plot.ts";
export { qStack, type QStackOptions, type QStackRun } from "./q_stack.ts";
export { rumorPlot, type RumorPlotOptions, type RumorTrack } from "./rumor_plot.ts";
export { simplexPlot, type SimplexPlotOptions } from "./simplex_plot.ts";
export {
  type StationLevels,
  stationTimeline,
  type StationTimelineOptions,
  type TimelinePass,
  type TimelineShock,
} from "./station_timeline.ts";
export { trajectoriesPlot, type TrajectoriesPlotOptions } from "./trajectories_plot.ts";
