import { UserError } from "../core/user_error.ts";
import { conditionHash, deliberate } from "../deliberation/deliberate.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { contentHash } from "../core/canonical_json.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import { type Declaration, LEDGER_SCHEMA } from "../schema/ledger_line.ts";
import { isComplete } from "../storage/accounting.ts";
import { LedgerWriter } from "../storage/ledger_writer.ts";
import { provenance } from "../storage/provenance.ts";
import { type Ledger, type LedgerRun, readLedger } from "../storage/read_ledger.ts";
import type { Council } from "./council.ts";

/** How a condition is to be run. */
export interface RunConditionOptions {
  readonly council: Council;
  readonly replicates: number;
  readonly seed: number;
  /** The ledger's path. What it already holds is not run again. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** Told after each finished run. */
  readonly onRun?: ((run: { replicate: number; complete: boolean }) => void) | undefined;
  /** Told of anything that was found in the ledger and set right. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * Runs the replicates of a condition that its ledger lacks, and gives the ledger as it then stands.
 *
 * A run cut off is gone on with; one that no reply ended is tried again as another attempt; one whose agent could not
 * be read stays flagged, since trying until it reads would select the runs.
 *
 * @throws {UserError} when the ledger was made under another condition, seed or council (what differs is named), or
 * cannot be written.
 * @throws the signal's reason when aborted; the ledger is then good to go on from.
 */
export async function runCondition(condition: Condition, options: RunConditionOptions): Promise<Ledger> {
  const { council, replicates, seed, path, signal, onRun, onNotice } = options;
  const found = await ledgerAt(path);
  const declaration = declare(condition, options);
  if (found) refuseOther(found, declaration);
  if (found?.torn) onNotice?.(`${path}: line ${found.torn.line} was torn off; its bytes are kept in ${path}.torn`);
  {
    using writer = LedgerWriter.open(path, { torn: found?.torn });
    if (!found || found.declaration.target < replicates) writer.append(declaration);
    await inParallel(plan(found, replicates), council.concurrency, async ({ replicate, attempt, resumeFrom }) => {
      const line = { schema: LEDGER_SCHEMA, kind: "event", hash: declaration.hash, replicate, attempt } as const;
      let last: DeliberationEvent | undefined;
      for await (const event of deliberate(condition, { chat: council.chat, replicate, seed, signal, resumeFrom })) {
        writer.append({ ...line, ...(isEnd(event) && { at: new Date().toISOString() }), event });
        last = event;
      }
      writer.commit();
      onRun?.({ replicate, complete: last?.kind === "run.closed" && last.outcome === "complete" });
    });
  }
  return await readLedger(path);
}

const isEnd = ({ kind }: DeliberationEvent): boolean => kind === "run.opened" || kind === "run.closed";

async function ledgerAt(path: string): Promise<Ledger | undefined> {
  const size = await Deno.stat(path).then(({ size }) => size, () => 0);
  return size === 0 ? undefined : await readLedger(path);
}

function declare(condition: Condition, { council, replicates, seed }: RunConditionOptions): Declaration {
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
  };
}

function refuseOther({ path, declaration: before }: Ledger, now: Declaration): void {
  const differing = (["hash", "seed", "council"] as const).filter((field) => before[field] !== now[field]);
  if (differing.length === 0) return;
  const words = { hash: "condition (texts, models or parameters)", seed: "seed", council: "council" };
  const list = differing.map((field) => `${words[field]}: ledger ${before[field]}, now ${now[field]}`);
  throw new UserError(
    `${path} was made under another plan and is left as it is; use another --out.\n  ${list.join("\n  ")}`,
  );
}

interface PlannedRun {
  readonly replicate: number;
  readonly attempt: number;
  readonly resumeFrom?: readonly DeliberationEvent[];
}

function plan(found: Ledger | undefined, replicates: number): PlannedRun[] {
  const planned: PlannedRun[] = [];
  for (let replicate = 0; replicate < replicates; replicate++) {
    const attempts = found?.runs.filter((run) => run.replicate === replicate) ?? [];
    if (attempts.some(isComplete)) continue;
    const next = nextAttempt(replicate, attempts.at(-1));
    if (next) planned.push(next);
  }
  return planned;
}

function nextAttempt(replicate: number, last: LedgerRun | undefined): PlannedRun | undefined {
  if (last === undefined) return { replicate, attempt: 1 };
  if (last.closed === undefined) return { replicate, attempt: last.attempt, resumeFrom: last.events };
  return last.closed.cause?.startsWith("no_reply:") ? { replicate, attempt: last.attempt + 1 } : undefined;
}

/** Works through the items with at most `width` under way; the first failure stops the taking of further ones. */
async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  let failed = false;
  const worker = async () => {
    for (const item of waiting) {
      if (failed) return;
      await work(item).catch((error) => {
        failed = true;
        throw error;
      });
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, worker));
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) throw failure.reason;
}
