/** The quality of survival of a station run: its components, their weights, its class. */
export { clamp01 } from "./clamp01.ts";
export { classify, type Outcome, PUBLISHED_THRESHOLDS, type Thresholds } from "./classify.ts";
export { componentsOf } from "./components_of.ts";
export { contributions } from "./contributions.ts";
export { type CompleteQuality, type QualityOfSurvival, qualityOfSurvival } from "./quality_of_survival.ts";
export type { CompleteSummary, RawSummary, RawValues } from "./raw_summary.ts";
export { PUBLISHED_WEIGHTS, type Weights } from "./weights.ts";
