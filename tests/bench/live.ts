import { fileURLToPath } from "node:url";
import { type FaultServer, faultServer, numberOf } from "../faults/server.ts";
import { liveRun, PROJECT, type Timed, timed } from "../faults/live_command.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { atMost, type BenchRow } from "./bench_row.ts";

/** Two agent frameworks; what they need beside them comes from npm as their packages say. */
const FRAMEWORKS = { agents: "@openai/agents@0.20.0", langgraph: "@langchain/langgraph@1.7.3" } as const;
const BESIDE = ["@langchain/openai@1.6.0", "@langchain/core@1.4.0", "openai@7.57.0", "zod@4.6.7"];

const LOOP = fileURLToPath(new URL("./client_loop.ts", import.meta.url));
/** Runs of two passes; their difference is the calls' own share, and what starting takes is in neither. */
const RUNS = [10, 60] as const;
/** Each is made so often. Of processor times the least counts: whatever else the machine does adds to it. */
const TIMES = 3;
/** Runs side by side, and what an answer takes, where waiting is measured. */
const WIDTH = 64;
const LATENCY_MS = 200;

/** Live runs against an endpoint on loopback, beside the bare `openai` client and agent frameworks making the same calls. */
export async function benchLive(): Promise<BenchRow[]> {
  const folder = await Deno.makeTempDir();
  try {
    return [...await processorTime(folder), await waiting(folder)];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Requests in the order of a run, as they were sent. */
type Chain = readonly object[];

interface Pass extends Timed {
  readonly chains: readonly Chain[];
}

async function processorTime(folder: string): Promise<BenchRow[]> {
  await using server = await faultServer({ distinct: true });
  let made = 0;
  const lengths: Pass[] = [];
  for (const runs of RUNS) lengths.push(await least(() => livePass(server, `${folder}/cpu-${++made}`, runs)));
  const ours = perCall(lengths);
  const loops = async (kind: string) => {
    const passes: Pass[] = [];
    for (const { chains } of lengths) {
      passes.push(await least(() => loopPass(server, folder, { kind, chains, width: 1 })));
    }
    return perCall(passes);
  };
  const client = await loops("plain");
  const rows: BenchRow[] = [
    { name: "processor time a call, the bare openai client", value: client, unit: "ms" },
    atMost(0.6, { name: "processor time a call, live run with its ledger", value: ours, unit: "ms" }),
  ];
  if (!await installed(folder)) {
    return [...rows, { name: "agent frameworks", value: NaN, unit: "", note: "npm is missing" }];
  }
  for (const [kind, most] of [["agents", 1 / 2], ["langgraph", 1 / 6]] as const) {
    const theirs = await loops(kind);
    const note = `net of the client ${(ours - client).toFixed(3)} against ${(theirs - client).toFixed(3)} ms a call`;
    const name = `live run over ${FRAMEWORKS[kind]}, net of the client`;
    const value = (ours - client) / (theirs - client);
    rows.push({ ...atMost(most, { name, value, unit: "×", note }), target: `≤ 1/${1 / most}` });
  }
  return rows;
}

const callsOf = ({ chains }: Pass): number => chains.flat().length;

/** The pass of several that took the least processor time a call. */
async function least(make: () => Promise<Pass>): Promise<Pass> {
  const passes: Pass[] = [];
  for (let i = 0; i < TIMES; i++) passes.push(await make());
  return passes.reduce((a, b) => a.cpuSeconds / callsOf(a) <= b.cpuSeconds / callsOf(b) ? a : b);
}

/** Milliseconds of processor time that a call more takes. */
function perCall([short, long]: readonly Pass[]): number {
  return 1000 * (long!.cpuSeconds - short!.cpuSeconds) / (callsOf(long!) - callsOf(short!));
}

async function waiting(folder: string): Promise<BenchRow> {
  await using server = await faultServer({ distinct: true, latencyMs: LATENCY_MS });
  const ratios: { value: number; note: string }[] = [];
  for (let i = 0; i < TIMES; i++) {
    const ours = await livePass(server, `${folder}/waiting-${i}`, WIDTH);
    const plain = await loopPass(server, folder, { kind: "plain", chains: ours.chains, width: WIDTH });
    const note = `${ours.seconds.toFixed(1)} against ${plain.seconds.toFixed(1)} s for ${callsOf(ours)} calls`;
    ratios.push({ value: ours.seconds / plain.seconds, note });
  }
  const name = `${WIDTH} runs side by side, ${LATENCY_MS} ms an answer: live run over the bare client`;
  const [_low, median] = ratios.sort((a, b) => a.value - b.value);
  return atMost(1.05, { name, ...median!, unit: "×" });
}

async function livePass(server: FaultServer, out: string, runs: number): Promise<Pass> {
  const flags = ["--scenario", "HL-01", "--replicates", String(runs), "--concurrency", String(WIDTH)];
  const done = await liveRun([...flags, "--council", "live", "--out", out], { baseUrl: server.baseUrl });
  if (done.code !== 0) throw new Error(done.stderr);
  const { runs: recorded } = await readLedger(JSON.parse(done.stdout).ledger);
  const chains = recorded.map(({ events }) =>
    // The endpoint bills a request by its number.
    events.flatMap((event) => ("seat" in event ? [bodyOf(server, numberOf(event.reply!.usage!.promptTokens))] : []))
  );
  return { ...done, chains };
}

function bodyOf({ seen }: FaultServer, number: number): object {
  const { maxTokens, ...rest } = seen[number - 1]!.question;
  return { ...rest, max_tokens: maxTokens };
}

async function loopPass(
  server: FaultServer,
  folder: string,
  { kind, chains, width }: { kind: string; chains: readonly Chain[]; width: number },
): Promise<Pass> {
  const file = `${folder}/chains.json`;
  await Deno.writeTextFile(file, JSON.stringify(chains));
  const args = ["run", "--quiet", "--allow-all", LOOP, kind, server.baseUrl, file, String(width), folder];
  const done = await timed(args, { cwd: PROJECT });
  if (done.code !== 0) throw new Error(`${kind}: ${done.stderr}`);
  return { ...done, chains };
}

/** Puts the frameworks into a folder of their own: they are no dependency of this project. */
async function installed(folder: string): Promise<boolean> {
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  const args = ["install", "--silent", "--no-audit", "--no-fund", ...Object.values(FRAMEWORKS), ...BESIDE];
  try {
    return (await new Deno.Command("npm", { args, cwd: folder, stdin: "null" }).spawn().status).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
