import { UserError } from "../core/user_error.ts";

/** A line of a text file without its line feed, counted from 1. */
export interface TextLine {
  readonly text: string;
  readonly line: number;
}

/** Enough for a run with all its prompts and replies; a file without line ends must not fill the memory. */
const LONGEST = 64 * 2 ** 20;

/**
 * The lines of a text file one by one, so that a file may be larger than memory. A last line needs no line end.
 *
 * @throws {UserError} naming the file where it cannot be read, and the line where it is not UTF-8 or over 64 Mi characters.
 */
export async function* textLines(path: string): AsyncGenerator<TextLine> {
  const file = await Deno.open(path).catch((cause: Error) => {
    throw new UserError(`cannot read ${path}: ${cause.message}`, { cause });
  });
  let rest = "", line = 0;
  try {
    for await (const chunk of file.readable.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))) {
      const [first, ...more] = chunk.split("\n");
      rest += first!;
      for (const next of more) {
        yield { text: rest, line: ++line };
        rest = next;
      }
      if (rest.length > LONGEST) throw new UserError(`${path}: line ${line + 1} is longer than 64 Mi characters`);
    }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UserError(`${path}: is not UTF-8 text, somewhere after line ${line}`, { cause });
  }
  if (rest !== "") yield { text: rest, line: line + 1 };
}
