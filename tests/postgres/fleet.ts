import { setTimeout as delay } from "node:timers/promises";
import { createRng } from "@/core/rng.ts";
import { openDatabase } from "@/lab/sweep/database.ts";
import { gather } from "@/lab/sweep/gather.ts";
import { planSweep, type SweepPlan } from "@/lab/sweep/sweep_plan.ts";
import { sweepStatus } from "@/lab/sweep/sweep_status.ts";
import { declareSweep } from "@/lab/sweep/sweeps.ts";
import { runExperiment } from "@/lab/live/run_experiment.ts";
import { apiKey } from "../model/endpoint.ts";
import { atMost, type BenchRow, exactly } from "../bench/bench_row.ts";
import { liveRun, startTask } from "../faults/live_command.ts";
import { withFolder } from "../faults/live_study.ts";
import { type FaultServer, faultServer } from "../faults/server.ts";
import { sameTimes } from "./same_times.ts";
import { type PostgresServer, postgresServer } from "./server.ts";

/** Many workers on one store, killed and stopped at any instant, and what their ledgers are in the end. */

/** Options for {@linkcode studyFleet}. */
interface FleetOptions {
  readonly workers: number;
  /** Runs of the sweep. */
  readonly runs: number;
  /** Moments at which a worker is killed or stopped for a while. */
  readonly points: number;
  /** Of them, those at which the database is killed as well. */
  readonly serverKills: number;
  /** Times that every connection is cut, spread over them. */
  readonly cuts?: number;
  /** The share of moments at which a worker is killed; at the others it is stopped. By default half of them. */
  readonly killed?: number;
  /** Longest time between two of them, in milliseconds. */
  readonly apartMs: number;
  readonly seed: number;
  /** Whether an endpoint is asked instead of surrogates. */
  readonly live?: boolean;
  readonly rounds?: number;
}

/** A worker that stops longer than this has lost its runs: longer than a store waits for a sign. */
const LONG_STOP_MS = 30_000;
/** Runs that one worker has under way. */
const WIDTH = { programs: 4, live: 8 };

/** Runs a sweep through every disturbance, and again until there were enough of them. */
export async function studyFleet(options: FleetOptions): Promise<BenchRow[]> {
  const { points, serverKills, cuts = 0, live = false, workers, runs, seed } = options;
  await using server = await postgresServer();
  await using endpoint = live ? await faultServer({ latencyMs: 20 }) : undefined;
  const tally = {
    points: 0,
    kills: 0,
    stops: 0,
    serverKills: 0,
    cuts: 0,
    sweeps: 0,
    lost: 0,
    wrong: 0,
    unknown: 0,
    again: 0,
    open: 0,
    beside: 0,
  };
  const rng = createRng(seed);
  const about = `${workers} workers, ${runs} ${live ? "live" : "surrogate"} runs a sweep`;
  while (tally.points < points) {
    await oneSweep({
      ...options,
      server,
      endpoint,
      tally,
      rng: rng.fork(tally.sweeps),
      name: `fleet-${++tally.sweeps}`,
    });
  }
  const width = live ? WIDTH.live : WIDTH.programs;
  return [
    exactly(points, {
      name: `${about}: moments at which a worker was killed or stopped`,
      value: tally.points,
      unit: "moments",
      note: `${tally.kills} SIGKILL, ${tally.stops} SIGSTOP, in ${tally.sweeps} sweeps`,
    }),
    exactly(serverKills, { name: `${about}: PostgreSQL killed`, value: tally.serverKills, unit: "times" }),
    exactly(cuts, { name: `${about}: every connection cut`, value: tally.cuts, unit: "times" }),
    exactly(0, { name: `${about}: runs lost`, value: tally.lost, unit: "runs", note: `of ${tally.sweeps * runs}` }),
    exactly(0, {
      name: `${about}: ledgers that are not one machine's byte for byte`,
      value: tally.wrong,
      unit: "ledgers",
      note: live ? "but for at, made, usage and latency" : "but for at and made",
    }),
    exactly(tally.unknown, {
      name: `${about}: calls made again`,
      value: tally.again,
      unit: "calls",
      note: "each one unknown",
    }),
    atMost(width * tally.points + workers * width * tally.serverKills, {
      name: `${about}: calls whose fate is unknown, all in flight`,
      value: tally.unknown,
      unit: "calls",
    }),
    exactly(0, { name: `${about}: calls on record as under way in the end`, value: tally.open, unit: "calls" }),
    ...(endpoint
      ? [atMost(0, {
        name: `${about}: requests beyond the calls on record`,
        value: Math.max(0, endpoint.seen.length - tally.beside - await callsOf(server)),
        unit: "requests",
        note: `${endpoint.seen.length - tally.beside} requests`,
      })]
      : []),
  ];
}

async function callsOf(server: PostgresServer): Promise<number> {
  await using database = await openDatabase(server.url);
  const [row] = await database.query<{ n: number }>("select count(*)::int as n from call");
  return row!.n;
}

interface Round extends FleetOptions {
  readonly name: string;
  readonly server: PostgresServer;
  readonly endpoint: FaultServer | undefined;
  readonly tally: Record<
    "points" | "kills" | "stops" | "serverKills" | "cuts" | "lost" | "wrong" | "unknown" | "again" | "open" | "beside",
    number
  >;
  readonly rng: ReturnType<typeof createRng>;
}

async function oneSweep(round: Round): Promise<void> {
  const { name, server, endpoint, runs, rounds, tally, live } = round;
  const env = { get: (name: string) => live ? ENV(endpoint!)[name] : undefined };
  const wanted = [{ scenario: ["HL-01"], ...(rounds && { rounds: [rounds] }) }];
  const plan: SweepPlan = { wanted, council: live ? "live" : "surrogate", replicates: runs, seed: 1 };
  await using database = await openDatabase(server.url);
  const { ledgers, providers, prices } = await planSweep(plan, env);
  await declareSweep(database, { name, plan, ledgers, providers, prices });
  const stop = new AbortController();
  const slots = Array.from({ length: round.workers }, (_, i) => new Slot(`worker ${i + 1}`, name, server, endpoint));
  const disturbed = disturb(slots, round, stop.signal);
  for (;;) {
    await delay(500);
    const { runs: { waiting, running } } = await sweepStatus(database, name);
    if (waiting + running === 0) break;
  }
  stop.abort();
  await disturbed;
  await Promise.all(slots.map((slot) => slot.end()));
  await withFolder(async (folder) => {
    const { ledgers: [path] } = await gather(database, name, `${folder}/gathered`);
    const gathered = await Deno.readTextFile(path!);
    tally.lost += runs - (gathered.match(/"outcome":"complete"/g)?.length ?? 0);
    const alone = await Deno.readTextFile(await oneMachine(`${folder}/alone`, round));
    // What an endpoint of these tests tells of a reply is the number of its request, and how long it took.
    const besides = live ? { without: ["usage", "latencyMs"], sorted: true } : {};
    if (sameTimes(gathered, besides) !== sameTimes(alone, besides)) tally.wrong++;
  });
  const [calls] = await database.query<{ again: number; unknown: number; open: number }>(
    `select (count(*) - count(distinct (run, place)))::int as again,
       (count(*) filter (where state = 'unknown'))::int as unknown, (count(*) filter (where state = 'sent'))::int as open
     from call where sweep = $1`,
    [name],
  );
  tally.again += calls!.again;
  tally.unknown += calls!.unknown;
  tally.open += calls!.open;
}

/** The ledger of the same runs, made by one machine that nobody disturbs. */
async function oneMachine(out: string, { runs, rounds, endpoint, tally }: Round): Promise<string> {
  if (!endpoint) {
    const wanted = { scenario: "HL-01", ...(rounds && { rounds }) };
    const [condition] = await runExperiment(wanted, { replicates: runs, seed: 1, out });
    return condition!.ledger.path;
  }
  const before = endpoint.seen.length;
  const flags = [
    "--replicates",
    String(runs),
    "--council",
    "live",
    "--no-preflight",
    ...rounds ? ["--rounds", String(rounds)] : [],
  ];
  const { code, stdout, stderr } = await liveRun(["--scenario", "HL-01", ...flags, "--out", out], {
    baseUrl: endpoint.baseUrl,
  });
  if (code !== 0) throw new Error(stderr);
  tally.beside += endpoint.seen.length - before;
  return JSON.parse(stdout).ledger;
}

const ENV = (endpoint: FaultServer): Record<string, string> => ({
  OPENAI_API_KEY: apiKey,
  OPENAI_BASE_URL: endpoint.baseUrl,
});

/** A place for a worker: whoever dies there is followed by another. */
class Slot {
  readonly name: string;
  readonly #args: string[];
  readonly #baseUrl: string | undefined;
  #child: Deno.ChildProcess;
  #ended = false;

  constructor(name: string, sweep: string, server: PostgresServer, endpoint: FaultServer | undefined) {
    this.name = name;
    this.#args = [sweep, "--store", server.url];
    this.#baseUrl = endpoint?.baseUrl;
    this.#child = this.#start();
  }

  #start(): Deno.ChildProcess {
    const child = startTask("worker", this.#args, { baseUrl: this.#baseUrl });
    child.stdout.pipeTo(new WritableStream()).catch(() => {});
    const said = new Response(child.stderr).text();
    child.status.then(async ({ success, signal }) => {
      if (this.#ended || child !== this.#child) return;
      // It may have begun while the database was away.
      const words = await said;
      if (!success && signal === null && !/does not answer/.test(words)) throw new Error(`${this.name}: ${words}`);
      await delay(500);
      if (!this.#ended) this.#child = this.#start();
    });
    return child;
  }

  signal(name: Deno.Signal): void {
    try {
      this.#child.kill(name);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.signal("SIGCONT");
    const late = setTimeout(() => this.signal("SIGKILL"), 20_000);
    await this.#child.status;
    clearTimeout(late);
  }
}

async function disturb(slots: readonly Slot[], round: Round, signal: AbortSignal): Promise<void> {
  const { rng, points, serverKills, cuts = 0, killed = 0.5, apartMs, tally, server } = round;
  // The first processes need a moment to begin.
  await delay(2000, undefined, { signal }).catch(() => {});
  while (!signal.aborted && tally.points < points) {
    await delay(rng.next() * apartMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const slot = slots[rng.int(slots.length)]!;
    tally.points++;
    if (rng.next() < killed) {
      tally.kills++;
      slot.signal("SIGKILL");
    } else {
      tally.stops++;
      slot.signal("SIGSTOP");
      const forMs = rng.next() < 0.3 ? LONG_STOP_MS : rng.next() * 2000;
      setTimeout(() => slot.signal("SIGCONT"), forMs);
    }
    if (tally.serverKills < serverKills && tally.points * serverKills >= (tally.serverKills + 1) * points * 0.8) {
      tally.serverKills++;
      await server.kill();
      await delay(rng.next() * 3000);
      await server.start();
    } else if (tally.cuts < cuts && tally.points * cuts >= (tally.cuts + 1) * points * 0.9) {
      tally.cuts++;
      await cutConnections(server);
    }
  }
}

/** Cuts the connections of all workers, as a network does. */
async function cutConnections({ url }: PostgresServer): Promise<void> {
  const cut = "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'chaos-lab%'";
  await new Deno.Command("psql", { args: ["-q", url, "-c", cut], stdin: "null", stdout: "null", stderr: "null" })
    .output();
}
