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
export { contentHash } from "./core/json.ts";
export { fail, type Issue, ok, type Result } from "./core/result.ts";
export { createRng, type Rng } from "./core/rng.ts";
export { UserError } from "./core/user_error.ts";

// The shapes of what is declared, asked and recorded.
export type { Condition } from "./schema/condition.ts";
export type { ConditionSpecInput } from "./schema/condition.ts";
export type { DeliberationEvent } from "./schema/deliberation_event.ts";
export type { ChatReply, ChatRequest, ModelCall } from "./schema/model_call.ts";
export { type Role, ROLES } from "./schema/scenario.ts";
export type { SeedCard } from "./schema/seed_card.ts";
export type { StationEvent } from "./schema/station_event.ts";
export type { Proposal } from "./schema/station_reply.ts";
export { OPTION_LETTERS, type ScenarioPacket } from "./schema/scenario.ts";
export type { StateVector } from "./schema/deliberation_event.ts";
export type { SurrogateParameters } from "./schema/surrogate_parameters.ts";

// Estimators and tests; models behind their port; the two protocols; the quality of survival.
export * from "./stats/mod.ts";
export * from "./model/mod.ts";
export * from "./deliberation/mod.ts";
export * from "./station/mod.ts";
export * from "./quality/mod.ts";

// Scenarios, prompts, line-ups and declared experiments: the data in scenarios/.
export { loadExperiment, loadExperiments } from "./runs/scenarios.ts";
export { listScenarios, loadLineups, loadPromptPack, loadScenario } from "./runs/scenarios.ts";
export { loadSurrogateParameters } from "./runs/scenarios.ts";
export { loadWordingJudge } from "./runs/judge_wording.ts";

// Committees: a council, a condition, its runs, and what they show.
export { type Council, openCouncil, surrogateCouncil } from "./runs/council.ts";
export { loadCondition } from "./runs/load_condition.ts";
export { collectRuns } from "./runs/collect_runs.ts";
export type { CommitteeRun } from "./runs/collect_runs.ts";
export { type ConditionRuns, conditionRuns, runExperiment } from "./runs/run_experiment.ts";
export type { BranchRuns } from "./runs/run_experiment.ts";
export { type Measurement, measureRuns } from "./runs/measure_runs.ts";
export { branchingCertificate } from "./runs/branching.ts";
export { type JudgedWording, judgeWording } from "./runs/judge_wording.ts";
export { planContrast, planReplicates, type ReplicatePlan } from "./runs/plan_replicates.ts";

// Ledgers and their accounting; runs made elsewhere.
export { type Ledger, parseLedger, readLedger } from "./runs/read_ledger.ts";
export { accountCalls, type CallAccounting } from "./runs/accounting.ts";
export { accountReadings, type ReadingAccounting } from "./runs/accounting.ts";
export { accountRuns, type RunAccounting } from "./runs/accounting.ts";
export { exportRuns } from "./runs/export_runs.ts";
export { type ImportedRun, type ImportedRuns, importRuns, type ImportRunsOptions } from "./runs/import_runs.ts";
export { type NamedCondition, parseConditionName } from "./runs/parse_condition_name.ts";
export { RunMapping, STANDARD_MAPPING } from "./runs/run_mapping.ts";

// Stations: councils, batches, run folders, and the evidence bundle.
export { type StationCouncil, stationCouncil } from "./runs/collect_station.ts";
export { type CollectedStation, collectStation, namedSeeds } from "./runs/collect_station.ts";
export { stationBatches } from "./paper/station_expectations.ts";
export { readStationBatch, runStationBatch } from "./runs/station_batch.ts";
export { runStationFolder } from "./runs/run_station_folder.ts";
export { readStationFolder } from "./runs/read_station_folder.ts";
export { type StationStory, stationStory } from "./notebook/station_story.ts";
export { batchReport } from "./runs/station_report.ts";
export { quoteTable, verifyQuotes } from "./runs/station_quotes.ts";
export { exportBundle } from "./runs/station_bundle.ts";

// Preserved summaries and published rows, to be scored again.
export { loadSummaries, readSummaries } from "./runs/summary_files.ts";
export { loadPublishedRows, type PublishedRun, readPublishedRows } from "./paper/published_rows.ts";
export { type PublishedScore, scorePublished } from "./paper/score_published.ts";
export { readRescoring } from "./runs/rescoring.ts";

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
} from "./paper/published_deliberation.ts";
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
} from "./paper/published_station.ts";
export { type Verdict, verdict } from "./paper/verdict.ts";
export { loadClaims } from "./paper/claims/claim_file.ts";
export {
  type ClaimCheck,
  type ClaimVerdict,
  evaluateClaims,
  type EvaluatedClaim,
  type Finding,
} from "./paper/claims/evaluate_claims.ts";
export { DELIBERATION_CHECKS } from "./paper/claims/deliberation/checks.ts";
export { STATION_CHECKS } from "./paper/claims/station/checks.ts";
export { type DeliberationTables, loadDeliberationTables } from "./paper/deliberation_tables.ts";
export { loadStationTables, type StationTables } from "./paper/station_tables.ts";
