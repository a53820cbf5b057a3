import { type Database, openDatabase } from "@/lab/sweep/database.ts";
import { sealAfter } from "@/lab/sweep/line_seals.ts";
import { planSweep, type SweepPlan } from "@/lab/sweep/sweep_plan.ts";
import { sweepStatus } from "@/lab/sweep/sweep_status.ts";
import { openDesk } from "@/lab/sweep/postgres_store.ts";
import { declareSweep, takeRun } from "@/lab/sweep/sweeps.ts";
import { apiKey } from "../model/endpoint.ts";
import { atLeast, atMost, type BenchRow, exactly } from "../bench/bench_row.ts";
import { liveRun, startTask } from "../faults/live_command.ts";
import { withFolder } from "../faults/live_study.ts";
import { type FaultServer, faultServer, type Seen } from "../faults/server.ts";
import { copyOfProject } from "./project.ts";
import { type PostgresServer, postgresServer } from "./server.ts";

/** What workers share: one key's rate, one cap, one server's connections. */

/** How a worker ended, and what it said. */
interface Ended {
  readonly code: number;
  readonly said: string;
}

interface CrewOptions {
  readonly url: string;
  readonly project: string;
  readonly workers: number;
  readonly baseUrl: string;
  readonly width: number;
}

/** Workers on a store until each ends by itself. */
async function crew({ url, project, workers, baseUrl, width }: CrewOptions): Promise<Ended[]> {
  return await Promise.all(
    Array.from({ length: workers }, async () => {
      const args = ["--store", url, "--concurrency", String(width)];
      await using child = startTask("worker", args, { baseUrl, project });
      const [said] = await Promise.all([new Response(child.stderr).text(), new Response(child.stdout).text()]);
      return { code: (await child.status).code, said };
    }),
  );
}

interface Sweep {
  readonly runs: number;
  readonly rounds: number;
  readonly capUsd?: number | undefined;
  readonly plan?: Partial<SweepPlan>;
  /** Of the default endpoint, by the files of who declares it. */
  readonly limits?: { readonly requestsPerMinute: number };
}

/** Declares a live sweep of one condition. */
async function declare(
  url: string,
  endpoint: FaultServer,
  { runs, rounds, capUsd, plan: more, limits }: Sweep,
): Promise<void> {
  const wanted = [{ scenario: ["HL-01"], rounds: [rounds] }];
  const plan: SweepPlan = { wanted, council: "live", replicates: runs, seed: 1, ...more };
  const variables: Record<string, string> = { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: endpoint.baseUrl };
  await using database = await openDatabase(url);
  const { ledgers, prices, providers } = await planSweep(plan, { get: (name) => variables[name] });
  const limited = { ...providers, ...(limits && { default: { ...providers.default, limits } }) };
  await declareSweep(database, { name: "shared", plan, ledgers, prices, providers: limited, capUsd });
}

/** The most requests that began within any stretch of so many milliseconds, that ends included. */
export function busiest(seen: readonly Pick<Seen, "atMs">[], ms: number): number {
  const times = seen.map(({ atMs }) => atMs).sort((a, b) => a - b);
  let [first, most] = [0, 0];
  times.forEach((time, last) => {
    while (times[first]! <= time - ms) first++;
    most = Math.max(most, last - first + 1);
  });
  return most;
}

/** Workers behind one key, each alone able to take more than it allows. */
export async function studyRate(
  { workers, perSecond, width, runs, rounds, windowMs }: {
    workers: number;
    width: number;
    perSecond: number;
    runs: number;
    rounds: number;
    /** The stretch of time in which the limit is counted, in milliseconds. */
    windowMs: number;
  },
): Promise<BenchRow[]> {
  await using server = await postgresServer();
  await using endpoint = await faultServer({ latencyMs: 200 });
  return await withFolder(async (folder) => {
    // The workers' own files say nothing of it.
    const project = await copyOfProject(folder);
    await declare(server.url, endpoint, { runs, rounds, limits: { requestsPerMinute: 60 * perSecond } });
    const ended = await crew({ url: server.url, project, workers, baseUrl: endpoint.baseUrl, width });
    const { seen } = endpoint;
    const about = `${workers} workers behind one key, ${perSecond}/s allowed`;
    // While all are under way: the first and last seconds are of workers that begin and end.
    const [from, to] = [seen[0]!.atMs + 3000, seen.at(-1)!.atMs - 2000];
    const steady = seen.filter(({ atMs }) => atMs >= from && atMs < to).length / ((to - from) / 1000);
    const most = busiest(seen, windowMs);
    const allowed = perSecond * windowMs / 1000;
    return [
      exactly(0, {
        name: `${about}: workers that failed`,
        value: failed(ended),
        unit: "workers",
        note: wordsOf(ended),
      }),
      atLeast(0.98 * perSecond, { name: `${about}: rate`, value: steady, unit: "/s", note: `${seen.length} requests` }),
      atMost(allowed, { name: `${about}: most within ${windowMs / 1000} s`, value: most, unit: "requests" }),
    ];
  });
}

/** Workers with one cap, which a sweep cannot keep to as a whole. */
export async function studyCap(
  { workers, capUsd, runs, rounds, width }: {
    workers: number;
    capUsd: number;
    runs: number;
    rounds: number;
    width: number;
  },
): Promise<BenchRow[]> {
  await using server = await postgresServer();
  await using endpoint = await faultServer({ latencyMs: 50 });
  return await withFolder(async (folder) => {
    const project = await copyOfProject(folder);
    // As on file, by which the record is counted below.
    const price = { input: 0.4, output: 1.6 };
    await declare(server.url, endpoint, { runs, rounds, capUsd, plan: { given: { own: {}, others: price } } });
    const ended = await crew({ url: server.url, project, workers, baseUrl: endpoint.baseUrl, width });
    await using database = await openDatabase(server.url);
    const { usd, calls, atMost: doubt } = await sweepStatus(database, "shared");
    const billed = await billedUsd(server);
    const about = `${workers} workers, cap US$ ${capUsd}`;
    const stopped = ended.filter(({ code, said }) => code === 1 && /are spent/.test(said)).length;
    return [
      exactly(workers, {
        name: `${about}: workers that stopped at the cap`,
        value: stopped,
        unit: "workers",
        note: wordsOf(ended),
      }),
      atMost(capUsd, { name: `${about}: spent`, value: usd, unit: "US$", note: `${calls.answered} calls` }),
      atLeast(0.95 * capUsd, { name: `${about}: of the cap used`, value: usd, unit: "US$" }),
      exactly(0, { name: `${about}: of it in doubt`, value: doubt, unit: "US$" }),
      exactly(endpoint.seen.length, { name: `${about}: calls on record`, value: calls.answered, unit: "calls" }),
      atMost(1e-9, {
        name: `${about}: off what the replies on record cost`,
        value: Math.abs(usd - billed),
        unit: "US$",
      }),
    ];
  });
}

/** What the replies in the store's lines cost by their own tokens, without looking at what was written of their cost. */
async function billedUsd(server: PostgresServer): Promise<number> {
  await using database = await openDatabase(server.url);
  const lines = await database.query<{ text: string; model: string }>("select text from line");
  const prices = JSON.parse(await Deno.readTextFile(new URL("../../scenarios/lineups.json", import.meta.url))).prices;
  const [{ declaration }] = await database.query<{ declaration: string }>("select declaration from ledger") as [
    { declaration: string },
  ];
  const { condition: { seats } } = JSON.parse(declaration);
  return lines.reduce((sum, { text }) => {
    const { event } = JSON.parse(text);
    const usage = event?.reply?.usage;
    if (!usage) return sum;
    const price = prices[seats[event.seat].model] ?? { input: 1, output: 4 };
    return sum + (usage.promptTokens * price.input + usage.completionTokens * price.output) / 1e6;
  }, 0);
}

const failed = (ended: readonly Ended[]): number => ended.filter(({ code }) => code !== 0).length;

const wordsOf = (ended: readonly Ended[]): string => {
  const said = ended.find(({ code }) => code !== 0)?.said.trim().split("\n").at(-1) ?? "";
  return said.slice(0, 200);
};

/** Wide workers on few connections, at calls of a second: nothing may fail, and nearly all of the time is the calls' own. */
export async function studyWidth(
  { workers, width, runs, rounds, latencyMs = 1000, connections }: {
    workers: number;
    width: number;
    runs: number;
    rounds: number;
    latencyMs?: number;
    connections: number;
  },
): Promise<BenchRow[]> {
  await using server = await postgresServer({ settings: [`max_connections=${connections}`], fsync: true });
  await using endpoint = await faultServer({ latencyMs });
  return await withFolder(async (folder) => {
    const project = await copyOfProject(folder);
    await declare(server.url, endpoint, { runs, rounds });
    const ended = await crew({ url: server.url, project, workers, baseUrl: endpoint.baseUrl, width });
    await using database = await openDatabase(server.url);
    const { runs: { closed } } = await sweepStatus(database, "shared");
    const [row] = await database.query<{ ms: number; calls: number }>(
      `select percentile_cont(0.5) within group (order by gap)::float as ms, count(*)::int as calls from (
         select 1000 * extract(epoch from began - lag(ended) over (partition by run order by began)) as gap from call
       ) gaps where gap is not null`,
    );
    const [size] = await database.query<{ bytes: number }>(
      "select (pg_total_relation_size('line') + pg_total_relation_size('call'))::float as bytes",
    );
    const about = `${workers} × ${width} wide, ${connections} connections, ${latencyMs} ms a call`;
    const troubles = ended.filter(({ said }) => /does not answer|too many/.test(said)).length;
    return [
      exactly(0, {
        name: `${about}: workers that failed`,
        value: failed(ended),
        unit: "workers",
        note: wordsOf(ended),
      }),
      exactly(0, { name: `${about}: workers that met a connection error`, value: troubles, unit: "workers" }),
      exactly(runs, { name: `${about}: runs closed`, value: closed, unit: "runs" }),
      {
        name: `${about}: from a call's end to the next one's begin, median`,
        value: row!.ms,
        unit: "ms",
        note: `${row!.calls} calls`,
      },
      { name: `${about}: on disk`, value: size!.bytes / row!.calls, unit: "bytes a call" },
    ];
  });
}

/** The same runs into files and over a store, one worker each, by the clock of the endpoint: from first question to last answer. */
export async function studyOverhead(
  { runs, rounds, latencyMs = 1000 }: { runs: number; rounds: number; latencyMs?: number },
): Promise<BenchRow[]> {
  const tookMs = (seen: readonly Seen[]) => Math.max(...seen.map(({ answeredMs = 0 }) => answeredMs)) - seen[0]!.atMs;
  const [filesMs, storeMs] = [
    await withFolder(async (out) => {
      await using endpoint = await faultServer({ latencyMs });
      const args = [
        "--scenario",
        "HL-01",
        "--rounds",
        String(rounds),
        "--replicates",
        String(runs),
        "--council",
        "live",
      ];
      const { code, stderr } = await liveRun([...args, "--no-preflight", "--out", out], { baseUrl: endpoint.baseUrl });
      if (code !== 0) throw new Error(stderr);
      return tookMs(endpoint.seen);
    }),
    await withFolder(async (folder) => {
      await using server = await postgresServer({ fsync: true });
      await using endpoint = await faultServer({ latencyMs });
      await declare(server.url, endpoint, { runs, rounds });
      await crew({
        ...{ url: server.url, project: await copyOfProject(folder), workers: 1 },
        ...{ baseUrl: endpoint.baseUrl, width: runs },
      });
      return tookMs(endpoint.seen);
    }),
  ];
  return [atMost(2, {
    name: `${runs} runs at ${latencyMs} ms a call: longer over a store than into files`,
    value: 100 * (storeMs! / filesMs! - 1),
    unit: "%",
    note: `${(storeMs! / 1000).toFixed(2)} s and ${(filesMs! / 1000).toFixed(2)} s`,
  })];
}

/** How many calls a second one server takes, each with its intent, its settlement and its line, and nothing else to do. */
export async function studyCarried(
  { workers, width, seconds, capUsd }: { workers: number; width: number; seconds: number; capUsd?: number },
): Promise<BenchRow[]> {
  await using server = await postgresServer({ fsync: true });
  await using endpoint = await faultServer();
  await declare(server.url, endpoint, { runs: workers * width, rounds: 2, capUsd });
  const model = "openai/gpt-4.1-mini";
  const prices = { [model]: { input: 1, output: 4 } };
  const line = "x".repeat(1200);
  let calls = 0;
  const until = performance.now() + 1000 * seconds;
  const one = async (database: Database, worker: string, runs: readonly number[]) => {
    const desk = openDesk(database, { sweep: "shared", worker, providers: {}, terms: { prices, limits: {} } });
    await Promise.all(runs.map(async (run) => {
      await takeRun(database, { run, fence: 0, worker });
      let paid = {}, seal = "";
      const purse = desk.purse({ run, fence: 0, free: false }, (reply) => paid = reply);
      const messages = [{ role: "user" as const, content: "yes?" }];
      for (let n = 0; performance.now() < until; n++) {
        seal = sealAfter(seal, line);
        const settle = await purse.reserve({ model, messages, temperature: 0, seed: 1, maxTokens: 10 }, {
          place: "turn",
        });
        await settle({ promptTokens: 1, completionTokens: 1 }, "answered");
        await desk.settle({ run, fence: 0, ...paid, lines: [{ file: "events", n, text: line, seal }] });
        calls++;
      }
    }));
  };
  await Promise.all(Array.from({ length: workers }, async (_, i) => {
    await using database = await openDatabase(server.url);
    await one(database, `worker ${i}`, Array.from({ length: width }, (_, k) => 1 + i * width + k));
  }));
  const about = `${workers} × ${width} wide without a model${capUsd === undefined ? "" : ", under a cap"}`;
  return [{ name: `${about}: carried`, value: calls / seconds, unit: "calls/s" }];
}
