/**
 * What the two papers print and state: published tables as data, claims with the checks that decide them, and the
 * comparison of published with measured.
 *
 * @module
 */
export { DELIBERATION_CHECKS, STATION_CHECKS } from "./claims/checks.ts";
export { loadDeliberationEvidence } from "./claims/deliberation/evidence.ts";
export { loadClaims } from "./claims/claim_file.ts";
export { evaluateClaims } from "./claims/evaluate_claims.ts";
export { RECIPES, surrogateRecipes } from "./estimators/recipes.ts";
export { loadEstimatorStudy } from "./estimators/study.ts";
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
  PUBLISHED_LINEUPS,
} from "./published_deliberation.ts";
export { loadPublishedRows } from "./published_rows.ts";
export {
  loadBatches,
  loadCleanLiveRuns,
  loadEndStates,
  loadInteraction,
  loadNoModelRuns,
  loadOutcomeClasses,
  loadPhases,
  loadPublishedWeights,
  loadQuotes,
  loadRoundEffects,
  loadStationFact,
  loadStationTables,
} from "./published_station.ts";
export { signVerdict } from "./sign_verdict.ts";
export {
  conditionFacts,
  simulateCondition,
  simulatedBranching,
  simulatedLambda,
  simulatedRun,
  simulatedRuns,
} from "./surrogate/simulated_facts.ts";
export { loadSeedSlopes, readAblationTable, readStabilityTable, readTwinTable } from "./surrogate/tables.ts";
export { verdict } from "./verdict.ts";
export { fitTargets, landscapeTargets, modelTargets } from "./surrogate/fit_targets.ts";
export { PREDICTIONS } from "./surrogate/predictions.ts";
export { seatCommittee } from "./surrogate/fast_committee.ts";
export { predictionInterval } from "./surrogate/prediction_interval.ts";
export { committeeSpec, im01Wordings, oneModel, simulateCommittee } from "./surrogate/simulate_committee.ts";
export { SPLIT } from "./surrogate/split.ts";
