import { Predictions } from "../schema/predictions.ts";
import { readJson } from "./read_json.ts";

const FOLDER = new URL("../../data/predictions/", import.meta.url);

/** The predictions on file about IM-01 and HL-01. Throws a UserError where the file is malformed. */
export async function loadPredictions(file: string | URL = new URL("surrogate.json", FOLDER)): Promise<Predictions> {
  return await readJson(file, Predictions);
}

/** The predictions on file about the twelve scenarios. Throws a UserError where the file is malformed. */
export async function loadLandscapePredictions(): Promise<Predictions> {
  return await loadPredictions(new URL("landscape.json", FOLDER));
}
