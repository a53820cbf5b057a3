/**
 * What the two papers print and state: published tables as data, claims with the checks that decide them, and the
 * comparison of published with measured.
 *
 * @module
 */
export { DELIBERATION_CHECKS } from "./claims/deliberation/checks.ts";
export { STATION_CHECKS } from "./claims/station/checks.ts";
export { loadClaims } from "./claims/claim_file.ts";
export { claimCounts, claimRows } from "./claims/claim_rows.ts";
export { evaluateClaims } from "./claims/evaluate_claims.ts";
export { loadDeliberationTables } from "./deliberation_tables.ts";
export {
  loadCrossModel,
  loadEffectFiles,
  loadFact,
  loadFailureSources,
  loadIm01,
  loadLandscape,
  loadMixedCells,
  loadPhrasings,
  loadPublishedScenarios,
  loadPublishedSwitches,
  loadRunAccounting,
  loadStatedEffects,
  loadTwoRoutes,
} from "./published_deliberation.ts";
export { loadPublishedRows, type PublishedRun } from "./published_rows.ts";
export {
  loadBatches,
  loadCleanLiveRuns,
  loadNoModelRuns,
  loadOutcomeClasses,
  loadPhases,
  loadPublishedWeights,
  loadSeedResults,
  loadStationFact,
} from "./published_station.ts";
export { scorePublished } from "./score_published.ts";
export { signVerdict } from "./sign_verdict.ts";
export { causeWords, slopeIntervals, slopeRow, slopeRows } from "./slope_rows.ts";
export { loadStationTables } from "./station_tables.ts";
export { verdict } from "./verdict.ts";
