import type { z } from "zod";
import { UserError } from "../core/user_error.ts";
import { ModelCall } from "../schema/model_call.ts";
import { StationEvent } from "../schema/station_event.ts";
import { StationSummary } from "../schema/station_summary.ts";
import { readText } from "./files.ts";
import { lastLine, linesOf } from "./lines.ts";
import { fieldName, readJson, violations } from "./read_json.ts";
import type { TornLine } from "./read_ledger.ts";
import { StationHeader } from "./station_files.ts";

/** A file of JSON lines, read whole; `values[i]` stands on line i + 1. */
export interface StationLines<T> {
  readonly values: readonly T[];
  readonly torn?: TornLine;
}

/** More than any run needs; a file from elsewhere must not fill the memory. */
const LARGEST_BYTES = 256 * 2 ** 20;

/**
 * Reads a file of JSON lines, each checked against the schema of its line. A torn last line is skipped and reported;
 * a last line that lacks only its line end counts.
 *
 * @param schemaOf the schema of a line, counted from 1.
 * @throws {UserError} naming file, line and rule: missing, over 256 MiB, not UTF-8, not JSON, out of form.
 */
export async function readStationLines<T>(
  path: string,
  schemaOf: (line: number) => z.ZodType<T>,
): Promise<StationLines<T>> {
  const bytes = await bytesOf(path);
  const { offset, state } = lastLine(bytes);
  const whole = state === "torn" ? bytes.subarray(0, offset) : bytes;
  const values = [...linesOf(whole)].map((line, i) => parseLine(line, schemaOf(i + 1), `${path}: line ${i + 1}`));
  return { values, ...(state === "torn" && { torn: { line: values.length + 1, offset } }) };
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    const { size } = await Deno.stat(path);
    if (size > LARGEST_BYTES) throw new UserError(`${path}: is larger than 256 MiB, which no station run comes to`);
    return await Deno.readFile(path);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    const why = cause instanceof Deno.errors.NotFound
      ? "there is no such file; check the path, or restore the file"
      : `cannot be read (${(cause as Error).message})`;
    throw new UserError(`${path}: ${why}`, { cause });
  }
}

const REPAIR = "restore the line from a copy; the run cannot be read without it";

function parseLine<T>(bytes: Uint8Array, schema: z.ZodType<T>, where: string): T {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new UserError(`${where} is not ${cause instanceof SyntaxError ? "JSON" : "UTF-8 text"}; ${REPAIR}`, {
      cause,
    });
  }
  const checked = violations(schema, json);
  if (checked.ok) return checked.value;
  const { path, rule } = checked.violations[0]!;
  throw new UserError(`${where}: ${fieldName(path) || "the whole line"}: ${rule}`);
}

/** `events.jsonl` of one run. `events[i]` stands on line i + 2. */
export interface StationLog {
  readonly path: string;
  readonly header: StationHeader;
  readonly events: readonly StationEvent[];
  readonly torn?: TornLine;
}

/** `model_calls.jsonl` of one run. Call i stands on line i + 1; events name calls by i. */
export interface StationCalls {
  readonly calls: readonly ModelCall[];
  readonly torn?: TornLine;
}

/**
 * Reads the events of a run: finished, under way or cut off.
 *
 * @throws {UserError} naming file, line and rule; also where the file holds no whole header yet.
 */
export async function readStationLog(path: string): Promise<StationLog> {
  const log = await readStationLogIfBegun(path);
  if (log) return log;
  throw new UserError(`${path}: holds no whole first line, so no run was begun in it`);
}

/** As `readStationLog`; undefined where the file is empty or was cut off within its first line. */
export async function readStationLogIfBegun(path: string): Promise<StationLog | undefined> {
  const schemaOf = (line: number): z.ZodType<StationHeader | StationEvent> => line === 1 ? StationHeader : StationEvent;
  const { values, torn } = await readStationLines(path, schemaOf);
  const [header, ...events] = values as [StationHeader | undefined, ...StationEvent[]];
  return header && { path, header, events, ...(torn && { torn }) };
}

/** Reads the calls behind a run; none for a run without a model. Throws a UserError as `readStationLog`. */
export async function readStationCalls(path: string): Promise<StationCalls> {
  const { values, torn } = await readStationLines(path, () => ModelCall);
  return { calls: values, ...(torn && { torn }) };
}

const SUMMARY_SCHEMA = StationSummary.shape.schema.value;

/**
 * Reads one `final_summary.json`.
 *
 * @throws {UserError} when it is missing, not JSON, of another schema version (both are named), or out of form (every
 * broken rule with its place).
 */
export async function readStationSummary(path: string): Promise<StationSummary> {
  const schema = schemaIn(await readText(path));
  if (schema !== undefined && schema !== SUMMARY_SCHEMA) {
    throw new UserError(
      `${path}: has schema ${
        JSON.stringify(schema)
      }, this library reads "${SUMMARY_SCHEMA}"; use the version that wrote it`,
    );
  }
  return await readJson(path, StationSummary);
}

/** What a JSON text says it is; undefined where it says nothing or is no JSON, which `readJson` then explains. */
function schemaIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { schema?: unknown } | null)?.schema;
  } catch {
    return undefined;
  }
}

/** A summary as `final_summary.json` holds it. */
export const summaryText = (summary: StationSummary): string => `${JSON.stringify(summary, null, 2)}\n`;
