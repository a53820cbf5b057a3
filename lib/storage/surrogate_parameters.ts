import { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { folderUrl } from "./folder_url.ts";
import { readJson } from "./read_json.ts";
import type { ScenarioFolder } from "./scenarios.ts";

const SCENARIOS = new URL("../../scenarios/", import.meta.url);

/** The surrogate's fitted parameters, `scenarios/surrogate.json`. Throws a UserError where the file is malformed. */
export async function loadSurrogateParameters(
  { folder = SCENARIOS }: ScenarioFolder = {},
): Promise<SurrogateParameters> {
  return await readJson(new URL("surrogate.json", folderUrl(folder)), SurrogateParameters);
}
