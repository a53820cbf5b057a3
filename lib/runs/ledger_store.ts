import { UserError } from "../core/user_error.ts";
import type { Unanswered } from "../model/chat_model.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import { type Declaration, LEDGER_SCHEMA, type LedgerEntry, type UnansweredCall } from "../schema/ledger_line.ts";
import type { ModelCall } from "../schema/model_call.ts";
import { isTornDeclaration, refuseOtherPlan } from "./ledger_rules.ts";
import { LedgerWriter } from "./ledger_writer.ts";
import { planDifferences } from "./plan_differences.ts";
import { DECLARED, type Ledger, type LedgerRun, parseLedger, runName, type Seals } from "./read_ledger.ts";
import type { CallKey, RunKey, RunStore } from "./run_store.ts";
import { sealed } from "./seal.ts";

export interface OpenLedgerOptions {
  readonly path: string;
  /**
   * `true` takes off what the ledger holds and starts over; `if-changed` does so where condition, seed, council, code or
   * Deno are not those that made it, and says what changed; it waits for another process that is writing it. A ledger of
   * live replies is never started over.
   */
  readonly fresh?: boolean | "if-changed" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of anything that was found in the ledger and repaired. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** One condition's runs in a file of JSON lines, which nobody else writes meanwhile. */
export class LedgerStore implements RunStore<DeliberationEvent>, Disposable {
  /** What the file held when it was opened; undefined where it held nothing. */
  readonly found: Ledger | undefined;
  readonly #writer: LedgerWriter;
  readonly #hash: string;
  /** Paid replies are made safe one by one; what a program wrote can be written again. */
  readonly #synthetic: boolean;
  readonly #seals: Map<string, string>;
  readonly #runs: Map<string, OpenRun>;
  #declaration: Declaration;
  #lines: number;

  private constructor(writer: LedgerWriter, declaration: Declaration, found: Ledger | undefined) {
    const { lines, last }: Seals = found?.seals ?? { lines: 0, last: new Map() };
    this.found = found;
    this.#writer = writer;
    this.#hash = declaration.hash;
    this.#synthetic = declaration.synthetic;
    this.#declaration = found?.declaration ?? declaration;
    [this.#lines, this.#seals] = [lines, new Map(last)];
    this.#runs = new Map(
      found?.runs.map((run) => [
        runName(run),
        { ...run, events: [...run.events], unanswered: [...run.unanswered] },
      ]),
    );
  }

  /**
   * Opens a condition's ledger, making it where it is not there, and declares the plan where the ledger does not know it.
   *
   * @throws {UserError} when another process writes it, when it was made under another condition, seed or council (what
   * differs is named), when a line of it was changed, when it holds live replies and is to be started over, or when it
   * cannot be written.
   */
  static async open(declaration: Declaration, options: OpenLedgerOptions): Promise<LedgerStore> {
    const { path, fresh = false, signal, onNotice } = options;
    // Opened before it is read, so that nobody else writes between the reading and the resuming.
    const writer = fresh === "if-changed" ? await LedgerWriter.openWhenFree(path, signal) : LedgerWriter.open(path);
    try {
      return new LedgerStore(writer, declaration, await whatIsThere(writer, declaration, { fresh, onNotice }));
    } catch (error) {
      writer[Symbol.dispose]();
      throw error;
    }
  }

  events(run: RunKey): readonly DeliberationEvent[] {
    return this.#runs.get(runName(run))?.events ?? [];
  }

  /** Opens the ledger, or says that the plan was extended or that another version goes on. */
  declare(declaration: Declaration): void {
    this.#write(DECLARED, declaration);
    this.#declaration = declaration;
  }

  /** What the ledger holds by now, as `readLedger` would give it. */
  ledger(): Ledger {
    return {
      ...{ path: this.#writer.path, declaration: this.#declaration, runs: [...this.#runs.values()], damaged: [] },
      seals: { lines: this.#lines, last: this.#seals },
    };
  }

  /** A committee's reply stands in the event that it makes, so that none can be on record that no event used. */
  begin(): Promise<ModelCall | undefined> {
    return Promise.resolve(undefined);
  }

  append({ replicate, attempt }: RunKey, event: DeliberationEvent): Promise<void> {
    const name = runName({ replicate, attempt });
    this.#write(name, ledgerEntry({ hash: this.#hash, replicate, attempt, event }));
    if (isOpening(event)) {
      const { base = [] } = this.#declaration;
      this.#runs.set(name, { replicate, attempt, events: [...base, event], unanswered: [] });
    } else {
      const run = this.#runs.get(name)!;
      run.events.push(event);
      if (event.kind === "run.closed") run.closed = event;
    }
    if (!this.#synthetic) return this.#writer.durable();
    if (event.kind === "run.closed") this.#writer.commit();
    return Promise.resolve();
  }

  giveUp({ place, replicate, attempt }: CallKey, { code, tries }: Unanswered): Promise<void> {
    const line = unansweredCall({ hash: this.#hash, replicate, attempt, place, code, tries });
    const name = runName({ replicate, attempt });
    this.#write(name, line);
    this.#runs.get(name)?.unanswered.push(line);
    return this.#writer.durable();
  }

  #write(chain: string, line: object): void {
    const { text, check } = sealed({ ...line, n: this.#lines + 1 }, this.#seals.get(chain));
    this.#writer.append(text);
    this.#lines++;
    this.#seals.set(chain, check);
  }

  close(): void {
    this.#writer[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** The line of an event; the opening and the closing one say when. */
export function ledgerEntry(
  { event, ...key }: Pick<LedgerEntry, "hash" | "replicate" | "attempt" | "event">,
): LedgerEntry {
  const at = isMilestone(event) && { at: new Date().toISOString() };
  return { schema: LEDGER_SCHEMA, kind: "event", ...key, ...at, event };
}

/** The line of a call that stays without an outcome. */
export function unansweredCall(
  { tries, place, code, ...key }:
    & Pick<UnansweredCall, "hash" | "replicate" | "attempt" | "place" | "code">
    & Pick<Unanswered, "tries">,
): UnansweredCall {
  const at = new Date().toISOString();
  return { schema: LEDGER_SCHEMA, kind: "unanswered", ...key, at, place, code, tries: [...tries] };
}

/** A run that grows. */
type OpenRun = { -readonly [K in keyof LedgerRun]: LedgerRun[K] } & {
  readonly events: DeliberationEvent[];
  readonly unanswered: UnansweredCall[];
};

const isOpening = ({ kind }: DeliberationEvent): boolean => kind === "run.opened" || kind === "run.forked";
const isMilestone = (event: DeliberationEvent): boolean => isOpening(event) || event.kind === "run.closed";

/** What the ledger holds to resume from, after its last line was repaired; undefined where there is nothing. */
async function whatIsThere(
  writer: LedgerWriter,
  declaration: Declaration,
  { fresh, onNotice }: Pick<OpenLedgerOptions, "fresh" | "onNotice">,
): Promise<Ledger | undefined> {
  const { path } = writer;
  const content = await Deno.readFile(path);
  if (content.length === 0) return undefined;
  const code = fresh === "if-changed" ? declaration.made.code : undefined;
  const read = () => isTornDeclaration(content) ? undefined : parseLedger(content, path, { code });
  if (fresh) {
    const { changes, found } = fresh === true ? { changes: [] } : changesSince(read, declaration);
    if (fresh !== true && changes.length === 0) return repaired(writer, found, onNotice);
    if (!isSynthetic(content)) throw keepsLiveReplies(path, changes);
    if (changes.length > 0) onNotice?.(`${declaration.name} is made again. ${changes.join("; ")}`);
    writer.clear();
    return undefined;
  }
  const found = read();
  if (found) {
    refuseOtherPlan(path, planDifferences(found.declaration, declaration), "use another --out");
    refuseDamaged(found);
  }
  return repaired(writer, found, onNotice);
}

/** Of a changed line nobody knows what it said: going on would ask again for what was perhaps paid for. */
function refuseDamaged({ path, damaged }: Ledger): void {
  if (damaged.length === 0) return;
  const lines = damaged.map(({ line, why }) => `\n  line ${line} ${why}`).join("");
  throw new UserError(
    `${path} is damaged and is left as it is; restore it from a copy, or use another --out.${lines}`,
  );
}

/** The ledger with a last line that others can follow: a torn one is taken off and kept beside it. */
function repaired(
  writer: LedgerWriter,
  found: Ledger | undefined,
  onNotice: OpenLedgerOptions["onNotice"],
): Ledger | undefined {
  const { path } = writer;
  if (writer.endLastLine()) {
    onNotice?.(`${path}: line ${found?.torn?.line ?? 1} was torn off; its bytes are kept in ${path}.torn`);
  }
  return found;
}

/**
 * Whether all that a ledger holds was made by programs and can be made again. What cannot be read any more may have been
 * paid for: it counts as live unless other lines say otherwise. In JSON, quotes within texts are escaped, so these bytes
 * can only be the field of a declaration or of a reply.
 */
function isSynthetic(content: Uint8Array): boolean {
  const text = new TextDecoder().decode(content);
  return isTornDeclaration(content) || (text.includes('"synthetic":true') && !text.includes('"synthetic":false'));
}

function keepsLiveReplies(path: string, changes: readonly string[]): UserError {
  const list = changes.map((change) => `\n  ${change}`).join("");
  return new UserError(
    `${path} holds, or may hold, replies of a live council and is left as it is; use another --out.${list}`,
  );
}

/** A ledger, and why its runs would now come out otherwise; one that cannot be read is such a reason too. */
function changesSince(
  read: () => Ledger | undefined,
  now: Declaration,
): { changes: string[]; found?: Ledger | undefined } {
  try {
    const found = read();
    if (found === undefined) return { changes: [] };
    const { declaration: before, damaged: [damage] } = found;
    if (damage) return { changes: [`line ${damage.line} ${damage.why}`] };
    const makers = (["library", "deno", "code"] as const).filter((name) => before.made[name] !== now.made[name]);
    const words = makers.map((name) =>
      `${name}: ledger ${before.made[name] ?? "none"}, now ${now.made[name] ?? "none"}`
    );
    return { changes: [...planDifferences(before, now), ...words], found };
  } catch (error) {
    if (error instanceof UserError) return { changes: [error.message] };
    throw error;
  }
}
