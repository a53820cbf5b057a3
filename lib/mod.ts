/**
 * Chaos Lab for Deno: deliberating committees of language models, their divergence and what is to be said of it.
 *
 * @module
 */
export { contentHash } from "./core/canonical_json.ts";
export { fail, type Issue, ok, type Result } from "./core/result.ts";
export { createRng, type Rng } from "./core/rng.ts";
export { UserError } from "./core/user_error.ts";
export type { Condition } from "./schema/condition.ts";
export type { ConditionSpecInput } from "./schema/condition_spec.ts";
export type { DeliberationEvent } from "./schema/deliberation_event.ts";
export type { ChatReply, ChatRequest, ModelCall } from "./schema/model_call.ts";
export { type Role, ROLES } from "./schema/role.ts";
export { OPTION_LETTERS, type ScenarioPacket } from "./schema/scenario.ts";
export type { StateVector } from "./schema/state_vector.ts";
export type { SurrogateParameters } from "./schema/surrogate_parameters.ts";
export * from "./stats/mod.ts";
export * from "./model/mod.ts";
export * from "./deliberation/mod.ts";
export * from "./quality/mod.ts";
export * from "./station/mod.ts";
export { accountCalls, type CallAccounting } from "./storage/account_calls.ts";
export { accountRuns, type RunAccounting } from "./storage/accounting.ts";
export { loadExperiment, loadExperiments } from "./storage/experiments.ts";
export { loadLandscapePredictions, loadPredictions } from "./storage/predictions.ts";
export { loadFact, loadFacts, loadIm01, loadRunAccounting, loadTwoRoutes } from "./storage/published.ts";
export { type Ledger, parseLedger, readLedger } from "./storage/read_ledger.ts";
export { listScenarios, loadLineups, loadPromptPack, loadScenario } from "./storage/scenarios.ts";
export { loadSurrogateParameters } from "./storage/surrogate_parameters.ts";
export { collectRuns } from "./experiment/collect_runs.ts";
export type { CommitteeRun } from "./experiment/committee_run.ts";
export { type Council, openCouncil, surrogateCouncil } from "./experiment/council.ts";
export { type FitTarget, fitTargets, landscapeTargets, modelTargets } from "./experiment/fit_targets.ts";
export { fittedRows } from "./experiment/fitted_rows.ts";
export { simulatedLambda } from "./experiment/simulated_lambda.ts";
export { LANDSCAPE_CHECKS, type LandscapeFacts, landscapeFacts } from "./experiment/landscape_predictions.ts";
export { HELD_OUT_GROUPS, heldOut, type HeldOutRow, heldOutSummary } from "./experiment/held_out.ts";
export { loadCondition } from "./experiment/load_condition.ts";
export { type Measurement, measureRuns } from "./experiment/measure_runs.ts";
export { PREDICTION_CHECKS, type PredictionFacts, predictionFacts } from "./experiment/predictions.ts";
export { type ConditionRuns, conditionRuns, runExperiment } from "./experiment/run_experiment.ts";
export { type CollectedStation, collectStation, namedSeeds } from "./experiment/collect_station.ts";
export { stationBatches } from "./experiment/station_batches.ts";
export { readStationBatch, runStationBatch } from "./experiment/station_batch.ts";
export { exportBundle } from "./experiment/station_bundle.ts";
export { readStationFolder } from "./experiment/station_folder.ts";
export { quoteTable, verifyQuotes } from "./experiment/station_quotes.ts";
export { batchReport } from "./experiment/station_report.ts";
export { runStationFolder } from "./experiment/station_run.ts";
export { type StationCouncil, stationCouncil } from "./experiment/station_councils.ts";
export {
  heldOutExpectations,
  isOrderlyFailure,
  panelExpectations,
  type StationBatches,
  type StationExpectation,
} from "./experiment/station_expectations.ts";
export { type StationStory, stationStory } from "./experiment/station_story.ts";
export * from "./storage/published_station.ts";
export * from "./storage/published_deliberation.ts";
export { loadSummaries, readSummaries } from "./storage/preserved_summaries.ts";
export { loadPublishedRows, type PublishedRun, readPublishedRows } from "./storage/published_rows.ts";
export { readRescoring } from "./storage/rescoring.ts";
export { loadWordingJudge } from "./storage/wording_judge.ts";
export { type PublishedScore, scorePublished } from "./experiment/score_published.ts";
export { type ImportedRun, type ImportedRuns, importRuns, type ImportRunsOptions } from "./storage/import_runs.ts";
export { type NamedCondition, parseConditionName } from "./storage/parse_condition_name.ts";
export { RunMapping, STANDARD_MAPPING } from "./schema/run_mapping.ts";
export { exportRuns } from "./experiment/export_runs.ts";
export { type IntervalRow, intervalStudy } from "./experiment/interval_study.ts";
export { type PilotRow, pilotStudy } from "./experiment/pilot_study.ts";
export { planContrast, planReplicates, type ReplicatePlan } from "./experiment/plan_replicates.ts";
export { type PowerRow, powerStudy } from "./experiment/power_study.ts";
export { routeGroups, routeTests } from "./experiment/route_tests.ts";
export { simulateCondition } from "./experiment/simulate_condition.ts";
export { loadClaims } from "./storage/claims.ts";
export {
  type ClaimCheck,
  type ClaimVerdict,
  evaluateClaims,
  type EvaluatedClaim,
  type Finding,
} from "./experiment/evaluate_claims.ts";
export { DELIBERATION_CHECKS } from "./experiment/claims/deliberation/checks.ts";
export { loadDeliberationTables } from "./experiment/deliberation_tables.ts";
export { STATION_CHECKS } from "./experiment/claims/station/checks.ts";
export { type RecomputedCell, recomputeTables } from "./experiment/recompute_tables.ts";
export { loadStationTables, type StationTables } from "./experiment/station_tables.ts";
export * from "./experiment/goodhart.ts";
export { type PublishedStationRow, publishedStationRows } from "./experiment/published_station_rows.ts";
export * from "./experiment/weight_study.ts";
export * from "./experiment/weight_figures.ts";
export * from "./experiment/weight_words.ts";
export { branchingCertificate } from "./experiment/branching_certificate.ts";
export type { BranchRuns } from "./experiment/run_branches.ts";
export { type JudgedWording, judgeWording } from "./experiment/judge_wording.ts";
export { type Verdict, verdict } from "./experiment/verdict.ts";
