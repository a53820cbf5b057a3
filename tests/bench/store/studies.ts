import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createRng } from "@/core/rng.ts";
import { type Database, openDatabase } from "@/lab/sweep/database.ts";
import { gather } from "@/lab/sweep/gather.ts";
import { planSweep, type SweepPlan } from "@/lab/sweep/sweep_plan.ts";
import { declareSweep } from "@/lab/sweep/sweeps.ts";
import { work } from "@/lab/sweep/worker.ts";
import { startTask, taskArguments } from "../../faults/live_command.ts";
import { withFolder } from "../../faults/live_study.ts";
import { peakOf } from "../../faults/long.ts";
import { faultServer } from "../../faults/server.ts";
import type { PostgresServer } from "../../postgres/server.ts";
import { apiKey } from "../../model/endpoint.ts";
import { atLeast, atMost, type BenchRow, exactly } from "../bench_row.ts";
import { declareRuns, fillStore } from "./big_store.ts";
import { costOf, MOST_PAGES, STEPS } from "./pages.ts";
import { unnamedDamage } from "./tamper.ts";

/** What a store costs at any size, one row a figure. */

/** A sweep of so many answered calls, a line each: what a claim, a call, a look and a gathering of it cost. */
export async function studyCalls(url: string, calls: number): Promise<BenchRow[]> {
  await using database = await openDatabase(url);
  await fillStore(database, "big", calls);
  const rows: BenchRow[] = [];
  for (const what of ["claim", "call", "status"] as const) {
    const { pages, scanned } = await costOf(database, await STEPS[what](database, "big"));
    const name = `${what} at ${calls} calls`;
    rows.push(atMost(MOST_PAGES[what], { name, value: pages, unit: "pages" }));
    rows.push(
      exactly(0, { name: `${name}: tables read whole`, value: scanned.length, unit: "tables", note: scanned.join() }),
    );
  }
  return [...rows, ...await gathering(url, calls)];
}

async function gathering(url: string, calls: number): Promise<BenchRow[]> {
  const inOrder =
    "(select text, seal from chaos_lab.line join chaos_lab.run on run.id = run order by replicate, file, n)";
  const copy = (what: string) => measured(["psql", "-q", url, "-o", "/dev/null", "-c", `copy ${what} to stdout`]);
  return await withFolder(async (out) => {
    const asItIs = await copy("chaos_lab.line"), ordered = await copy(inOrder);
    const gathered = await measured(["deno", ...taskArguments("gather", ["big", "--store", url, "--out", out])]);
    const about = `gather of ${calls} lines`;
    const note = `${gathered.seconds.toFixed(1)} s and ${ordered.seconds.toFixed(1)} s; ${
      asItIs.seconds.toFixed(1)
    } s in any order`;
    return [
      atMost(300, { name: `${about}: peak memory`, value: gathered.peakMB, unit: "MB" }),
      atLeast(1 / 3, {
        name: `${about}: speed, of copy's of the same lines in the same order`,
        value: ordered.seconds / gathered.seconds,
        unit: "",
        note,
      }),
    ];
  });
}

/** Runs a command to its end, or so long. */
async function measured([name, ...args]: string[], { killAfterMs = Infinity } = {}) {
  const began = performance.now();
  const child = new Deno.Command(name!, { args, stdin: "null", stdout: "null", stderr: "null" }).spawn();
  const ended = child.status.then(() => true);
  let peakMB = NaN;
  while (!await Promise.race([ended, delay(100, false)])) {
    peakMB = await peakOf(child.pid) ?? peakMB;
    if (performance.now() - began > killAfterMs) child.kill("SIGKILL");
  }
  return { seconds: (performance.now() - began) / 1000, peakMB };
}

/** A declaration of so many runs, killed before it is whole, and said again. */
export async function studyDeclaration(url: string, runs: number): Promise<BenchRow[]> {
  await using database = await openDatabase(url);
  const script = fileURLToPath(new URL("declare.ts", import.meta.url));
  const declare = ["deno", "run", "--allow-all", "--no-check", script, url, "many", String(runs)];
  const count = async () =>
    (await database.query<{ n: number }>(
      "select count(*)::int as n from run join ledger on ledger.id = ledger where sweep = 'many'",
    ))[0]!.n;
  await measured(declare, { killAfterMs: 20_000 });
  const killedAt = await count();
  const { seconds, peakMB } = await measured(declare);
  const [jobs] = await database.query<{ n: number }>(
    `select count(*)::int as n from chaos_lab_queue.job join run on run.job = job.id join ledger on ledger.id = ledger
     where sweep = 'many' and job.name = queue`,
  );
  const about = `declaration of ${runs} runs, killed at ${killedAt}`;
  return [
    exactly(runs, {
      name: `${about}: runs`,
      value: await count(),
      unit: "runs",
      note: `${seconds.toFixed(0)} s for the rest`,
    }),
    exactly(runs, { name: `${about}: jobs of theirs`, value: jobs!.n, unit: "jobs" }),
    atMost(200, { name: `${about}: peak memory`, value: peakMB, unit: "MB" }),
  ];
}

/** Changed, missing and foreign lines, runs and ledgers, one at a time. */
export async function studyDamage(url: string, tries: number): Promise<BenchRow[]> {
  await using database = await openDatabase(url);
  await declareRuns(database, "damaged", 6);
  const { signal } = new AbortController();
  await work(database, { env: { get: () => undefined }, signal, callSignal: signal });
  return await withFolder(async (folder) => {
    const rng = createRng(1), read = () => gather(database, "damaged", `${folder}/${crypto.randomUUID()}`);
    const unnamed = await unnamedDamage(database, { tries, rng, read });
    return [exactly(tries, {
      name: "changes of a store that gather names",
      value: tries - unnamed.length,
      unit: "changes",
      note: unnamed[0] ?? "a changed line, a missing one, a foreign file, ledger and run in turn",
    })];
  });
}

interface Crew {
  readonly database: Database;
  readonly workers: readonly [Deno.ChildProcess, Deno.ChildProcess];
  /** What they said, once they have ended. */
  readonly said: Promise<string>;
}

/** Two workers with all slots busy, at calls of 0.4 s, while so many runs wait. */
async function withCrew<T>(
  url: string,
  { waiting, width }: { waiting: number; width: number },
  use: (crew: Crew) => Promise<T>,
): Promise<T> {
  await using endpoint = await faultServer({ latencyMs: 400 });
  await using database = await openDatabase(url);
  const plan: SweepPlan = {
    ...{ wanted: [{ scenario: ["HL-01"], rounds: [2] }], council: "live", replicates: waiting + 2 * width, seed: 1 },
  };
  const env: Record<string, string> = { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: endpoint.baseUrl };
  const { ledgers, providers, prices } = await planSweep(plan, { get: (name) => env[name] });
  await declareSweep(database, { name: "busy", plan, ledgers, providers, prices });
  const start = () => {
    const args = ["busy", "--store", url, "--concurrency", String(width)];
    const child = startTask("worker", args, { baseUrl: endpoint.baseUrl });
    child.stdout.pipeTo(new WritableStream()).catch(() => {});
    return { child, said: new Response(child.stderr).text() };
  };
  const started = [start(), start()];
  for (const { child } of started) await until(async () => (await heldBy(database, child.pid)).length === width);
  const workers = started.map(({ child }) => child) as [Deno.ChildProcess, Deno.ChildProcess];
  const said = Promise.all(started.map(({ said }) => said)).then((all) => all.join(""));
  try {
    return await use({ database, workers, said });
  } finally {
    for (const worker of workers) end(worker);
    await Promise.all(workers.map(({ status }) => status));
  }
}

function end(worker: Deno.ChildProcess): void {
  try {
    worker.kill("SIGKILL");
  } catch (error) {
    // It has ended.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** A server that is away for a while: whose runs are given up by workers that live. */
export async function studyAway(server: PostgresServer, { waiting, width, awayMs }: {
  waiting: number;
  width: number;
  awayMs: number;
}): Promise<BenchRow[]> {
  return await withCrew(server.url, { waiting, width }, async ({ database, workers, said }) => {
    const before = (await Promise.all(workers.map(({ pid }) => heldBy(database, pid)))).flat();
    await server.kill();
    await delay(awayMs);
    await server.start();
    // The queue finds dead workers within this time.
    await delay(45_000);
    const [again] = await database.query<{ n: number }>(
      "select count(*)::int as n from chaos_lab_queue.job where retry_count > 0 or state = 'retry'",
    );
    workers.forEach(end);
    const about = `${before.length} runs under way, the server away for ${awayMs / 1000} s`;
    return [
      exactly(0, { name: `${about}: given up`, value: (await said).match(/took it over/g)?.length ?? 0, unit: "runs" }),
      exactly(0, { name: `${about}: begun again`, value: again!.n, unit: "runs" }),
    ];
  });
}

/** Runs of a worker that is killed while another has all slots busy and so many runs wait. */
export async function studyTakeover(url: string, options: { waiting: number; width: number }): Promise<BenchRow[]> {
  return await withCrew(url, options, ({ database, workers: [dying] }) => takeover(database, dying, options));
}

async function takeover(
  database: Database,
  dying: Deno.ChildProcess,
  { waiting }: { waiting: number },
): Promise<BenchRow[]> {
  const lost = await heldBy(database, dying.pid);
  const [clock] = await database.query<{ at: Date }>("select clock_timestamp() as at");
  dying.kill("SIGKILL");
  type Taken = { left: number; offered: number; taken: number; fresh: number };
  const look = async () =>
    (await database.query<Taken>(
      `with lost as (
         select count(*) filter (where retry_count = 0 or state <> 'active') as left,
           max(start_after) as offered, max(started_on) as taken from chaos_lab_queue.job where data ->> 'run' = any($1)
       )
       select left, extract(epoch from offered - $2)::float as offered, extract(epoch from taken - $2)::float as taken,
         (select count(*)::int from chaos_lab_queue.job
          where retry_count = 0 and started_on > offered and started_on < taken) as fresh from lost`
        .replaceAll("left", '"left"'),
      [lost, clock!.at],
    ))[0]!;
  await until(async () => Number((await look()).left) === 0);
  const { offered, taken, fresh } = await look();
  const about = `${lost.length} runs of a killed worker, ${waiting} waiting, all slots busy`;
  return [
    exactly(0, { name: `${about}: fresh runs begun before the last of them`, value: fresh, unit: "runs" }),
    atMost(30, {
      name: `${about}: until the last was taken, from when the queue offered it`,
      value: taken - offered,
      unit: "s",
      note: `offered ${offered.toFixed(1)} s after the death`,
    }),
  ];
}

/** Runs that a process holds. */
async function heldBy(database: Database, pid: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    "select id from run where worker like '%-' || $1 and state = 'running'",
    [String(pid)],
  );
  return rows.map(({ id }) => id);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!await holds()) await delay(100);
}
