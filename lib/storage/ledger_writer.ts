import { UserError } from "../core/user_error.ts";
import type { LedgerLine } from "../schema/ledger_line.ts";
import type { TornLine } from "./read_ledger.ts";

/**
 * Appends to one ledger. Each line is written as it comes, so that a kill loses at most calls in flight; `commit`
 * makes what was written safe against power loss.
 *
 * The file is locked while open: a second writer is refused, and the lock goes with the process.
 */
export class LedgerWriter implements Disposable {
  readonly path: string;
  readonly #file: Deno.FsFile;
  readonly #encoder = new TextEncoder();

  private constructor(path: string, file: Deno.FsFile) {
    this.path = path;
    this.#file = file;
  }

  /**
   * Opens a ledger for appending, making it and its folder where they are not there.
   *
   * @param options `torn`: a torn last line found by `readLedger`; its bytes are kept in `PATH.torn` and taken off.
   * @throws {UserError} when the folder cannot be written or another process holds the ledger.
   */
  static open(path: string, { torn }: { torn?: TornLine | undefined } = {}): LedgerWriter {
    const file = attempt(path, () => {
      Deno.mkdirSync(folderOf(path), { recursive: true });
      return Deno.openSync(path, { read: true, write: true, create: true });
    });
    if (!file.tryLockSync(true)) {
      file.close();
      throw new UserError(`${path} is being written by another run; wait for it, or give this one another --out`);
    }
    const writer = new LedgerWriter(path, file);
    attempt(path, () => {
      if (torn) setAside(file, path, torn);
      file.seekSync(0, Deno.SeekMode.End);
      syncFolder(folderOf(path));
    });
    return writer;
  }

  append(line: LedgerLine): void {
    const bytes = this.#encoder.encode(`${JSON.stringify(line)}\n`);
    attempt(this.path, () => {
      for (let written = 0; written < bytes.length;) written += this.#file.writeSync(bytes.subarray(written));
    });
  }

  commit(): void {
    attempt(this.path, () => this.#file.syncDataSync());
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

/** The bytes of a torn line are nobody's to throw away: they go into a file of their own. */
function setAside(file: Deno.FsFile, path: string, { offset }: TornLine): void {
  const bytes = new Uint8Array(file.statSync().size - offset);
  file.seekSync(offset, Deno.SeekMode.Start);
  file.readSync(bytes);
  Deno.writeFileSync(`${path}.torn`, bytes, { append: true });
  file.truncateSync(offset);
}

function syncFolder(folder: string): void {
  using handle = Deno.openSync(folder);
  handle.syncSync();
}

const folderOf = (path: string): string => path.includes("/") ? path.slice(0, path.lastIndexOf("/")) || "/" : ".";

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `cannot write ${path}: ${why}. What was written before is intact; free space or choose a writable --out and run again`,
      { cause: error },
    );
  }
}
