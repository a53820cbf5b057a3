import { unknownName } from "../core/unknown_name.ts";
import { type Experiment, Experiments, type StationExperiment } from "../schema/experiments.ts";
import { folderUrl } from "./folder_url.ts";
import { readJson } from "./read_json.ts";
import type { ScenarioFolder } from "./scenarios.ts";

const SCENARIOS = new URL("../../scenarios/", import.meta.url);

/** All declared experiments by name. Throws a UserError where `scenarios/experiments.json` is malformed. */
export async function loadExperiments(
  { folder = SCENARIOS }: ScenarioFolder = {},
): Promise<Record<string, Experiment>> {
  return (await readJson(new URL("experiments.json", folderUrl(folder)), Experiments)).experiments;
}

/** One declared experiment. Throws a UserError (`exitCode` 2, naming the nearest) where there is none of that name. */
export async function loadExperiment(name: string, options: ScenarioFolder = {}): Promise<Experiment> {
  const experiments = await loadExperiments(options);
  const experiment = Object.hasOwn(experiments, name) ? experiments[name] : undefined;
  if (experiment === undefined) throw unknownName("experiment", name, Object.keys(experiments));
  return experiment;
}

/** All declared station experiments by name. Throws a UserError where `scenarios/experiments.json` is malformed. */
export async function loadStationExperiments(
  { folder = SCENARIOS }: ScenarioFolder = {},
): Promise<Record<string, StationExperiment>> {
  return (await readJson(new URL("experiments.json", folderUrl(folder)), Experiments)).station;
}
