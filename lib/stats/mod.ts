/**
 * Estimators and tests on plain arrays: no files, no clock, chance only from the `rng` given.
 *
 * @module
 */
export { benjaminiHochberg, holm } from "./adjust_p_values.ts";
export { bootstrapSlope } from "./bootstrap_slope.ts";
export { branchExcess } from "./branch_excess.ts";
export { branchingEntropy } from "./branching_entropy.ts";
export { flipRate, switchCounts, timeToMajority, topOption } from "./decisions.ts";
export { diffusiveNull } from "./diffusive_null.ts";
export { divergence } from "./divergence.ts";
export { divergenceBand } from "./divergence_band.ts";
export { equivalence, pairedDifference } from "./equivalence.ts";
export { fisherExact } from "./fisher_exact.ts";
export { GROWTH_LAWS } from "./growth_law_fits.ts";
export { growthLaws } from "./growth_laws.ts";
export { hingeFit } from "./hinge_fit.ts";
export { labelPermutation } from "./label_permutation.ts";
export { lyapunovSlope } from "./lyapunov_slope.ts";
export { permutationNull } from "./permutation_null.ts";
export { kendallTau, rankCorrelation } from "./rank_correlation.ts";
export { referenceSlopes } from "./reference_slopes.ts";
export { saturation } from "./saturation.ts";
export { signFlipTest, signTest } from "./sign_tests.ts";
export { slopeDifference, slopeInteraction } from "./slope_contrast.ts";
export { slopeError } from "./slope_error.ts";
export { completeRuns, type Trajectory } from "./trajectory.ts";
export { planBenchmark, varianceComponents } from "./variance_components.ts";
export { twinDistances, twinSlope } from "./twin_slope.ts";
