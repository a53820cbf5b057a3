import type { z } from "zod";
import { UserError } from "../core/user_error.ts";
import { byteLines, type ByteLinesOptions } from "./byte_lines.ts";
import { fieldName, violations } from "./violations.ts";

/** One line of a file of JSON lines. */
export interface JsonLine<T> {
  readonly value: T;
  /** Counted from 1. */
  readonly line: number;
}

export type JsonLinesOptions = Pick<ByteLinesOptions, "onBytes">;

/**
 * Reads a file of JSON lines one by one, so that a file may be larger than memory.
 *
 * A last line that lacks only its line end counts. Nothing is skipped: a line that cannot be read ends the reading.
 *
 * @param schema what each line must be.
 * @throws {UserError} naming file, line and rule: missing or unreadable; a line that is empty, over 16 MiB, not UTF-8, not
 * JSON (a file that ends within a line is told apart), or out of form.
 */
export async function* readJsonLines<S extends z.ZodType>(
  path: string,
  schema: S,
  { onBytes }: JsonLinesOptions = {},
): AsyncGenerator<JsonLine<z.output<S>>> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const { bytes, line, ended } of byteLines(path, { longestBytes: LONGEST_BYTES, onBytes })) {
    const where = `${path}: line ${line}`;
    yield { value: check(schema, parse(bytes, { decoder, ended, where }), where), line };
  }
}

/** More than any summary comes to. */
const LONGEST_BYTES = 16 * 2 ** 20;

interface LineContext {
  readonly decoder: TextDecoder;
  readonly ended: boolean;
  readonly where: string;
}

function parse(bytes: Uint8Array, { decoder, ended, where }: LineContext): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    const text = cause instanceof SyntaxError;
    const what = bytes.every((byte) => byte <= 0x20) ? "is empty" : text ? "is not JSON" : "is not UTF-8 text";
    if (!ended) throw new UserError(`${where} ${what}: the file ends within it; take it off, or restore it`, { cause });
    throw new UserError(`${where} ${what}; restore the line from a copy, or take it out`, { cause });
  }
}

function check<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const checked = violations(schema, value);
  if (checked.ok) return checked.value;
  const { path, rule } = checked.violations[0]!;
  throw new UserError(`${where}: ${fieldName(path) || "the whole line"}: ${rule}`);
}
