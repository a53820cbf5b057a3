/**
 * Chaos Lab for Deno: deliberating committees of language models, their divergence and what is to be said of it.
 *
 * Here is what running, reading, measuring and scoring need. What serves one question of one notebook stays in its own
 * file of `experiment/` and is imported from there; figures are in `figures/mod.ts`, what a cell shows in
 * `notebook/mod.ts`.
 *
 * @module
 */

// Foundations: results that may fail, seeded chance, what a user can mend.
export { contentHash } from "./core/canonical_json.ts";
export { fail, type Issue, ok, type Result } from "./core/result.ts";
export { createRng, type Rng } from "./core/rng.ts";
export { UserError } from "./core/user_error.ts";

// The shapes of what is declared, asked and recorded.
export type { Condition } from "./schema/condition.ts";
export type { ConditionSpecInput } from "./schema/condition_spec.ts";
export type { DeliberationEvent } from "./schema/deliberation_event.ts";
export type { ChatReply, ChatRequest, ModelCall } from "./schema/model_call.ts";
export { type Role, ROLES } from "./schema/role.ts";
export type { SeedCard } from "./schema/seed_card.ts";
export type { StationEvent } from "./schema/station_event.ts";
export type { Proposal } from "./schema/station_plan.ts";
export { OPTION_LETTERS, type ScenarioPacket } from "./schema/scenario.ts";
export type { StateVector } from "./schema/state_vector.ts";
export type { SurrogateParameters } from "./schema/surrogate_parameters.ts";

// Estimators and tests; models behind their port; the two protocols; the quality of survival.
export * from "./stats/mod.ts";
export * from "./model/mod.ts";
export * from "./deliberation/mod.ts";
export * from "./station/mod.ts";
export * from "./quality/mod.ts";

// Scenarios, prompts, line-ups and declared experiments: the data in scenarios/.
export { loadExperiment, loadExperiments } from "./storage/experiments.ts";
export { listScenarios, loadLineups, loadPromptPack, loadScenario } from "./storage/scenarios.ts";
export { loadSurrogateParameters } from "./storage/surrogate_parameters.ts";
export { loadWordingJudge } from "./storage/wording_judge.ts";

// Committees: a council, a condition, its runs, and what they show.
export { type Council, openCouncil, surrogateCouncil } from "./experiment/council.ts";
export { loadCondition } from "./experiment/load_condition.ts";
export { collectRuns } from "./experiment/collect_runs.ts";
export type { CommitteeRun } from "./experiment/committee_run.ts";
export { type ConditionRuns, conditionRuns, runExperiment } from "./experiment/run_experiment.ts";
export type { BranchRuns } from "./experiment/run_branches.ts";
export { type Measurement, measureRuns } from "./experiment/measure_runs.ts";
export { branchingCertificate } from "./experiment/branching_certificate.ts";
export { type JudgedWording, judgeWording } from "./experiment/judge_wording.ts";
export { planContrast, planReplicates, type ReplicatePlan } from "./experiment/plan_replicates.ts";

// Ledgers and their accounting; runs made elsewhere.
export { type Ledger, parseLedger, readLedger } from "./storage/read_ledger.ts";
export { accountCalls, type CallAccounting } from "./storage/account_calls.ts";
export { accountReadings, type ReadingAccounting } from "./storage/account_readings.ts";
export { accountRuns, type RunAccounting } from "./storage/accounting.ts";
export { exportRuns } from "./experiment/export_runs.ts";
export { type ImportedRun, type ImportedRuns, importRuns, type ImportRunsOptions } from "./storage/import_runs.ts";
export { type NamedCondition, parseConditionName } from "./storage/parse_condition_name.ts";
export { RunMapping, STANDARD_MAPPING } from "./schema/run_mapping.ts";

// Stations: councils, batches, run folders, and the evidence bundle.
export { type StationCouncil, stationCouncil } from "./experiment/station_councils.ts";
export { type CollectedStation, collectStation, namedSeeds } from "./experiment/collect_station.ts";
export { stationBatches } from "./experiment/station_batches.ts";
export { readStationBatch, runStationBatch } from "./experiment/station_batch.ts";
export { runStationFolder } from "./experiment/station_run.ts";
export { readStationFolder } from "./experiment/station_folder.ts";
export { type StationStory, stationStory } from "./experiment/station_story.ts";
export { batchReport } from "./experiment/station_report.ts";
export { quoteTable, verifyQuotes } from "./experiment/station_quotes.ts";
export { exportBundle } from "./experiment/station_bundle.ts";

// Preserved summaries and published rows, to be scored again.
export { loadSummaries, readSummaries } from "./storage/preserved_summaries.ts";
export { loadPublishedRows, type PublishedRun, readPublishedRows } from "./storage/published_rows.ts";
export { type PublishedScore, scorePublished } from "./experiment/score_published.ts";
export { readRescoring } from "./storage/rescoring.ts";

// What the papers print, and what they state: the data in data/published/ and data/claims/.
export {
  loadCrossModel,
  loadEffectFiles,
  loadFact,
  loadFacts,
  loadFailureSources,
  loadIm01,
  loadLandscape,
  loadMixedCells,
  loadPhrasings,
  loadPublishedLineup,
  loadPublishedScenarios,
  loadPublishedSwitches,
  loadRunAccounting,
  loadStatedEffects,
  loadTwoRoutes,
} from "./storage/published_deliberation.ts";
export {
  loadBatches,
  loadCleanLiveRuns,
  loadEndStates,
  loadInteraction,
  loadModelResults,
  loadNoModelRuns,
  loadOutcomeClasses,
  loadPhases,
  loadPublishedWeights,
  loadQuotes,
  loadSeedResults,
  loadStationFact,
  loadStationFacts,
} from "./storage/published_station.ts";
export { type Verdict, verdict } from "./experiment/verdict.ts";
export { loadClaims } from "./storage/claims.ts";
export {
  type ClaimCheck,
  type ClaimVerdict,
  evaluateClaims,
  type EvaluatedClaim,
  type Finding,
} from "./experiment/evaluate_claims.ts";
export { DELIBERATION_CHECKS } from "./experiment/claims/deliberation/checks.ts";
export { STATION_CHECKS } from "./experiment/claims/station/checks.ts";
export { type DeliberationTables, loadDeliberationTables } from "./experiment/deliberation_tables.ts";
export { loadStationTables, type StationTables } from "./experiment/station_tables.ts";
