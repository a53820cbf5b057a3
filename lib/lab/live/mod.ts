/**
 * Live runs: councils, conditions, plans, preflight, budget, audit, and the loop that runs them.
 *
 * @example
 * ```ts ignore
 * const council = await openCouncil("live:openai/gpt-4.1-mini", Deno.env);
 * const [condition] = await runExperiment({ scenario: "HL-01" }, { council, replicates: 2 });
 * ```
 *
 * @module
 */
export { surrogateCouncil } from "./council.ts";
export { openCouncil } from "./open_council.ts";
export { loadCondition } from "./load_condition.ts";
export type { ConditionRuns } from "./run_experiment.ts";
export { listScenarios, loadLineups, loadScenario, loadSurrogateParameters } from "./scenarios.ts";
export { namedSeeds } from "./station_batch.ts";
export { stationCouncil } from "./station_council.ts";
