import { z } from "zod";
import { UserError } from "../core/user_error.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import { type Declaration, LEDGER_SCHEMA, type LedgerEntry, LedgerLine } from "../schema/ledger_line.ts";
import { closingFlaw, declarationFlaw, eventFlaw } from "./ledger_rules.ts";
import { lastLine, linesOf } from "./lines.ts";

/** One attempt at one replicate, as far as the ledger knows it. */
export interface LedgerRun {
  readonly replicate: number;
  readonly attempt: number;
  readonly events: readonly DeliberationEvent[];
  /** Absent while the run is open or was cut off. */
  readonly closed?: Extract<DeliberationEvent, { kind: "run.closed" }>;
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
}

/**
 * Reads a ledger.
 *
 * A last line without its line end that cannot be read is reported as `torn`; every other bad line stops the
 * reading. A last line that lacks nothing but its line end counts.
 *
 * @throws {UserError} naming file, line and rule: no such file, not JSON, another schema version, a field out of form,
 * an event of another condition or plan, or out of its run's order, a run recorded twice or not whole.
 */
export async function readLedger(path: string): Promise<Ledger> {
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(path);
  } catch (error) {
    throw new UserError(`cannot read the ledger ${path}: ${(error as Error).message}`, { cause: error });
  }
  return parseLedger(bytes, path);
}

/** As `readLedger`, on what a ledger holds. */
export function parseLedger(content: string | Uint8Array, path: string): Ledger {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { offset, state } = lastLine(bytes);
  const reading = new LedgerReading(path);
  let line = 0;
  for (const text of linesOf(state === "torn" ? bytes.subarray(0, offset) : bytes)) reading.take(text, ++line);
  return reading.finish(state === "torn" ? { line: line + 1, offset } : undefined);
}

interface OpenRun {
  readonly replicate: number;
  readonly attempt: number;
  readonly firstLine: number;
  readonly events: DeliberationEvent[];
  closed?: Extract<DeliberationEvent, { kind: "run.closed" }>;
}

class LedgerReading {
  readonly #path: string;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #runs = new Map<string, OpenRun>();
  /** The attempt at each replicate that closed complete. */
  readonly #realised = new Map<number, OpenRun>();
  #declaration: Declaration | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  take(bytes: Uint8Array, line: number): void {
    const entry = this.#parse(this.#decode(bytes, line), line);
    const before = this.#declaration;
    const flaw = entry.kind === "declared" ? declarationFlaw(entry, before) : eventFlaw(entry, before);
    if (flaw) this.#refuse(line, flaw);
    if (entry.kind === "declared") this.#declaration = entry;
    else this.#add(entry, before!, line);
  }

  #add({ replicate, attempt, event }: LedgerEntry, { condition, base = [] }: Declaration, line: number): void {
    const key = `${replicate}/${attempt}`;
    const run = this.#runs.get(key);
    const which = `replicate ${replicate}, attempt ${attempt}`;
    const again = "the run is duplicated; remove one copy";
    if (event.kind === "run.opened" || event.kind === "run.forked") {
      if (run) this.#refuse(line, `opens ${which} a second time (first on line ${run.firstLine}): ${again}`);
      const realised = this.#realised.get(replicate);
      if (realised) this.#refuse(line, `opens ${which}, though attempt ${realised.attempt} is complete: ${again}`);
      this.#runs.set(key, { replicate, attempt, firstLine: line, events: [...base, event] });
      return;
    }
    if (!run) return this.#refuse(line, `goes on with ${which}, which no line has opened`);
    if (run.closed) this.#refuse(line, `goes on with ${which}, which is already closed: ${again}`);
    run.events.push(event);
    if (event.kind !== "run.closed") return;
    run.closed = event;
    const flaw = closingFlaw(run.events, condition);
    if (flaw) this.#refuse(line, `${flaw}: a line of ${which} is missing or doubled; restore it from a copy`);
    if (event.outcome === "complete") this.#realised.set(replicate, run);
  }

  /** Bytes that are not UTF-8 would otherwise be replaced without a word. */
  #decode(bytes: Uint8Array, line: number): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return this.#refuse(line, "is not UTF-8 text; restore the line from a copy, or remove it together with its run");
    }
  }

  #parse(text: string, line: number): LedgerLine {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      return this.#refuse(line, "is not JSON; restore the line from a copy, or remove it together with its run");
    }
    const schema = (json as { schema?: unknown } | null)?.schema;
    if (schema !== LEDGER_SCHEMA) {
      return this.#refuse(
        line,
        `has schema ${JSON.stringify(schema) ?? "none"}, this library reads "${LEDGER_SCHEMA}"`,
      );
    }
    const parsed = LedgerLine.safeParse(json);
    return parsed.success ? parsed.data : this.#refuse(line, `is out of form: ${firstIssue(parsed.error)}`);
  }

  #refuse(line: number, why: string): never {
    throw new UserError(`${this.#path}: line ${line} ${why}`);
  }

  finish(torn?: TornLine): Ledger {
    if (!this.#declaration) {
      throw new UserError(`${this.#path}: no line declares a condition, so this is not a ledger or it is empty`);
    }
    const runs = [...this.#runs.values()].map(({ firstLine: _, ...run }) => run);
    return { path: this.#path, declaration: this.#declaration, runs, ...(torn && { torn }) };
  }
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]!;
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}
