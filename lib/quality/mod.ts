/**
 * The quality of survival q: its components, classes, re-scoring under other weights, and what printed values allow.
 *
 * @module
 */
export { classify, PUBLISHED_THRESHOLDS } from "./classify.ts";
export { dirichletWeights } from "./dirichlet_weights.ts";
export { nearestFlip } from "./nearest_flip.ts";
export { nearestUnsettled } from "./nearest_unsettled.ts";
export { pinning } from "./pinning.ts";
export type { OwnComponent, OwnComponents } from "../schema/quality_names.ts";
export type { PreservedSummary } from "../schema/station_summary.ts";
export { BOUND_ASSUMPTIONS, type PublishedRow } from "./published_row.ts";
export { contributions, qualityOfSurvival } from "./quality_of_survival.ts";
export { ranks } from "./ranks.ts";
export { rescore, type Rescored } from "./rescore.ts";
export { possibleQ, rescoreBounds } from "./rescore_bounds.ts";
export { classCounts, pairShares, rankShares } from "./shares.ts";
export { NAMED_WEIGHTS, namedWeights, PUBLISHED_WEIGHTS, weightDistance, type Weights, withShare } from "./weights.ts";
