/**
 * Chaos Lab for Deno: deliberating committees of language models, how their runs diverge, and what the station survives.
 *
 * Here is what running, reading, measuring and re-scoring need. Every room has more: `stats/mod.ts`, `quality/mod.ts`,
 * `runs/mod.ts`, …; figures and tables of a notebook are in `notebook/mod.ts`, what the papers print in `paper/mod.ts`.
 *
 * @module
 */

// Foundations, and the shapes of what is declared, asked and recorded.
export * from "./core/mod.ts";
export * from "./schema/mod.ts";

// Estimators.
export {
  bootstrapSlope,
  branchingEntropy,
  divergence,
  divergenceBand,
  flipRate,
  lyapunovSlope,
  permutationNull,
  slopeDifference,
  slopeInteraction,
  switchCounts,
  timeToMajority,
  type Trajectory,
} from "./stats/mod.ts";

// The quality of survival and its re-scoring.
export {
  classify,
  contributions,
  NAMED_WEIGHTS,
  type PreservedSummary,
  PUBLISHED_WEIGHTS,
  type PublishedRow,
  qualityOfSurvival,
  rescore,
  rescoreBounds,
  type Rescored,
  type Weights,
} from "./quality/mod.ts";

// Models behind their port, and the two protocols.
export { type ChatModel, openaiChat, recording, replay, scripted, stationPersona, surrogate } from "./model/mod.ts";
export { deliberate, parseStateLine } from "./deliberation/mod.ts";
export { parseProposal, reread, type Ruleset, runStation, type StationRun, summarise, weather } from "./station/mod.ts";

// Runs: councils, conditions, ledgers, folders, measures.
export {
  accountRuns,
  agentRows,
  collectRuns,
  collectStation,
  type CommitteeRun,
  componentRows,
  type ConditionRuns,
  type Council,
  divergenceRows,
  exportRuns,
  importRuns,
  labelConditions,
  listScenarios,
  loadCondition,
  loadScenario,
  loadSummaries,
  meanRows,
  type Measurement,
  measureRuns,
  openCouncil,
  prompts,
  readLedger,
  readStationFolder,
  readStore,
  runExperiment,
  runStationFolder,
  stationCouncil,
  stationRows,
  surrogateCouncil,
} from "./runs/mod.ts";
