import type { z } from "zod";
import { type JsonPath, jsonSpans } from "../core/json_spans.ts";
import { textPosition } from "../core/text_position.ts";
import { UserError } from "../core/user_error.ts";
import { fileName, readText } from "./read_text.ts";
import { fieldName, violations } from "./violations.ts";

/**
 * Reads a JSON file and checks it against a schema.
 *
 * @returns the value as the schema gives it.
 * @throws {UserError} whatever is wrong with the file: missing or unreadable; not JSON, or a key given twice (file,
 * line, column); or at odds with the schema, one line for each broken rule as `file:line:column: field: rule`. An
 * unknown key is named where it stands, a missing one at the object that lacks it.
 */
export async function readJson<S extends z.ZodType>(file: string | URL, schema: S): Promise<z.output<S>> {
  const text = await readText(file);
  const complain = (offset: number, words: string) => {
    const { line, column } = textPosition(text, offset);
    return `${fileName(file)}:${line}:${column}: ${words}`;
  };
  const spans = jsonSpans(text);
  if (!spans.ok) {
    const { offset, message } = spans.issue;
    throw new UserError(complain(offset, `not readable as JSON: ${message}`));
  }
  const checked = violations(schema, JSON.parse(text));
  if (checked.ok) return checked.value;
  throw new UserError(
    checked.violations
      .map(({ path, rule }) => complain(offsetOf(path, spans.value), `${fieldName(path) || "the whole file"}: ${rule}`))
      .join("\n"),
  );
}

/** The offset of the value at `path`, from its key where it has one; of the nearest enclosing value if it is missing. */
function offsetOf(path: JsonPath, spans: (path: JsonPath) => { start: number; key?: number } | undefined): number {
  const span = spans(path);
  if (span !== undefined) return span.key ?? span.start;
  return offsetOf(path.slice(0, -1), spans);
}
