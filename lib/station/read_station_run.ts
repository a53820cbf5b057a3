import type { z } from "zod";
import { known } from "../core/options.ts";
import { UserError } from "../core/user_error.ts";
import { ModelCall } from "../schema/model_call.ts";
import { StationEvent } from "../schema/station_event.ts";
import { StationSummary } from "../schema/station_summary.ts";
import { missing, reading, readText } from "../record/files.ts";
import { jsonOf, type TornLine, wholeLines } from "../record/lines.ts";
import { lineIn, readJson } from "../record/read_json.ts";
import { readSeal } from "../record/seal.ts";
import { StationHeader, StationUnanswered } from "./station_files.ts";

/** How a file of lines ends. */
interface LinesEnd {
  readonly torn?: TornLine;
  /** Checksum of the last line, which the next is begun with; absent where no line has one. */
  readonly check?: string;
}

/** A file of JSON lines, read whole; `values[i]` stands on line i + 1. */
export interface SealedValues<T> extends LinesEnd {
  readonly values: readonly T[];
}

/** More than any run needs; a file from elsewhere must not fill the memory. */
const LARGEST_BYTES = 512 * 2 ** 20;

/**
 * Reads a file of JSON lines, each checked against its checksum and the schema of its line. A torn last line is skipped
 * and reported; a last line that lacks only its line end counts. Lines of older versions have no checksum; once one has,
 * all that follow must.
 *
 * @param schemaOf the schema of a line, counted from 1.
 * @param repair what to do about a line that was changed.
 * @throws {UserError} naming file, line and rule: missing, over 512 MiB, not UTF-8, not JSON, changed, out of form.
 */
export async function readSealedLines<T>(
  path: string,
  schemaOf: (line: number) => z.ZodType<T>,
  repair = REPAIR,
): Promise<SealedValues<T>> {
  const { lines, torn } = wholeLines(await bytesOf(path));
  let check: string | undefined;
  const values = lines.map((line, i) => {
    const where = `${path}: line ${i + 1}`, read = jsonOf(line), seal = readSeal(line, check);
    if ("flaw" in read) throw new UserError(`${where} ${read.flaw}; ${repair}`);
    if (seal?.holds === false || (seal === undefined && check !== undefined)) {
      throw new UserError(
        `${where} was changed since it was written, or a line before it is missing, doubled or swapped; ${repair}`,
      );
    }
    check = seal?.check;
    return lineIn(schemaOf(i + 1), seal ? withoutCheck(read.json as object) : read.json, where);
  });
  return { values, ...known({ check, torn }) };
}

const withoutCheck = ({ check: _, ...line }: { check?: unknown }): object => line;

const bytesOf = (path: string): Promise<Uint8Array> =>
  reading(path, async () => {
    const { size } = await Deno.stat(path);
    if (size > LARGEST_BYTES) throw new UserError(`${path}: is larger than 512 MiB, which no run comes to`);
    return await Deno.readFile(path);
  });

const REPAIR = "restore the line from a copy; the run cannot be read without it";
/** For files that record nothing but the cost of calls. */
export const REPAIR_OR_REMOVE = "restore the file from a copy, or remove it: what its calls cost is then not counted";

/** `events.jsonl` of one run. `events[i]` stands on line i + 2. */
export interface StationLog extends LinesEnd {
  readonly path: string;
  readonly header: StationHeader;
  readonly events: readonly StationEvent[];
}

/** `model_calls.jsonl` of one run. Call i stands on line i + 1; events name calls by i. */
interface StationCalls extends LinesEnd {
  readonly calls: readonly ModelCall[];
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
  const { values, ...end } = await readSealedLines(path, schemaOf);
  const [header, ...events] = values as [StationHeader | undefined, ...StationEvent[]];
  return header && { path, header, events, ...end };
}

/** Reads the calls behind a run; none for a run without a model. Throws a UserError as `readStationLog`. */
export async function readStationCalls(path: string): Promise<StationCalls> {
  const { values: calls, ...end } = await readSealedLines(path, () => ModelCall);
  return { calls, ...end };
}

/** Reads the calls that the endpoint left without an outcome; none where there is no such file. Errors as `readStationLog`. */
export const readStationUnanswered = async (path: string): Promise<readonly StationUnanswered[]> =>
  (await readUnansweredLines(path)).values;

/** As `readStationUnanswered`, with the seal that the next line continues from. */
export const readUnansweredLines = async (path: string): Promise<SealedValues<StationUnanswered>> =>
  await missing(path) ? { values: [] } : await readSealedLines(path, () => StationUnanswered, REPAIR_OR_REMOVE);

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

/** The schema that a JSON text names; undefined where it names none or is no JSON, which `readJson` then explains. */
function schemaIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { schema?: unknown } | null)?.schema;
  } catch {
    return undefined;
  }
}

/** A summary as `final_summary.json` holds it. */
export const summaryText = (summary: StationSummary): string => `${JSON.stringify(summary, null, 2)}\n`;
