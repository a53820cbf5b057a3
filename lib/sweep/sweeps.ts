import { contentHash } from "../core/json.ts";
import { PREFLIGHT } from "../model/chat_model.ts";
import type { Prices } from "../model/cost.ts";
import { billsOfProbe, spentOn } from "../live/bills.ts";
import { refuseOtherPlan } from "../record/ledger_rules.ts";
import { readPreflight } from "../live/preflight.ts";
import type { StationHeader } from "../station/station_files.ts";
import { type Database, QUEUE_SCHEMA, type Statements } from "./database.ts";
import { type Claim, DECLARED, EVENTS, type RunFence, SESSIONS } from "./postgres_store.ts";
import {
  type AnyDeclaration,
  otherCode,
  type PlannedSweep,
  queueOf,
  type SweepLedger,
  SweepPlan,
} from "./sweep_plan.ts";
import { declareTerms, type NamedTerms } from "./sweep_terms.ts";

/** A sweep as a command declares it, with the terms that the command names. */
export interface DeclaredSweep extends NamedTerms, Pick<PlannedSweep, "ledgers" | "providers" | "prices"> {
  readonly name: string;
  readonly plan: SweepPlan;
  /** Calls before the first run and their cost in US$ at most; each counts once, by its id. */
  readonly asked?: readonly { readonly id: string; readonly model: string; readonly usd: number }[] | undefined;
}

/** Time is no reason to drop a run: in seconds, ten years and a day. */
const [TEN_YEARS, ONE_DAY] = [315_360_000, 86_400];
/** A worker that gives no sign for so long has lost its runs. */
const HEARTBEAT = 20;

const RETRY = { retryLimit: 1_000_000, retryDelay: 1 };
const QUEUE = { ...RETRY, retentionSeconds: TEN_YEARS, expireInSeconds: ONE_DAY, heartbeatSeconds: HEARTBEAT };

/** A job of the queue: the run, and the fence of its first claim. */
export type RunJob = RunFence;

/**
 * Declares a sweep, or extends it, and puts the runs that are neither closed nor under way into the queue. What other code
 * declared is taken over where no run is under way: both declarations stay on record.
 *
 * @returns how many runs were `put` there, and the `changes` of the sweep's terms, and of its code, in words.
 * @throws {UserError} on a name that is none (`exitCode` 2), and where the sweep was declared otherwise: each difference is
 * named.
 */
export async function declareSweep(database: Database, sweep: DeclaredSweep) {
  const { name, ledgers, providers } = sweep;
  const boss = await database.queue();
  try {
    const queues = new Map(ledgers.map((ledger) => [ledger, queueOf(name, ledger.models, providers)]));
    for (const queue of new Set(queues.values())) await boss.createQueue(queue, QUEUE);
    return await database.transaction(async (tx) => {
      const { changes } = await declareTerms(tx, name, sweep, sweep), codes = new Set<string>();
      const isBusy = await runsUnderWay(tx, name) > 0;
      await countSpent(tx, sweep);
      const there = new Map((await readLedgers(tx, name)).map((ledger) => [ledger.name, ledger]));
      const db = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) }) };
      let put = 0;
      for (const [ledger, queue] of queues) {
        const held = there.get(ledger.name);
        const code = held ? otherCode(held.declaration, ledger.declaration) : [];
        const differences = [...held ? ledger.differences(held.declaration) : [], ...isBusy ? code : []];
        refuseOtherPlan(`${name}/${ledger.name} in ${database.shown}`, differences, "use another --sweep");
        if (code.length > 0) await keepDeclaration(tx, held!, ledger.declaration);
        for (const words of code) codes.add(words);
        const { made, ...own } = ledger.declaration, now = "at" in own ? { at: own.at } : {};
        const taken = held && code.length > 0 ? { ...held, declaration: { ...held.declaration, ...now, made } } : held;
        const fresh = await declareRuns(tx, sweep, { ledger, held: taken, queue });
        const jobs = fresh.map(({ id, fence }) => ({ data: { run: Number(id), fence: Number(fence) + 1 } }));
        if (jobs.length > 0) await boss.insert(queue, jobs, { db });
        put += jobs.length;
      }
      return { put, changes: [...changes, ...codes] };
    });
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Adds up afresh what may have been spent, since the sum is not kept while there is no cap. */
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

/** Runs of a sweep that a worker holds. */
async function runsUnderWay(tx: Statements, sweep: string): Promise<number> {
  const [row] = await tx.query<{ busy: number }>(
    `select count(*)::int as busy from run join ledger on ledger.id = run.ledger
     where sweep = $1 and run.state = 'running' and exists (
       select from ${QUEUE_SCHEMA}.job where job.state = 'active' and data ->> 'run' = run.id::text
     )`,
    [sweep],
  );
  return row!.busy;
}

/** Keeps the declaration of earlier code: a ledger begins with it, and a folder's header is the one it was begun under. */
async function keepDeclaration(
  tx: Statements,
  { id, declaration }: StoredLedger,
  { made }: SweepLedger["declaration"],
): Promise<void> {
  const insert = `insert into line (run, file, n, text)
    select run.id, $2, (select count(*) from line where line.run = run.id and file = $2), $3
    from run where ledger = $1 order by id limit 1`;
  await tx.query(insert, [id, DECLARED, JSON.stringify(declaration)]);
  const count =
    "select count(*)::int as events from line join run on run.id = line.run where ledger = $1 and file = $2";
  const [row] = await tx.query<{ events: number }>(count, [id, EVENTS]);
  const session = { schema: "station-session/1", kind: "began", at: new Date().toISOString(), ...row!, made };
  if ("run_id" in declaration) await tx.query(insert, [id, SESSIONS, JSON.stringify(session)]);
}

async function declareRuns(
  tx: Statements,
  { name, plan }: DeclaredSweep,
  { ledger, held, queue }: { ledger: SweepLedger; held: StoredLedger | undefined; queue: string },
): Promise<{ id: string; fence: string }[]> {
  // Another session may have meant more runs.
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
export type StoredLedger = Awaited<ReturnType<typeof readLedgers>>[number];

/** The ledgers of a sweep in the order of their declaration; none where there is no such sweep. */
export async function readLedgers(store: Statements, sweep: string) {
  const rows = await store.query<Record<"name" | "queue" | "plan" | "declaration", string> & { id: number }>(
    "select id, name, queue, plan, declaration from ledger where sweep = $1 order by id",
    [sweep],
  );
  return rows.map(({ plan, declaration, ...row }) => {
    const declared: AnyDeclaration | StationHeader = JSON.parse(declaration);
    return { ...row, plan: SweepPlan.parse(JSON.parse(plan)), declaration: declared };
  });
}

/** The names of all sweeps. */
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

/**
 * Takes a run for one claim; undefined where a later claim has it. Tries that an earlier one left in flight are `unknown` from
 * then on: these are the places of their calls.
 */
export async function takeRun(store: Statements, { run, fence, worker }: RunJob & { worker: string }) {
  type Taken = { state: "running" | "waiting" | "closed" | "open" | "flagged"; unknown: readonly string[] };
  type Row = { ledger: number; replicate: number };
  type Line = { file: string; text: string };
  const [taken] = await store.query<Taken>("select * from claim_run($1, $2, $3)", [run, fence, worker]);
  if (!taken) return undefined;
  const [row] = await store.query<Row>("select ledger, replicate from run where id = $1", [run]);
  const rows = await store.query<Line>("select file, text from line where run = $1 order by file, n", [run]);
  const { ledger, replicate } = row!;
  const files = Map.groupBy(rows, ({ file }) => file).entries();
  const lines: Claim["lines"] = Object.fromEntries(files.map(([file, own]) => [file, own.map(({ text }) => text)]));
  return { ...taken, ledger, claim: { run, fence, replicate, attempt: 1, lines } };
}

/** Gives a run back, so that it waits again. */
export async function giveBack(store: Statements, { run, fence }: RunJob): Promise<void> {
  const update = "update run set state = 'waiting' where id = $1 and fence = $2 and state = 'running'";
  await store.query(update, [run, fence]);
}

/** The number of unfinished runs in some queues. */
export async function unfinishedRuns(store: Statements, queues: readonly string[]): Promise<number> {
  const [row] = await store.query<{ left: number }>(
    `select count(*)::int as left from run join ledger on ledger.id = run.ledger
     where queue = any($1) and state in ('waiting', 'running')`,
    [queues],
  );
  return row!.left;
}

/** The calls before a sweep's first run, by their record in a folder. */
export async function askedBefore(root: string, prices: Prices): Promise<NonNullable<DeclaredSweep["asked"]>> {
  return (await readPreflight(root)).map((line) => ({
    ...{ id: contentHash(line).slice(0, 32), model: line.request.model },
    usd: spentOn(billsOfProbe(line), prices).usd,
  }));
}
