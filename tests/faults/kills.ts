import { atMost, type BenchRow, exactly } from "../bench/bench_row.ts";
import { canonicalJson } from "@/core/json.ts";
import { createRng, type Rng } from "@/core/rng.ts";
import { startRun } from "./live_command.ts";
import { type Plan, withFolder } from "./live_study.ts";
import { filesBelow, linesOf, onRecord } from "./record.ts";
import { answered, type FaultServer, faultServer, numberOf, type Seen } from "./server.ts";

/** Processes killed at any instant, and what the same command makes of what they left. */

/** Told of the moments at which a process may be killed. */
interface Hooks {
  onRequest?: (() => void) | undefined;
  onAnswer?: (() => void) | undefined;
}

interface Stage {
  readonly plan: Plan;
  readonly server: FaultServer | undefined;
  readonly hooks: Hooks;
}

/** One process's part in a folder. */
interface Session {
  readonly killed: boolean;
  readonly requests: readonly Seen[];
  /** Requests on record before it and after it, by number. */
  readonly before: ReadonlySet<number>;
  readonly after: ReadonlySet<number>;
}

/**
 * Kills a plan's process again and again, at its requests, its answers and its writes, and starts the same command each
 * time; where the plan comes to its end, it begins anew in another folder. What stands in each folder at the end must be
 * what a process that nobody stops writes, no call may be made again that was on record, and of those that were answered
 * at most `width` may be lost with a process.
 */
export async function studyKills(
  plan: Plan,
  { kills, width, seed }: { kills: number; width: number; seed: number },
): Promise<BenchRow[]> {
  return await withFolder(async (folder) => {
    const hooks: Hooks = {};
    const listening = { onRequest: () => hooks.onRequest?.(), onAnswer: () => hooks.onAnswer?.() };
    await using server = plan.live ? await faultServer(listening) : undefined;
    const stage = { plan, server, hooks };
    await Deno.mkdir(`${folder}/whole`);
    const undisturbed = await session(stage, `${folder}/whole`);
    const expected = canonicalJson(await contentOf(`${folder}/whole`));
    const rng = createRng(seed);
    const sums = { kills: 0, folders: 0, wrong: 0, again: 0, lost: 0 };
    while (sums.kills < kills) {
      const out = `${folder}/${++sums.folders}`;
      await Deno.mkdir(out);
      const sessions: Session[] = [];
      do {
        const moment = sums.kills < kills ? rng.fork(sums.kills) : undefined;
        sessions.push(await session(stage, out, moment));
        if (sessions.at(-1)!.killed) sums.kills++;
      } while (sessions.at(-1)!.killed);
      sums.again += madeAgain(sessions, undisturbed, server?.seen ?? []);
      sums.lost = Math.max(sums.lost, ...sessions.map(lostWith));
      if (canonicalJson(await contentOf(out)) !== expected) sums.wrong++;
    }
    const about = `${plan.name}, ${kills} kills`;
    return [
      exactly(0, {
        name: `${about}: folders that are not as if nothing had happened`,
        value: sums.wrong,
        unit: "folders",
        note: `of ${sums.folders}`,
      }),
      ...(plan.live
        ? [
          exactly(0, { name: `${about}: calls on record that were made again`, value: sums.again, unit: "calls" }),
          atMost(width, {
            name: `${about}: most answers lost with one process, all in flight`,
            value: sums.lost,
            unit: "calls",
          }),
        ]
        : []),
    ];
  });
}

/** Starts the command, kills it at a moment drawn from `rng` unless it ends before, and tells what came of it. */
async function session({ plan, server, hooks }: Stage, out: string, rng?: Rng): Promise<Session> {
  const [first, before] = [server?.seen.length ?? 0, await numbersIn(out)];
  await using child = startRun([...plan.args, "--out", out], { baseUrl: server?.baseUrl });
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  let killed = false;
  const kill = () => {
    killed = true;
    // It may have ended by itself in the meantime.
    try {
      child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  };
  using _moment = rng && killAt(rng, { hooks, out, live: plan.live, kill });
  const { success, signal } = await child.status;
  const [, stderr] = await Promise.all(texts);
  if (!success && signal !== "SIGKILL") throw new Error(`${plan.name} failed by itself: ${stderr}`);
  const requests = (server?.seen ?? []).slice(first);
  return { killed: killed && signal === "SIGKILL", requests, before, after: await numbersIn(out) };
}

/** Most moments of one kind that are let pass before the kill. */
const MOMENTS = 24;
/** Longest time from such a moment to the kill. */
const LATEST_MS = 4;

/** Arranges for a kill: at so many requests, answers or writes from now, and a little later. */
function killAt(
  rng: Rng,
  { hooks, out, live, kill }: { hooks: Hooks; out: string; live: boolean; kill: () => void },
): Disposable {
  const kind = live ? (["onRequest", "onAnswer", "write"] as const)[rng.int(3)]! : "write";
  let left = 1 + rng.int(MOMENTS);
  const laterMs = rng.next() * LATEST_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const moment = () => {
    if (--left === 0) timer = setTimeout(kill, laterMs);
  };
  const watcher = kind === "write" ? Deno.watchFs(out) : undefined;
  if (watcher) {
    (async () => {
      for await (const _ of watcher) moment();
    })();
  } else hooks[kind as keyof Hooks] = moment;
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      watcher?.close();
      hooks.onRequest = hooks.onAnswer = undefined;
    },
  };
}

const numbersIn = async (out: string): Promise<Set<number>> =>
  new Set((await onRecord(out)).promptTokens.map(numberOf));

/** Answers that were sent to a process and did not come on record. */
const lostWith = ({ requests, after }: Session): number =>
  answered(requests).filter(({ number }) => !after.has(number)).length;

/**
 * Requests beyond those that an undisturbed process makes and that were not on record yet. Prompts are counted: replicates begin
 * with equal ones.
 */
function madeAgain(sessions: readonly Session[], undisturbed: Session, seen: readonly Seen[]): number {
  const prompts = (numbers: Iterable<number>) => countBy([...numbers].map((number) => seen[number - 1]!.prompt));
  const needed = countBy(undisturbed.requests.map(({ prompt }) => prompt));
  let again = 0;
  for (const { requests, before } of sessions) {
    const kept = prompts(before);
    for (const [prompt, count] of countBy(requests.map(({ prompt }) => prompt))) {
      again += Math.max(0, count - ((needed.get(prompt) ?? 0) - (kept.get(prompt) ?? 0)));
    }
  }
  return again;
}

function countBy(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** What may differ between two makings of one run: times, and what this endpoint numbers its requests by. */
const VOLATILE = new Set(["at", "n", "check", "latencyMs", "usage"]);

/** What a folder's files say of its runs, without what may differ; lines of one run in their order. */
async function contentOf(folder: string): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const path of await filesBelow(folder)) {
    const name = path.slice(folder.length);
    const text = await Deno.readTextFile(path);
    if (name.endsWith("sessions.jsonl")) continue;
    if (name.endsWith(".jsonl")) content[name] = linesOf(text).map(lasting).sort(byRun);
    else if (name.endsWith(".json")) content[name] = lasting(JSON.parse(text));
    else if (name.endsWith(".md")) content[name] = text;
  }
  return content;
}

interface Line {
  readonly replicate?: number;
  readonly attempt?: number;
}

const byRun = (a: Line, b: Line): number =>
  (a.replicate ?? -1) - (b.replicate ?? -1) || (a.attempt ?? -1) - (b.attempt ?? -1);

function lasting<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(lasting) as T;
  const entries = Object.entries(value).filter(([key]) => !VOLATILE.has(key));
  return Object.fromEntries(entries.map(([key, part]) => [key, lasting(part)])) as T;
}
