import { unknownName } from "../core/nearest.ts";
import type { Environment } from "../model/openai_chat.ts";
import type { StationExperiment } from "../schema/experiments.ts";
import type { Switches } from "../schema/station_event.ts";
import { type Ruleset, switches } from "../station/run_station.ts";
import { rulesetName } from "../station/summary.ts";
import { namedSeeds, stationCouncil } from "./collect_station.ts";
import type { StationFolderRun } from "./run_station_folder.ts";
import { loadStationExperiments } from "./scenarios.ts";
import { runStationBatch } from "./station_batch.ts";

export interface RunStationExperimentOptions {
  /** Folder of the runs; with several rulesets, one sub-folder each. */
  readonly out: string;
  /** Instead of the experiment's own councils. */
  readonly council?: string | undefined;
  /** Instead of the experiment's own seeds. */
  readonly seeds?: readonly number[] | undefined;
  readonly env: Environment;
  readonly signal?: AbortSignal | undefined;
  readonly onRun?: (() => void) | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** One declared station experiment. Throws a UserError (exit code 2, naming the nearest) where there is none. */
export async function loadStationExperiment(name: string): Promise<StationExperiment> {
  const experiments = await loadStationExperiments();
  const experiment = Object.hasOwn(experiments, name) ? experiments[name] : undefined;
  if (experiment === undefined) throw unknownName("station experiment", name, Object.keys(experiments));
  return experiment;
}

/** The seeds and councils that an experiment comes to. */
export function stationPlan(
  { seeds, councils, rulesets }: StationExperiment,
  options: Pick<RunStationExperimentOptions, "council" | "seeds"> = {},
): { seeds: readonly number[]; councils: readonly string[]; rulesets: readonly Ruleset[]; runs: number } {
  const chosen = options.seeds ?? (typeof seeds === "string" ? namedSeeds(seeds) : seeds);
  const named = options.council === undefined ? councils : [options.council];
  return { seeds: chosen, councils: named, rulesets, runs: chosen.length * named.length * rulesets.length };
}

/**
 * Runs a declared station experiment into run folders, resuming what is there.
 *
 * @throws {UserError} as `runStationBatch`, or on a council that is not known.
 */
export async function runStationExperiment(
  name: string,
  { out, env, signal, onRun, onNotice, ...overrides }: RunStationExperimentOptions,
): Promise<StationFolderRun[]> {
  const { seeds, councils, rulesets } = stationPlan(await loadStationExperiment(name), overrides);
  const filled = councils.map((council) => stationCouncil(council, env));
  const runs: StationFolderRun[] = [];
  for (const ruleset of rulesets) {
    const folder = rulesets.length === 1 ? out : `${out}/${folderOf(switches(ruleset))}`;
    runs.push(...await runStationBatch({ seeds, ruleset }, { out: folder, councils: filled, signal, onRun, onNotice }));
  }
  return runs;
}

const folderOf = (ruleset: Switches): string => rulesetName(ruleset).replaceAll(/\W+/g, "-");
