/** Estimators on plain arrays: no files, no schema, no clock; chance is passed in. */
export { type BootstrapSlope, bootstrapSlope, type BootstrapSlopeOptions } from "./bootstrap_slope.ts";
export { type BranchingEntropy, branchingEntropy } from "./branching_entropy.ts";
export { type CompleteRuns, completeRuns } from "./complete_runs.ts";
export { divergence } from "./divergence.ts";
export { type DivergenceBand, divergenceBand, type DivergenceBandOptions } from "./divergence_band.ts";
export { flipRate } from "./flip_rate.ts";
export { type HingeFit, hingeFit } from "./hinge_fit.ts";
export { type LyapunovSlope, lyapunovSlope, type LyapunovSlopeOptions } from "./lyapunov_slope.ts";
export { type PermutationNull, permutationNull, type PermutationNullOptions } from "./permutation_null.ts";
export { type Saturation, saturation } from "./saturation.ts";
export { type SlopeDifference, slopeDifference } from "./slope_difference.ts";
export type { Studentised } from "./studentise.ts";
export { switchCounts } from "./switch_counts.ts";
export { timeToMajority } from "./time_to_majority.ts";
export { type AgentPreferences, tieCount, type TopOption, topOption } from "./top_option.ts";
export type { Trajectory } from "./trajectory.ts";
export type { UndefinedReason } from "./undefined_reason.ts";
