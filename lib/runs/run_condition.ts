import { setImmediate } from "node:timers/promises";
import { canonicalJson, contentHash } from "../core/json.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { conditionHash, deliberate } from "../deliberation/deliberate.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { type Declaration, LEDGER_SCHEMA } from "../schema/ledger_line.ts";
import type { FailureCode } from "../schema/model_call.ts";
import type { Council } from "./council.ts";
import type { LedgerRun } from "./ledger_run.ts";
import { closeLedgers, LedgerStore, type OpenLedgerOptions } from "./ledger_store.ts";
import { LedgerBusy } from "./ledger_writer.ts";
import { refuseOtherPlan } from "./ledger_rules.ts";
import { planDifferences } from "./plan_differences.ts";
import { provenance } from "./provenance.ts";
import { type Ledger, readLedger } from "./read_ledger.ts";
import { recorded, RunLoop } from "./run_loop.ts";
import type { RunKey, RunStore } from "./run_store.ts";

/** How a condition is to be run; the ledger's path is that of `path`, and what it already holds is not run again. */
export interface RunConditionOptions extends OpenLedgerOptions {
  readonly council: Council;
  readonly replicates: number;
  readonly seed: number;
  /** The beginning of one run: every run continues it, under a seed that must not be its own. */
  readonly base?: readonly DeliberationEvent[] | undefined;
  /** Hash of the registration that the runs belong to. */
  readonly registered?: string | undefined;
  /** Begins live runs anew that older versions closed for a large body that was no reply. */
  readonly reopen?: boolean | undefined;
  /** Shared with other conditions that are run at the same time; by default one of the council's concurrency. */
  readonly loop?: RunLoop | undefined;
  /** Takes the ledger, to be closed when the whole command is over; until then nobody else writes it. */
  readonly ledgers?: LedgerStore[] | undefined;
  /** Where another process writes the ledger: `read` gives what is there by now, instead of refusing. */
  readonly whenBusy?: "read" | undefined;
  /** Told how many of the replicates the ledger holds already and need nothing more. */
  readonly onHeld?: ((runs: number) => void) | undefined;
  /** Told after each finished run. */
  readonly onRun?: ((run: { replicate: number; complete: boolean }) => void) | undefined;
}

/**
 * Runs the replicates of a condition that its ledger lacks, and gives the ledger as it then stands.
 *
 * A run that was cut off is resumed, and so is one that a call without an outcome left open. What the models did is final:
 * a run that they ended is flagged and never tried again, since trying until it reads would select the runs.
 *
 * @throws {UserError} as `LedgerStore.open`, when the ledger cannot be written, and when its file is gone after a run or at
 * the end: all that it held is then kept beside it.
 * @throws {Unanswered} when the endpoint answers nothing any more, and the signal's reason when aborted; the ledger can then
 * be resumed.
 */
export async function runCondition(condition: Condition, options: RunConditionOptions): Promise<Ledger> {
  const { council, replicates, signal, onHeld } = options;
  const loop = options.loop ?? new RunLoop({ concurrency: council.concurrency, signal });
  const declaration = declare(condition, options);
  const opened = await openOrRead(declaration, { ...options, signal: loop.signal });
  if (!(opened instanceof LedgerStore)) {
    onHeld?.(replicates);
    return opened;
  }
  options.ledgers?.push(opened);
  try {
    return await runLeft(condition, declaration, { ...options, loop, store: opened });
  } finally {
    if (!options.ledgers) closeLedgers([opened]);
  }
}

/** Runs what the ledger lacks. */
async function runLeft(
  condition: Condition,
  declaration: Declaration,
  options: RunConditionOptions & { readonly loop: RunLoop; readonly store: LedgerStore },
): Promise<Ledger> {
  const { council, replicates, seed, fresh = false, loop, store, onHeld, onRun } = options;
  const { found } = store;
  const planned = runsLeft(found, { ...options, reopen: options.reopen && council.live });
  onHeld?.(replicates - planned.length);
  const asked = (ledger: Ledger) => fresh === "if-changed" ? firstOf(ledger, replicates) : ledger;
  if (found && !found.torn && planned.length === 0 && found.declaration.target >= replicates) return asked(found);
  if (!found || found.declaration.target < replicates || (planned.length > 0 && !sameMaker(found, declaration))) {
    store.declare({ ...declaration, target: Math.max(replicates, found?.declaration.target ?? 0) });
  }
  await loop.all(planned, async ({ replicate, attempt, resumeFrom }) => {
    const run = { replicate, attempt };
    const last = await runReplicate(condition, {
      ...loopSignals(loop),
      chat: council.chat,
      store,
      run,
      seed,
      resumeFrom,
    });
    onRun?.({ replicate, complete: last?.kind === "run.closed" && last.outcome === "complete" });
    // A council that answers at once would keep the thread; without this pause no Ctrl-C would be heard.
    await setImmediate();
  });
  return asked(store.ledger());
}

const loopSignals = ({ signal, callSignal }: RunLoop) => ({ signal, callSignal });

/** Options for {@linkcode runReplicate}. */
interface RunReplicateOptions {
  readonly chat: ChatModel;
  readonly store: RunStore<DeliberationEvent>;
  readonly run: RunKey;
  readonly seed: number;
  readonly resumeFrom?: readonly DeliberationEvent[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly callSignal?: AbortSignal | undefined;
}

/** Runs one replicate to its end, whatever keeps it; gives its last event. */
export async function runReplicate(
  condition: Condition,
  { chat, store, run, callSignal, ...options }: RunReplicateOptions,
): Promise<DeliberationEvent | undefined> {
  const council = recorded(chat, { store, run, signal: callSignal });
  let last: DeliberationEvent | undefined;
  for await (const event of deliberate(condition, { ...options, council, replicate: run.replicate })) {
    await store.append(run, event);
    last = event;
  }
  return last;
}

async function openOrRead(declaration: Declaration, options: RunConditionOptions): Promise<LedgerStore | Ledger> {
  try {
    return await LedgerStore.open(declaration, options);
  } catch (error) {
    if (!(error instanceof LedgerBusy) || options.whenBusy !== "read") throw error;
    options.onNotice?.(`${options.path} is being written by another run; shown is what it holds by now`);
    const ledger = await readLedger(options.path);
    refuseOtherPlan(ledger.path, planDifferences(ledger.declaration, declaration), "use another --out");
    return ledger;
  }
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

/** Whether the same versions write that wrote before; otherwise the ledger is told who writes from here on. */
const sameMaker = ({ declaration: { made } }: Ledger, now: Declaration): boolean =>
  canonicalJson(made) === canonicalJson(now.made);

/** What opens a condition's ledger. */
export function declare(
  condition: Condition,
  { council, replicates, seed, base, registered }:
    & Pick<RunConditionOptions, "replicates" | "seed" | "base" | "registered">
    & { readonly council: Pick<Council, "identity" | "synthetic"> },
): Declaration {
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
    ...(registered && { registered }),
  };
}

interface PlannedRun {
  readonly replicate: number;
  readonly attempt: number;
  readonly resumeFrom?: readonly DeliberationEvent[];
}

/** The runs that a ledger lacks, each with what there is of it. */
export function runsLeft(
  found: Ledger | undefined,
  { replicates, base, reopen }: Pick<RunConditionOptions, "replicates" | "base" | "reopen">,
): PlannedRun[] {
  const planned: PlannedRun[] = [];
  const attempts = Map.groupBy(found?.runs ?? [], ({ replicate }) => replicate);
  for (let replicate = 0; replicate < replicates; replicate++) {
    const next = nextAttempt(replicate, attempts.get(replicate)?.at(-1), reopen);
    if (next) planned.push(base ? { resumeFrom: base, ...next } : next);
  }
  return planned;
}

/** Ledgers made before 0.2.0 hold runs that these ended: the endpoint's doing, not the models'. */
const PASSING: ReadonlySet<FailureCode> = new Set<FailureCode>([
  ...["rate_limit", "server", "network", "timeout", "protocol", "bad_request"] as const,
]);

/** What is still to be done for a replicate, from its latest attempt: no other comes after a complete one. */
function nextAttempt(replicate: number, last: LedgerRun | undefined, reopen = false): PlannedRun | undefined {
  if (last === undefined) return { replicate, attempt: 1 };
  if (last.closed === undefined) return { replicate, attempt: last.attempt, resumeFrom: last.events };
  const [cause, code] = last.closed.cause?.split(":") ?? [];
  const unread = () => !last.events.findLast((event) => event.kind === "turn.answered")?.reply?.text;
  const passing = cause === "no_reply" &&
    (PASSING.has(code as FailureCode) || (reopen && code === "oversize" && unread()));
  return passing ? { replicate, attempt: last.attempt + 1 } : undefined;
}
