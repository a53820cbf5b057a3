import { setImmediate } from "node:timers/promises";
import { canonicalJson, contentHash } from "../core/json.ts";
import { mapLimited } from "../core/map_limited.ts";
import { UserError } from "../core/user_error.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { conditionHash, deliberate } from "../deliberation/deliberate.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import { type Declaration, LEDGER_SCHEMA } from "../schema/ledger_line.ts";
import type { Council } from "./council.ts";
import { isTornDeclaration, refuseOtherPlan } from "./ledger_rules.ts";
import { LedgerWriter } from "./ledger_writer.ts";
import { provenance } from "./provenance.ts";
import { type Ledger, type LedgerRun, parseLedger, readLedger } from "./read_ledger.ts";

/** How a condition is to be run. */
export interface RunConditionOptions {
  readonly council: Council;
  readonly replicates: number;
  readonly seed: number;
  /** The ledger's path. What it already holds is not run again. */
  readonly path: string;
  /** The beginning of one run: every run continues it, under a seed that must not be its own. */
  readonly base?: readonly DeliberationEvent[] | undefined;
  /**
   * `true` takes off what the ledger holds and starts over; `if-changed` does so where condition, seed, council, code or
   * Deno are not those that made it, and says what changed; it waits for another process that is making them, and
   * gives the first `replicates` of what is there. Only for runs that cost nothing: a ledger of live replies is never
   * started over.
   */
  readonly fresh?: boolean | "if-changed" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many of the replicates the ledger holds already and need nothing more. */
  readonly onHeld?: ((runs: number) => void) | undefined;
  /** Told after each finished run. */
  readonly onRun?: ((run: { replicate: number; complete: boolean }) => void) | undefined;
  /** Told of anything that was found in the ledger and repaired. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * Runs the replicates of a condition that its ledger lacks, and gives the ledger as it then stands.
 *
 * A run that was cut off is resumed; one that no reply ended is retried as another attempt; one whose agent could not
 * be read stays flagged, since trying until it reads would select the runs.
 *
 * @throws {UserError} when another process writes the ledger, when it was made under another condition, seed or council
 * (what differs is named), when it holds live replies and is to be started over, or when it cannot be written.
 * @throws the signal's reason when aborted; the ledger can then be resumed.
 */
export async function runCondition(condition: Condition, options: RunConditionOptions): Promise<Ledger> {
  const { council, replicates, seed, path, fresh = false, signal, onHeld, onRun } = options;
  // Opened before it is read, so that nobody else writes between the reading and the resuming.
  using writer = fresh === "if-changed" ? await LedgerWriter.openWhenFree(path, signal) : LedgerWriter.open(path);
  const declaration = declare(condition, options);
  const found = await openLedger(writer, declaration, options);
  const planned = plan(found, options);
  onHeld?.(replicates - planned.length);
  const asked = (ledger: Ledger) => fresh === "if-changed" ? firstOf(ledger, replicates) : ledger;
  if (found && !found.torn && planned.length === 0 && found.declaration.target >= replicates) return asked(found);
  if (!found || found.declaration.target < replicates || (planned.length > 0 && !sameMaker(found, declaration))) {
    writer.append({ ...declaration, target: Math.max(replicates, found?.declaration.target ?? 0) });
  }
  await mapLimited(planned, council.concurrency, async ({ replicate, attempt, resumeFrom }) => {
    const line = { schema: LEDGER_SCHEMA, kind: "event", hash: declaration.hash, replicate, attempt } as const;
    let last: DeliberationEvent | undefined;
    for await (const event of deliberate(condition, { chat: council.chat, replicate, seed, signal, resumeFrom })) {
      writer.append({ ...line, ...(isEnd(event) && { at: new Date().toISOString() }), event });
      last = event;
    }
    writer.commit();
    onRun?.({ replicate, complete: last?.kind === "run.closed" && last.outcome === "complete" });
    // A council that answers at once would keep the thread; without this pause no Ctrl-C would be heard.
    await setImmediate();
  });
  return asked(await readLedger(path));
}

/** A ledger as if no more than so many replicates had been meant: others may have asked for more. */
function firstOf(ledger: Ledger, replicates: number): Ledger {
  if (ledger.declaration.target <= replicates) return ledger;
  return {
    ...ledger,
    declaration: { ...ledger.declaration, target: replicates },
    runs: ledger.runs.filter(({ replicate }) => replicate < replicates),
  };
}

/** What the ledger holds to resume from, after its last line was repaired; undefined where there is nothing. */
async function openLedger(
  writer: LedgerWriter,
  declaration: Declaration,
  { fresh, replicates, onNotice }: RunConditionOptions,
): Promise<Ledger | undefined> {
  const { path } = writer;
  const content = await Deno.readFile(path);
  if (content.length === 0) return undefined;
  const read = () => isTornDeclaration(content) ? undefined : parseLedger(content, path);
  if (fresh) {
    const { changes, found } = fresh === true ? { changes: [] } : changesSince(read, declaration);
    if (fresh !== true && changes.length === 0) return repaired(writer, found, onNotice);
    if (holdsLiveReplies(content)) throw keepsLiveReplies(path, changes);
    if (changes.length > 0) onNotice?.(`${declaration.name} is made again. ${changes.join("; ")}`);
    writer.clear();
    return undefined;
  }
  const found = read();
  if (found) refuseOtherPlan(path, planDifferences(found.declaration, declaration), "use another --out");
  if (found && found.declaration.target > replicates) {
    onNotice?.(`${path} was made for ${found.declaration.target} replicates; all of them are kept`);
  }
  return repaired(writer, found, onNotice);
}

/** The ledger with a last line that others can follow: a torn one is taken off and kept beside it. */
function repaired(
  writer: LedgerWriter,
  found: Ledger | undefined,
  onNotice: RunConditionOptions["onNotice"],
): Ledger | undefined {
  const { path } = writer;
  if (writer.endLastLine()) {
    onNotice?.(`${path}: line ${found?.torn?.line ?? 1} was torn off; its bytes are kept in ${path}.torn`);
  }
  return found;
}

/** In JSON, quotes within texts are escaped: these bytes can only be the field of a declaration. */
const LIVE = '"synthetic":false';

/** Whether a ledger says anywhere that language models answered, read or not: damaged lines were paid for too. */
const holdsLiveReplies = (content: Uint8Array): boolean => new TextDecoder().decode(content).includes(LIVE);

function keepsLiveReplies(path: string, changes: readonly string[]): UserError {
  const list = changes.map((change) => `\n  ${change}`).join("");
  return new UserError(`${path} holds replies of a live council and is left as it is; use another --out.${list}`);
}

/** A ledger, and why its runs would now come out otherwise; one that cannot be read is such a reason too. */
function changesSince(
  read: () => Ledger | undefined,
  now: Declaration,
): { changes: string[]; found?: Ledger | undefined } {
  try {
    const found = read();
    if (found === undefined) return { changes: [] };
    const { declaration: before } = found;
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

/** Whether the same versions write that wrote before; otherwise the ledger is told who writes from here on. */
const sameMaker = ({ declaration: { made } }: Ledger, now: Declaration): boolean =>
  canonicalJson(made) === canonicalJson(now.made);

const isEnd = ({ kind }: DeliberationEvent): boolean =>
  kind === "run.opened" || kind === "run.forked" || kind === "run.closed";

function declare(condition: Condition, { council, replicates, seed, base }: RunConditionOptions): Declaration {
  return {
    schema: LEDGER_SCHEMA,
    kind: "declared",
    at: new Date().toISOString(),
    hash: conditionHash(condition),
    name: conditionName(condition),
    condition,
    target: replicates,
    seed,
    council: council.identity,
    synthetic: council.synthetic,
    promptPack: contentHash(condition.prompts),
    made: provenance(),
    ...(base && { base: [...base] }),
  };
}

interface PlannedRun {
  readonly replicate: number;
  readonly attempt: number;
  readonly resumeFrom?: readonly DeliberationEvent[];
}

function plan(found: Ledger | undefined, { replicates, base }: RunConditionOptions): PlannedRun[] {
  const planned: PlannedRun[] = [];
  const attempts = Map.groupBy(found?.runs ?? [], ({ replicate }) => replicate);
  for (let replicate = 0; replicate < replicates; replicate++) {
    const next = nextAttempt(replicate, attempts.get(replicate)?.at(-1));
    if (next) planned.push(base ? { resumeFrom: base, ...next } : next);
  }
  return planned;
}

/** What is still to be done for a replicate, from its latest attempt: no other comes after a complete one. */
function nextAttempt(replicate: number, last: LedgerRun | undefined): PlannedRun | undefined {
  if (last === undefined) return { replicate, attempt: 1 };
  if (last.closed === undefined) return { replicate, attempt: last.attempt, resumeFrom: last.events };
  return last.closed.cause?.startsWith("no_reply:") ? { replicate, attempt: last.attempt + 1 } : undefined;
}

/** Differences named at most; one changed seat can bring twenty. */
const NAMED = 8;

/** Every value in which two plans differ, in words; none where runs of one belong to the other. */
export function planDifferences(before: Declaration, now: Declaration): string[] {
  const differing = (["hash", "seed", "council"] as const).filter((field) => before[field] !== now[field]);
  const list = differing.flatMap((field) =>
    field === "hash" ? conditionDifferences(before, now) : [`${field}: ledger ${before[field]}, now ${now[field]}`]
  );
  return canonicalJson(before.base) === canonicalJson(now.base) ? list : [...list, "base: continues another run"];
}

function conditionDifferences(before: Declaration, now: Declaration): string[] {
  const found = differences(before.condition, now.condition, "condition");
  const more = found.length - NAMED;
  return more > 0 ? [...found.slice(0, NAMED), `and ${more} more`] : found;
}

/** Every value in which two trees of JSON differ, by its path. */
function differences(before: unknown, now: unknown, path: string): string[] {
  if (canonicalJson(before) === canonicalJson(now)) return [];
  if (!isTree(before) || !isTree(now)) return [`${path}: ledger ${short(before, now)}, now ${short(now, before)}`];
  const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...keys].flatMap((key) => differences(own(before, key), own(now, key), `${path}.${key}`));
}

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

const own = (tree: Tree, key: string): unknown => Object.hasOwn(tree, key) ? tree[key] : undefined;

/** A value as JSON; of a long text, the part where it leaves the other. */
function short(value: unknown, other: unknown): string {
  const [text, against] = [JSON.stringify(value) ?? "none", JSON.stringify(other) ?? "none"];
  if (text.length <= 60) return text;
  let same = 0;
  while (same < text.length && text[same] === against[same]) same++;
  const start = Math.max(0, same - 20);
  return `${start > 0 ? "…" : ""}${text.slice(start, start + 60)}${start + 60 < text.length ? "…" : ""}`;
}
