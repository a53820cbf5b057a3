/** Figures: one function each, from plain data to SVG with alt text, caption and rows. They draw and compute nothing. */
export { accountingPlot, type AccountingPlotOptions, type AccountingRow } from "./accounting_plot.ts";
export { agentsPlot, type AgentsPlotOptions } from "./agents_plot.ts";
export { agreementPlot, type AgreementPlotOptions, type AgreementPoint } from "./agreement_plot.ts";
export { type BoundsGroup, boundsPlot, type BoundsPlotOptions, type BoundsRow } from "./bounds_plot.ts";
export { type BranchingBase, branchingPlot, type BranchingPlotOptions, type MeanWithError } from "./branching_plot.ts";
export { type CoalitionEdge, coalitionPlot, type CoalitionPlotOptions } from "./coalition_plot.ts";
export { type CountMean, type CountsGroup, countsPlot, type CountsPlotOptions } from "./counts_plot.ts";
export {
  type DistributionGroup,
  distributionPlot,
  type DistributionPlotOptions,
  type DistributionRun,
} from "./distribution_plot.ts";
export { divergencePlot, type DivergencePlotOptions, type DivergenceSeries } from "./divergence_plot.ts";
export { ecdfPlot, type EcdfPlotOptions, type EcdfSeries } from "./ecdf_plot.ts";
export type { Figure } from "./figure.ts";
export { type FigureOptions, SYNTHETIC_SENTENCE } from "./figure.ts";
export { intervalPlot, type IntervalPlotOptions, type IntervalRow } from "./interval_plot.ts";
export { type LawCurve, type LawsPanel, lawsPlot, type LawsPlotOptions } from "./laws_plot.ts";
export { type MatrixCell, matrixPlot, type MatrixPlotOptions } from "./matrix_plot.ts";
export { nullHistogram, type NullHistogramOptions } from "./null_histogram.ts";
export { type NullPanel, nullPanels, type NullPanelsOptions } from "./null_panels.ts";
export { openStack, type OpenStackGroup, type OpenStackOptions, type OpenStackRun } from "./open_stack.ts";
export { type OutcomeCell, outcomeMatrix, type OutcomeMatrixOptions } from "./outcome_matrix.ts";
export { type PredictionRow, predictionsPlot, type PredictionsPlotOptions } from "./predictions_plot.ts";
export { type ProposalGate, type ProposalLife, proposalPlot, type ProposalPlotOptions } from "./proposal_plot.ts";
export { qStack, type QStackOptions, type QStackRun } from "./q_stack.ts";
export { type RankRow, rankStrip, type RankStripOptions } from "./rank_strip.ts";
export { ratePlot, type RatePlotOptions, type RateRow, type RateValue } from "./rate_plot.ts";
export {
  replicatesPlot,
  type ReplicatesPlotOptions,
  type ReplicatesPoint,
  type ReplicatesSeries,
} from "./replicates_plot.ts";
export { rumorPlot, type RumorPlotOptions, type RumorTrack } from "./rumor_plot.ts";
export { type PairShareCell, shareMatrix, type ShareMatrixOptions } from "./share_matrix.ts";
export { simplexPlot, type SimplexPlotOptions } from "./simplex_plot.ts";
export { type SeedLane, seedPlot, type SeedPlotOptions, type SeedRun } from "./seed_plot.ts";
export { type SlopeDot, type SlopeGroup, slopeStrip, type SlopeStripOptions } from "./slope_strip.ts";
export {
  type StationLevels,
  stationTimeline,
  type StationTimelineOptions,
  type TimelinePass,
  type TimelineShock,
} from "./station_timeline.ts";
export {
  type SweepPanel,
  sweepPanels,
  type SweepPanelsOptions,
  type SweepPoint,
  type SweepSeries,
} from "./sweep_panels.ts";
export {
  type TemperaturePanel,
  temperaturePlot,
  type TemperaturePlotOptions,
  type TemperaturePoint,
} from "./temperature_plot.ts";
export {
  type ThresholdPanel,
  thresholdPlot,
  type ThresholdPlotOptions,
  type ThresholdStepCounts,
} from "./threshold_plot.ts";
export { trajectoriesPlot, type TrajectoriesPlotOptions } from "./trajectories_plot.ts";
