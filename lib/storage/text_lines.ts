import { UserError } from "../core/user_error.ts";
import { byteLines } from "./byte_lines.ts";

/** A line of a text file without its line feed, counted from 1. */
export interface TextLine {
  readonly text: string;
  readonly line: number;
}

/** Enough for a run with all its prompts and replies. */
const LONGEST_BYTES = 64 * 2 ** 20;

/**
 * The lines of a text file one by one, so that a file may be larger than memory. A last line needs no line end.
 *
 * @throws {UserError} naming the file where it cannot be read, and the line where it is not UTF-8 or over 64 MiB.
 */
export async function* textLines(path: string): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const { bytes, line } of byteLines(path, { longestBytes: LONGEST_BYTES })) {
    yield { text: decode(decoder, bytes, `${path}: line ${line}`), line };
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, where: string): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new UserError(`${where} is not UTF-8 text; save the file again as UTF-8`, { cause });
  }
}
