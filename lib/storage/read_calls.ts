import { UserError } from "../core/user_error.ts";
import { ModelCall } from "../schema/model_call.ts";
import { readText } from "./read_text.ts";
import { fieldName, violations } from "./violations.ts";

/**
 * Reads recorded model calls, one JSON object a line, as `run --council live` writes them.
 *
 * @throws {UserError} naming file, line and rule; a torn last line is an error here, since a replay would miss it.
 */
export async function readCalls(path: string): Promise<ModelCall[]> {
  const text = (await readText(path)).trimEnd();
  if (text === "") throw new UserError(`${path}: holds no recorded call`);
  return text.split("\n").map((line, i) => {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      throw new UserError(`${path}: line ${i + 1} is not JSON; take it off the recording to replay the rest`);
    }
    const checked = violations(ModelCall, json);
    if (checked.ok) return checked.value;
    const { path: field, rule } = checked.violations[0]!;
    throw new UserError(`${path}: line ${i + 1}: ${fieldName(field) || "the whole line"}: ${rule}`);
  });
}
