/**
 * Runs of both protocols: declare, run, resume, read, account for, measure, import, export; tidy rows.
 *
 * @module
 */
export { accountCalls, accountDecisions, accountReadings, accountRuns } from "./accounting.ts";
export { accountingRows, joinAccounting } from "./accounting.ts";
export { ablateRole, ABLATIONS, roleEffect } from "./ablate_station.ts";
export { collectRuns } from "./collect_runs.ts";
export type { CommitteeRun } from "./committee_run.ts";
export { collectStation } from "./collect_station.ts";
export { type Council, openCouncil, surrogateCouncil } from "./council.ts";
export { exportRuns } from "./export_runs.ts";
export { fallbackAttribution, losingSlots } from "./fallback_attribution.ts";
export { governedRuns, seededScores } from "./governed_runs.ts";
export { importRuns } from "./import_runs.ts";
export { judgeWording } from "./judge_wording.ts";
export { labelConditions } from "./label_conditions.ts";
export { loadCondition } from "./load_condition.ts";
export { type Measurement, measureRuns } from "./measure_runs.ts";
export { perturb, twinBranches, twinRuns } from "./perturb.ts";
export { twinStations } from "./perturb_station.ts";
export { planContrast, planReplicates } from "./plan_replicates.ts";
export { prompts } from "./prompts.ts";
export { readLedger } from "./read_ledger.ts";
export { readStationFolder } from "./read_station_folder.ts";
export { readStore, type StoredStation } from "./postgres/read_store.ts";
export { rereadLedger } from "./reread_ledger.ts";
export { judgePlan, readRegistration } from "./registration.ts";
export { agentRows, divergenceRows, meanRows } from "./rows.ts";
export { type BranchRuns, type ConditionRuns, conditionRuns, runExperiment } from "./run_experiment.ts";
export { runStationFolder } from "./run_station_folder.ts";
export { loadLineups } from "./scenarios.ts";
export { listScenarios, loadScenario, loadSurrogateParameters } from "./scenarios.ts";
export { namedSeeds } from "./station_batch.ts";
export { stationCouncil } from "./station_council.ts";
export { stationPairs, stationPaths } from "./station_paths.ts";
export { componentRows, stationRows } from "./station_rows.ts";
export { loadSummaries } from "./summary_files.ts";
