import type { z } from "zod";
import { UserError } from "../core/user_error.ts";
import { lastLine } from "./last_line.ts";
import type { TornLine } from "./read_ledger.ts";
import { fieldName, violations } from "./violations.ts";

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
  const values = lines(whole).map((line, i) => parseLine(line, schemaOf(i + 1), `${path}: line ${i + 1}`));
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

/** Split as bytes: in UTF-8 no other character holds the byte of a line end. */
function lines(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start);
    found.push(bytes.subarray(start, end < 0 ? undefined : end));
    start = end < 0 ? bytes.length : end + 1;
  }
  return found;
}

const MEND = "restore the line from a copy; the run cannot be read without it";

function parseLine<T>(bytes: Uint8Array, schema: z.ZodType<T>, where: string): T {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new UserError(`${where} is not ${cause instanceof SyntaxError ? "JSON" : "UTF-8 text"}; ${MEND}`, { cause });
  }
  const checked = violations(schema, json);
  if (checked.ok) return checked.value;
  const { path, rule } = checked.violations[0]!;
  throw new UserError(`${where}: ${fieldName(path) || "the whole line"}: ${rule}`);
}
