import type { z } from "zod";
import { UserError } from "../core/user_error.ts";
import { ModelCall } from "../schema/model_call.ts";
import { StationEvent } from "../schema/station_event.ts";
import { StationSummary } from "../schema/station_summary.ts";
import { readJson } from "./read_json.ts";
import type { TornLine } from "./read_ledger.ts";
import { readText } from "./read_text.ts";
import { StationHeader } from "./station_header.ts";
import { readStationLines } from "./station_lines.ts";

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
