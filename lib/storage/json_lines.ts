import type { z } from "zod";
import { UserError } from "../core/user_error.ts";
import { fieldName, violations } from "./violations.ts";

/** One line of a file of JSON lines. */
export interface JsonLine<T> {
  readonly value: T;
  /** Counted from 1. */
  readonly line: number;
}

export interface JsonLinesOptions {
  /** Sees every byte of the file, in order, before the lines that they hold are given. The array is used again. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
}

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
  let line = 0;
  for await (const { bytes, ended } of byteLines(path, onBytes)) {
    const where = `${path}: line ${++line}`;
    if (bytes.length > LONGEST_BYTES) throw new UserError(`${where} is longer than 16 MiB, which no summary comes to`);
    yield { value: check(schema, parse(bytes, { decoder, ended, where }), where), line };
  }
}

/** More than any line needs; a file without line ends must not fill the memory. */
const LONGEST_BYTES = 16 * 2 ** 20;
const CHUNK_BYTES = 2 ** 18;
const LINE_END = 0x0a;

/** Split as bytes: in UTF-8 no other character holds the byte of a line end. Each line is valid until the next one. */
async function* byteLines(
  path: string,
  onBytes: ((bytes: Uint8Array) => void) | undefined,
): AsyncGenerator<{ bytes: Uint8Array; ended: boolean }> {
  using file = await attempt(path, () => Deno.open(path));
  const chunk = new Uint8Array(CHUNK_BYTES);
  let rest = new Uint8Array(0);
  while (rest.length <= LONGEST_BYTES) {
    const size = await attempt(path, () => file.read(chunk));
    if (size === null) break;
    const read = chunk.subarray(0, size);
    onBytes?.(read);
    let start = 0;
    for (let end = read.indexOf(LINE_END); end >= 0; end = read.indexOf(LINE_END, start)) {
      const bytes = read.subarray(start, end);
      yield { bytes: rest.length === 0 ? bytes : joined(rest, bytes), ended: true };
      rest = new Uint8Array(0);
      start = end + 1;
    }
    rest = joined(rest, read.subarray(start));
  }
  if (rest.length > 0) yield { bytes: rest, ended: false };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

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

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const why = cause instanceof Deno.errors.NotFound
      ? "there is no such file; check the path, or restore the file"
      : `cannot be read (${(cause as Error).message})`;
    throw new UserError(`${path}: ${why}`, { cause });
  }
}
