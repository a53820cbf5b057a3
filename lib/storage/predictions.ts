import { Predictions } from "../schema/predictions.ts";
import { readJson } from "./read_json.ts";

const FILE = new URL("../../data/predictions/surrogate.json", import.meta.url);

/** The predictions on file. Throws a UserError where the file is malformed. */
export async function loadPredictions(file: string | URL = FILE): Promise<Predictions> {
  return await readJson(file, Predictions);
}
