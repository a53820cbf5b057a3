import { z } from "zod";
import { UserError } from "../core/user_error.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import { type Declaration, LEDGER_SCHEMA, LedgerLine } from "../schema/ledger_line.ts";

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
 * reading.
 *
 * @throws {UserError} naming file, line and rule: no such file, not JSON, another schema version, a field out of form,
 * an event of another condition or out of its run's order, a run recorded twice.
 */
export async function readLedger(path: string): Promise<Ledger> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    throw new UserError(`cannot read the ledger ${path}: ${(error as Error).message}`, { cause: error });
  }
  return parseLedger(text, path);
}

/** As `readLedger`, on the text of a ledger. */
export function parseLedger(text: string, path: string): Ledger {
  const lines = text.split("\n");
  const last = lines.pop()!;
  const reading = new LedgerReading(path);
  lines.forEach((line, i) => reading.take(line, i + 1));
  if (last === "") return reading.finish();
  if (isJson(last)) {
    reading.take(last, lines.length + 1);
    return reading.finish();
  }
  const offset = new TextEncoder().encode(text.slice(0, text.length - last.length)).length;
  return reading.finish({ line: lines.length + 1, offset });
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
  readonly #runs = new Map<string, OpenRun>();
  #declaration: Declaration | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  take(text: string, line: number): void {
    const entry = this.#parse(text, line);
    if (entry.kind === "declared") {
      if (this.#declaration && entry.hash !== this.#declaration.hash) {
        this.#refuse(line, "declares another condition; one ledger holds one condition");
      }
      this.#declaration = entry;
      return;
    }
    if (entry.hash !== this.#declaration?.hash) {
      this.#refuse(line, "belongs to a condition this ledger does not declare");
    }
    this.#add(entry.replicate, entry.attempt, entry.event, line);
  }

  #add(replicate: number, attempt: number, event: DeliberationEvent, line: number): void {
    const key = `${replicate}/${attempt}`;
    const run = this.#runs.get(key);
    const which = `replicate ${replicate}, attempt ${attempt}`;
    if (event.kind === "run.opened") {
      if (run) {
        this.#refuse(
          line,
          `opens ${which} a second time (first on line ${run.firstLine}): the run is duplicated; remove one copy`,
        );
      }
      this.#runs.set(key, { replicate, attempt, firstLine: line, events: [event] });
      return;
    }
    if (!run) return this.#refuse(line, `goes on with ${which}, which no line has opened`);
    if (run.closed) {
      this.#refuse(line, `goes on with ${which}, which is already closed: the run is duplicated; remove one copy`);
    }
    run.events.push(event);
    if (event.kind === "run.closed") run.closed = event;
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]!;
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}
