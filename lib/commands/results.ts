import { UserError } from "../core/user_error.ts";

/** Standard output for results of any length. */
export interface Results {
  /** Writes a text, with its line end; when the reader is slow, waits for it. */
  write(text: string): Promise<void>;
  /** Writes what still waits; call it at the end. */
  flush(): Promise<void>;
}

/**
 * Standard output in blocks: a million lines are neither a million calls nor kept in memory. Nothing shows before a
 * block is full, so what fails early prints nothing.
 *
 * @throws {UserError} from both functions when the reader has gone.
 */
export function results(): Results {
  const encoder = new TextEncoder();
  let waiting: string[] = [];
  const flush = async () => {
    const bytes = encoder.encode(waiting.join(""));
    waiting = [];
    await writeAll(bytes);
  };
  return {
    flush,
    async write(text) {
      waiting.push(text);
      if (waiting.length >= LINES_AT_ONCE) await flush();
    },
  };
}

const LINES_AT_ONCE = 500;

/** Not `writeSync`: while that waits for a slow reader, Ctrl-C would not be heard. */
async function writeAll(bytes: Uint8Array): Promise<void> {
  try {
    for (let written = 0; written < bytes.length;) written += await Deno.stdout.write(bytes.subarray(written));
  } catch (cause) {
    if (!(cause instanceof Deno.errors.BrokenPipe)) throw cause;
    throw new UserError("standard output was closed before the end", { cause });
  }
}
