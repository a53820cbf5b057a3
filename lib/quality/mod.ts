/** The quality of survival of a station run: its components, their weights, its class, and both under other weights. */
export { clamp01 } from "./clamp01.ts";
export {
  type ClassCounts,
  classCounts,
  classShares,
  classWithin,
  type Ending,
  type PossibleClass,
} from "./class_shares.ts";
export { classify, type Outcome, PUBLISHED_THRESHOLDS, type Thresholds } from "./classify.ts";
export { componentsOf } from "./components_of.ts";
export { contributions } from "./contributions.ts";
export { NAMED_WEIGHTS, type NamedWeights, namedWeights, withShare } from "./named_weights.ts";
export { type DeterminedParts, determinedParts } from "./determined_parts.ts";
export { possibleQ } from "./possible_q.ts";
export { type Pinning, pinning } from "./pinning.ts";
export type { PreservedSummary } from "./preserved_summary.ts";
export { BOUND_ASSUMPTIONS, componentRanges, type Interval, type PublishedRow } from "./published_row.ts";
export { type CompleteQuality, type QualityOfSurvival, qualityOfSurvival } from "./quality_of_survival.ts";
export { type PairOrder, pairOrder, type RankBounds, rankBounds } from "./rank_bounds.ts";
export { type DirichletOptions, dirichletWeights } from "./dirichlet_weights.ts";
export { type NearestFlip, nearestFlip } from "./nearest_flip.ts";
export { type NearestUnsettled, nearestUnsettled, type WeightMove } from "./nearest_unsettled.ts";
export { type PairShare, pairShares } from "./pair_shares.ts";
export { type RankShare, rankShares } from "./rank_shares.ts";
export { meanScores, preservedScores, publishedScores, type ScoreIntervals } from "./score_intervals.ts";
export { weightDistance } from "./weight_distance.ts";
export { ranks } from "./ranks.ts";
export type { CompleteSummary, RawSummary, RawValues } from "./raw_summary.ts";
export { rescore, type Rescored, type RescoreOptions, rescorer, type Scored } from "./rescore.ts";
export { boundsSolver, type FillOrder, fillOrder, rescoreBounds } from "./rescore_bounds.ts";
export { type ComponentColumns, componentColumns, scoreColumns } from "./score_matrix.ts";
export { PUBLISHED_WEIGHTS, unitWeights, type Weights } from "./weights.ts";
