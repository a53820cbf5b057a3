/**
 * Runs of both protocols: declare, run, resume, read, account for, measure, import, export; tidy rows.
 *
 * @module
 */
export {
  accountCalls,
  accountingRows,
  accountReadings,
  accountRuns,
  deficitRows,
  joinAccounting,
} from "./accounting.ts";
export type { RunAccounting } from "./accounting.ts";
export { collectRuns, type CommitteeRun } from "./collect_runs.ts";
export { collectStation, namedSeeds, type StationCouncil, stationCouncil } from "./collect_station.ts";
export { type Council, openCouncil, surrogateCouncil } from "./council.ts";
export { exportRuns } from "./export_runs.ts";
export { findCondition } from "./find_condition.ts";
export { importRuns } from "./import_runs.ts";
export { judgeWording } from "./judge_wording.ts";
export { labelConditions } from "./label_conditions.ts";
export { loadCondition } from "./load_condition.ts";
export { measureConditions, type MeasuredCondition, type Measurement, measureRuns } from "./measure_runs.ts";
export { parseConditionName } from "./parse_condition_name.ts";
export { planContrast, planReplicates } from "./plan_replicates.ts";
export { type Ledger, parseLedger, readLedger } from "./read_ledger.ts";
export { readStationFolder } from "./read_station_folder.ts";
export { readRescoring } from "./rescoring.ts";
export { agentRows, divergenceRows, meanRows } from "./rows.ts";
export { type BranchRuns, type ConditionRuns, conditionRuns, runExperiment } from "./run_experiment.ts";
export { planRuns, type RunPlan, type Wanted } from "./run_plan.ts";
export { RunMapping, STANDARD_MAPPING } from "./run_mapping.ts";
export { runStationFolder } from "./run_station_folder.ts";
export { loadExperiment, loadExperiments, loadLineups, loadPromptPack } from "./scenarios.ts";
export { listScenarios, loadScenario, loadSurrogateParameters } from "./scenarios.ts";
export { readStationBatch, runStationBatch } from "./station_batch.ts";
export { exportBundle } from "./station_bundle.ts";
export { batchReport } from "./station_report.ts";
export { componentRows, stationRows } from "./station_rows.ts";
export { loadSummaries, readSummaries } from "./summary_files.ts";
