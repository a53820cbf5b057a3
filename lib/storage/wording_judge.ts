import { WordingJudge } from "../schema/wording_judge.ts";
import { folderUrl } from "./folder_url.ts";
import { readJson } from "./read_json.ts";
import type { ScenarioFolder } from "./scenarios.ts";

const SCENARIOS = new URL("../../scenarios/", import.meta.url);

/**
 * The judge of wordings, `prompts/judge/wording.json`, its texts joined to plain strings.
 *
 * @throws {UserError} when the file is missing or malformed.
 */
export async function loadWordingJudge({ folder = SCENARIOS }: ScenarioFolder = {}): Promise<WordingJudge> {
  return await readJson(new URL("prompts/judge/wording.json", folderUrl(folder)), WordingJudge);
}
