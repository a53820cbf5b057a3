import type { PgBoss } from "pg-boss";
import { contentHash } from "../../core/json.ts";
import { PREFLIGHT } from "../../model/chat_model.ts";
import type { Prices } from "../../model/cost.ts";
import type { Declaration } from "../../schema/ledger_line.ts";
import { billsOfCall, spentOn } from "../bills.ts";
import { refuseOtherPlan } from "../ledger_rules.ts";
import { readPreflight } from "../preflight.ts";
import type { StationHeader } from "../station_files.ts";
import type { Database, Statements } from "./database.ts";
import type { Claim } from "./postgres_store.ts";
import { type PlannedSweep, queueOf, type SweepLedger, SweepPlan } from "./sweep_plan.ts";
import { declareTerms, type NamedTerms } from "./sweep_terms.ts";

/** A sweep as a command declares it, with the terms that the command names. */
export interface DeclaredSweep extends NamedTerms, Pick<PlannedSweep, "ledgers" | "providers" | "prices"> {
  readonly name: string;
  readonly plan: SweepPlan;
  /** What was asked before the first run, and what it cost in US$ at most; each counts once, by its id. */
  readonly asked?: readonly { readonly id: string; readonly model: string; readonly usd: number }[] | undefined;
}

/** Time is no reason to drop a run: in seconds, ten years and a day. */
const [TEN_YEARS, ONE_DAY] = [315_360_000, 86_400];
/** A worker that gives no sign for so long has lost its runs. */
const HEARTBEAT = 20;

const QUEUE = {
  ...{ retryLimit: 1_000_000, retryDelay: 1, retentionSeconds: TEN_YEARS },
  ...{ expireInSeconds: ONE_DAY, heartbeatSeconds: HEARTBEAT },
};

/** What a job of the queue holds: the run, and the fence of its first claim. */
export interface RunJob {
  readonly run: number;
  readonly fence: number;
}

/**
 * Declares a sweep, or extends it, and puts the runs that are neither closed nor under way into the queue.
 *
 * @returns how many runs were `put` there, and the `changes` of the sweep's terms in words.
 * @throws {UserError} on a name that is none (`exitCode` 2), and where the sweep was declared otherwise: each difference is
 * named.
 */
export async function declareSweep(
  database: Database,
  sweep: DeclaredSweep,
): Promise<{ put: number; changes: readonly string[] }> {
  const boss = await database.queue();
  await boss.start();
  try {
    return await declare(database, boss, sweep);
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function declare(
  database: Database,
  boss: PgBoss,
  sweep: DeclaredSweep,
): Promise<{ put: number; changes: readonly string[] }> {
  const { name, ledgers, providers } = sweep;
  const queues = new Map(ledgers.map((ledger) => [ledger, queueOf(name, ledger.models, providers)]));
  for (const queue of new Set(queues.values())) await boss.createQueue(queue, QUEUE);
  return await database.transaction(async (tx) => {
    const { changes } = await declareTerms(tx, name, sweep, sweep);
    await countSpent(tx, sweep);
    const there = new Map((await readLedgers(tx, name)).map((ledger) => [ledger.name, ledger]));
    let put = 0;
    for (const ledger of ledgers) {
      const [held, queue] = [there.get(ledger.name), queues.get(ledger)!];
      const differences = held ? ledger.differences(held.declaration) : [];
      refuseOtherPlan(`${name}/${ledger.name} in ${database.shown}`, differences, "use another --sweep");
      const fresh = await declareRuns(tx, sweep, { ledger, held, queue });
      const db = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) }) };
      const data = fresh.map(({ id, fence }): RunJob => ({ run: Number(id), fence: Number(fence) + 1 }));
      if (data.length > 0) await boss.insert(queue, data.map((data) => ({ data })), { db });
      put += data.length;
    }
    return { put, changes };
  });
}

/** What may have been spent is added up anew: it is not kept while there is no cap. */
async function countSpent(tx: Statements, { name, asked = [] }: DeclaredSweep): Promise<void> {
  await tx.query("delete from refund where sweep = $1", [name]);
  await tx.query(
    `insert into call (id, sweep, place, model, worker, state, at_most, cost, ended)
     select id, $1, $3, model, 'run', 'answered', usd, usd, clock_timestamp()
     from jsonb_to_recordset($2) as x(id uuid, model text, usd numeric) on conflict do nothing`,
    [name, JSON.stringify(asked), PREFLIGHT],
  );
  await tx.query(
    "update sweep set set_aside = (select coalesce(sum(coalesce(cost, at_most)), 0) from call where sweep = $1) where name = $1",
    [name],
  );
}

interface RunsOptions {
  readonly ledger: SweepLedger;
  readonly held: StoredLedger | undefined;
  readonly queue: string;
}

async function declareRuns(
  tx: Statements,
  { name, plan }: DeclaredSweep,
  { ledger, held, queue }: RunsOptions,
): Promise<{ id: string; fence: string }[]> {
  // Another session may have meant more runs; who made the ledger stays who made it.
  const opened = held?.declaration ?? ledger.declaration;
  const runs = Math.max(ledger.runs, "target" in opened ? opened.target : 1);
  const declaration = JSON.stringify("target" in opened ? { ...opened, target: runs } : opened);
  const [row] = await tx.query<{ id: number }>(
    `insert into ledger (sweep, name, queue, plan, declaration) values ($1, $2, $3, $4, $5)
     on conflict (sweep, name) do update set plan = $4, declaration = $5 returning id`,
    [name, ledger.name, queue, JSON.stringify(plan), declaration],
  );
  return await tx.query(
    `with fresh as (
       insert into run (ledger, replicate) select $1, generate_series(0, $2 - 1) on conflict do nothing returning id, fence
     ), again as (
       update run set state = 'waiting', cause = null where ledger = $1 and state = 'open' returning id, fence
     ) select * from fresh union all select * from again order by id`,
    [row!.id, runs],
  );
}

/** A ledger as a store has it. */
export interface StoredLedger {
  readonly id: number;
  readonly name: string;
  readonly queue: string;
  readonly plan: SweepPlan;
  readonly declaration: Declaration | StationHeader;
}

/** The ledgers of a sweep in the order of their declaration; none where there is no such sweep. */
export async function readLedgers(store: Statements, sweep: string): Promise<StoredLedger[]> {
  const rows = await store.query<Record<"name" | "queue" | "plan" | "declaration", string> & { id: number }>(
    "select id, name, queue, plan, declaration from ledger where sweep = $1 order by id",
    [sweep],
  );
  return rows.map(({ plan, declaration, ...row }) => ({
    ...row,
    plan: SweepPlan.parse(JSON.parse(plan)),
    declaration: JSON.parse(declaration),
  }));
}

export async function sweepNames(store: Statements): Promise<string[]> {
  return (await store.query<{ name: string }>("select name from sweep order by name")).map(({ name }) => name);
}

/** The sweeps of which runs wait or are under way. */
export async function unfinishedSweeps(store: Statements): Promise<string[]> {
  const rows = await store.query<{ sweep: string }>(
    `select distinct sweep from ledger join run on run.ledger = ledger.id
     where state in ('waiting', 'running') order by sweep`,
  );
  return rows.map(({ sweep }) => sweep);
}

/** A run after a worker asked for it. */
export interface TakenRun {
  readonly state: "running" | "waiting" | "closed" | "open" | "flagged";
  readonly ledger: number;
  readonly claim: Claim;
  /** Places of calls of which nobody will know what became of them. */
  readonly unknown: readonly string[];
}

/** Takes a run for one claim; undefined where a later claim has it. Tries that an earlier one left in flight are unknown now. */
export async function takeRun(
  store: Statements,
  { run, fence, worker }: RunJob & { worker: string },
): Promise<TakenRun | undefined> {
  const [taken] = await store.query<{ state: TakenRun["state"]; unknown: string[] }>(
    "select * from claim_run($1, $2, $3)",
    [run, fence, worker],
  );
  if (!taken) return undefined;
  const [row] = await store.query<{ ledger: number; replicate: number }>(
    "select ledger, replicate from run where id = $1",
    [run],
  );
  const lines = await store.query<{ file: string; text: string }>(
    "select file, text from line where run = $1 order by file, n",
    [run],
  );
  const { ledger, replicate } = row!;
  const byFile = Object.fromEntries(
    Map.groupBy(lines, ({ file }) => file).entries().map(([file, own]) => [file, own.map(({ text }) => text)]),
  );
  return { ...taken, ledger, claim: { run, fence, replicate, attempt: 1, lines: byFile } };
}

/** Gives a run back, so that it waits again. */
export async function giveBack(store: Statements, { run, fence }: RunJob): Promise<void> {
  await store.query("update run set state = 'waiting' where id = $1 and fence = $2 and state = 'running'", [
    run,
    fence,
  ]);
}

/** How many runs of some queues have not come to their end. */
export async function runsLeft(store: Statements, queues: readonly string[]): Promise<number> {
  const [row] = await store.query<{ left: number }>(
    `select count(*)::int as left from run join ledger on ledger.id = run.ledger
     where queue = any($1) and state in ('waiting', 'running')`,
    [queues],
  );
  return row!.left;
}

/** What was asked before a sweep's first run, by the record of it in a folder. */
export async function askedBefore(root: string, prices: Prices): Promise<NonNullable<DeclaredSweep["asked"]>> {
  return (await readPreflight(root)).map((line) => {
    const { request: { model }, unanswered } = line;
    const tries = (unanswered?.tries ?? []).map((one) => ({ model, ...one }));
    return { id: contentHash(line).slice(0, 32), model, usd: spentOn([...billsOfCall(line), ...tries], prices).usd };
  });
}
