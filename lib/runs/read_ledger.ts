import { z } from "zod";
import { UserError } from "../core/user_error.ts";
import {
  type Declaration,
  LEDGER_SCHEMA,
  type LedgerEntry,
  LedgerLine,
  type UnansweredCall,
  UNSEALED_SCHEMA,
} from "../schema/ledger_line.ts";
import { closingFlaw, countOf, declarationFlaw, eventFlaw, isTornDeclaration, linesCounted } from "./ledger_rules.ts";
import { GrowingRun, type LedgerRun } from "./ledger_run.ts";
import { byteLines, isJson, lastLine, linesOf } from "./lines.ts";
import type { RunKey } from "./run_store.ts";
import { readSeal } from "./seal.ts";

/** A line that is not as it was written. */
export interface DamagedLine {
  readonly line: number;
  /** Continues a sentence that begins with the line. */
  readonly why: string;
}

/** A torn last line: what a kill or a power cut leaves behind. It is skipped and reported. */
export interface TornLine {
  readonly line: number;
  /** Byte offset at which it begins. */
  readonly offset: number;
}

/** A condition's ledger, read whole. */
export interface Ledger {
  readonly path: string;
  /** The latest declaration: a plan may have been extended. */
  readonly declaration: Declaration;
  /** In order of opening; failed and unfinished attempts are kept. */
  readonly runs: readonly LedgerRun[];
  readonly torn?: TornLine;
  /** Their runs are marked; the other runs can be used. */
  readonly damaged: readonly DamagedLine[];
  /** Where further lines go on. */
  readonly seals: Seals;
}

/**
 * Reads a ledger.
 *
 * A last line without its line end that cannot be read is reported as `torn`; a last line that lacks nothing but its line
 * end counts. Every other line that is not as it was written is reported as `damaged`, and its run counts for nothing.
 *
 * @throws {UserError} naming file, line and rule: no such file; another schema version; an event of another condition or
 * plan, or out of its run's order, a run recorded twice or not whole. In lines that carry no checksum, written before
 * 0.2.0, every bad line stops the reading.
 */
export async function readLedger(path: string): Promise<Ledger> {
  return (await resumeLedger(path)).ledger;
}

/** As `readLedger`; undefined where the file is empty or was cut off within its first line. */
export const readLedgerIfBegun = async (path: string): Promise<Ledger | undefined> =>
  await isBegun(path) ? await readLedger(path) : undefined;

/** Whether a file holds more than the beginning of a ledger's first line. */
export async function isBegun(path: string): Promise<boolean> {
  for await (const { bytes, ended } of byteLines(path, { longestBytes: LONGEST_BYTES })) {
    return ended || !isTornDeclaration(bytes);
  }
  return false;
}

/** A ledger with its runs, by `runName`, as they can be gone on with. */
export interface ResumedLedger {
  readonly ledger: Ledger;
  readonly runs: Map<string, GrowingRun>;
}

/** As `readLedger`, to go on with. */
export async function resumeLedger(path: string, { code }: ReadLedgerOptions = {}): Promise<ResumedLedger> {
  // Looked up first: whoever else writes the ledger meanwhile only adds to it.
  const counted = linesCounted(path);
  const reading = new LedgerReading(path, code);
  let offset = 0;
  for await (const { bytes, line, ended } of byteLines(path, { longestBytes: LONGEST_BYTES })) {
    if (!ended && !isJson(bytes)) {
      return { ledger: reading.finish({ torn: { line, offset }, counted }), runs: reading.runs };
    }
    reading.take(bytes, line);
    offset += bytes.length + 1;
  }
  return { ledger: reading.finish({ counted }), runs: reading.runs };
}

/** Enough for the declaration of a committee of any size, with the run that it continues. */
export const LONGEST_BYTES = 64 * 2 ** 20;

export interface ReadLedgerOptions {
  /**
   * Events that this code wrote and sealed have its form, and are not checked for it field by field, which takes a third
   * of the time; their seal, plan and order are. For ledgers that can be made again.
   */
  readonly code?: string | undefined;
}

/** As `readLedger`, on what a ledger holds. */
export function parseLedger(content: string | Uint8Array, path: string, { code }: ReadLedgerOptions = {}): Ledger {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const last = lastLine(bytes);
  const reading = new LedgerReading(path, code);
  let line = 0;
  for (const text of linesOf(last.state === "torn" ? bytes.subarray(0, last.offset) : bytes)) {
    reading.take(text, ++line);
  }
  return reading.finish(last.state === "torn" ? { torn: { line: line + 1, offset: last.offset } } : {});
}

/** Where the chains of checksums stand, and how many lines were written. */
export interface Seals {
  readonly lines: number;
  /** The last checksum of each run, by `runName`, and of the declarations, by `DECLARED`. */
  readonly last: ReadonlyMap<string, string>;
}

export const DECLARED = "declared";
export const runName = ({ replicate, attempt }: RunKey): string => `replicate ${replicate}, attempt ${attempt}`;

/** What is wrong with a line; ends with the way out. */
class Flaw extends Error {}

class LedgerReading {
  readonly #path: string;
  readonly #code: string | undefined;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly runs = new Map<string, GrowingRun>();
  /** The attempt at each replicate that closed complete. */
  readonly #realised = new Map<number, RunKey>();
  readonly #seals = new Map<string, string>();
  readonly #damaged: DamagedLine[] = [];
  /** Runs of which a line was changed, is missing or stands elsewhere. */
  readonly #broken = new Set<string>();
  /** Checksums of changed lines that say they belong to a run. */
  readonly #suspects = new Map<string, string[]>();
  #declaration: Declaration | undefined;
  /** The highest number of a sound line, and how many lines since may bear the numbers after it. */
  #written = 0;
  #unsound = 0;
  #line = 0;

  constructor(path: string, code: string | undefined) {
    this.#path = path;
    this.#code = code;
  }

  /** @param bytes of one line, without its line end; they are not kept. */
  take(bytes: Uint8Array, line: number): void {
    this.#line = line;
    this.#unsound++;
    try {
      this.#take(bytes, line);
    } catch (error) {
      if (!(error instanceof Flaw)) throw error;
      // Without checksums nobody can tell whose line it is, and without a declaration nothing can be read at all.
      if (this.#written === 0 || this.#declaration === undefined) {
        throw new UserError(`${this.#path}: line ${line} ${error.message}`);
      }
      this.#damaged.push({ line, why: error.message });
    }
  }

  #take(bytes: Uint8Array, line: number): void {
    const entry = this.#parse(this.#decode(bytes), bytes);
    if (entry === undefined) return;
    const before = this.#declaration;
    if (entry.kind === "declared") {
      const flaw = declarationFlaw(entry, before);
      if (flaw) throw new Flaw(flaw);
      this.#declaration = withoutSeal(entry);
    } else this.#takeOfRun(entry, before, line);
  }

  #takeOfRun(entry: LedgerEntry | UnansweredCall, plan: Declaration | undefined, line: number): void {
    const run = runName(entry);
    try {
      const flaw = entry.kind === "event" ? eventFlaw(entry, plan) : undefined;
      if (flaw) throw new Flaw(flaw);
      if (entry.kind === "event") this.#add(entry, plan!, line);
      else this.#openRun(entry).giveUp(withoutSeal(entry));
    } catch (error) {
      this.#broken.add(run);
      throw error;
    }
  }

  #openRun(key: RunKey): GrowingRun {
    const run = this.runs.get(runName(key));
    if (run === undefined) throw new Flaw(`goes on with ${runName(key)}, which no line has opened`);
    if (run.closed) {
      throw new Flaw(`goes on with ${runName(key)}, which is already closed: the run is duplicated; remove one copy`);
    }
    return run;
  }

  #add({ replicate, attempt, event }: LedgerEntry, { condition, base = [] }: Declaration, line: number): void {
    const which = runName({ replicate, attempt });
    if (event.kind === "run.opened" || event.kind === "run.forked") {
      const again = "the run is duplicated; remove one copy";
      const run = this.runs.get(which);
      if (run) throw new Flaw(`opens ${which} a second time (first on line ${run.firstLine}): ${again}`);
      const realised = this.#realised.get(replicate);
      if (realised) throw new Flaw(`opens ${which}, though attempt ${realised.attempt} is complete: ${again}`);
      const key = { replicate, attempt };
      this.runs.set(which, new GrowingRun(key, { base, firstLine: line }));
    }
    const run = this.#openRun({ replicate, attempt });
    run.add(event);
    if (event.kind !== "run.closed") return;
    const flaw = closingFlaw(run.events, condition);
    if (flaw) throw new Flaw(`${flaw}: a line of ${which} is missing or doubled; restore it from a copy`);
    run.pack(condition);
    if (event.outcome === "complete") this.#realised.set(replicate, run);
  }

  /** Bytes that are not UTF-8 would otherwise be replaced without a word. */
  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new Flaw("is not UTF-8 text; restore it from a copy");
    }
  }

  /** A line in form, whose checksum holds; undefined where its run is known to be damaged. */
  #parse(text: string, bytes: Uint8Array): LedgerLine | undefined {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new Flaw("is not JSON; restore it from a copy");
    }
    const schema = (json as { schema?: unknown } | null)?.schema;
    if (schema !== LEDGER_SCHEMA && schema !== UNSEALED_SCHEMA) {
      throw new Flaw(
        `has schema ${
          JSON.stringify(schema) ?? "none"
        }, this library reads "${UNSEALED_SCHEMA}" and "${LEDGER_SCHEMA}"`,
      );
    }
    const maker = this.#declaration?.made.code;
    const { kind } = json as { kind?: unknown };
    if (schema === LEDGER_SCHEMA && kind === "event" && maker !== undefined && maker === this.#code) {
      return this.#keepsItsSeal(json as LedgerEntry, bytes) ? json as LedgerEntry : undefined;
    }
    const parsed = LedgerLine.safeParse(json);
    if (!parsed.success) throw new Flaw(`is out of form: ${firstIssue(parsed.error)}`);
    return this.#keepsItsSeal(parsed.data, bytes) ? parsed.data : undefined;
  }

  /** Whether the line is as it was written; false where its run is known to be damaged, so that one line is named. */
  #keepsItsSeal(line: LedgerLine, bytes: Uint8Array): boolean {
    if (line.schema === UNSEALED_SCHEMA) {
      if (this.#written === 0 && line.check === undefined) return true;
      throw new Flaw("carries no checksum, though lines before it do; restore it from a copy");
    }
    const chain = line.kind === "declared" ? DECLARED : runName(line);
    if (this.#broken.has(chain)) return false;
    const seal = readSeal(withoutMarks(bytes), this.#seals.get(chain));
    if (seal?.holds !== true || line.n === undefined) return this.#suspect(chain, bytes);
    this.#seals.set(chain, seal.check);
    this.#suspects.delete(chain);
    if (line.n <= this.#written) {
      this.#broken.add(chain);
      throw new Flaw("was written before the line that stands above it; restore their order from a copy");
    }
    // The line itself is good. What is missing may be the end of a run, which no other line of it would tell.
    const missing = line.n - this.#written - this.#unsound;
    if (missing > 0) this.#damaged.push({ line: this.#line, why: missingBefore(missing) });
    this.#written = line.n;
    this.#unsound = 0;
    return true;
  }

  /** Of a changed line nothing can be believed, not even whose it is: the next line of that run decides. */
  #suspect(chain: string, bytes: Uint8Array): false {
    const suspects = this.#suspects.get(chain) ?? [];
    if (suspects.some((before) => readSeal(withoutMarks(bytes), before)?.holds)) {
      this.#broken.add(chain);
      return false;
    }
    if (suspects.length > 0) this.#broken.add(chain);
    const check = readSeal(withoutMarks(bytes), undefined)?.check;
    this.#suspects.set(chain, check === undefined ? suspects : [...suspects, check]);
    throw new Flaw(
      `was changed since it was written, or a line before it of ${chain} is missing; restore it from a copy`,
    );
  }

  /** @param end `counted`: how many lines there were when the ledger was last closed. */
  finish({ torn, counted = 0 }: { torn?: TornLine; counted?: number }): Ledger {
    if (!this.#declaration) {
      throw new UserError(`${this.#path}: no line declares a condition, so this is not a ledger or it is empty`);
    }
    const lines = this.#written + this.#unsound;
    if (counted > lines) {
      this.#damaged.push({ line: this.#line + 1, why: missingBehind(counted - lines, countOf(this.#path)) });
    }
    const runs = [...this.runs.values()].map((run): LedgerRun => {
      // A damaged line may have been the last of a run that has no closing event.
      const open = run.closed === undefined && this.#damaged.some(({ line }) => line > run.firstLine);
      return run.recorded({ damaged: open || this.#broken.has(runName(run)) });
    });
    return {
      ...{ path: this.#path, declaration: this.#declaration, runs, damaged: this.#damaged },
      ...(torn && { torn }),
      seals: { lines, last: this.#seals },
    };
  }
}

/** The bytes of a line without what an editor may have put around it: a byte order mark, a carriage return. */
function withoutMarks(bytes: Uint8Array): Uint8Array {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.subarray(start, bytes.at(-1) === 0x0d ? -1 : undefined);
}

/** A line as it was before it was sealed. */
function withoutSeal<Line extends LedgerLine>({ n: _, check: __, ...line }: Line): Line {
  return line as Line;
}

const missingBefore = (lines: number): string =>
  `follows ${lines} ${lines === 1 ? "line that is" : "lines that are"} missing; restore them from a copy`;

const missingBehind = (lines: number, count: string): string =>
  `is missing, ${lines === 1 ? "the last one" : `with ${lines - 1} behind it`}, as ${count} says; ` +
  "restore the ledger from a copy, or remove that file to go on without them";

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]!;
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}
