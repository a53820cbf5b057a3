import { type BenchRow, exactly } from "../bench/bench_row.ts";
import { liveRun, type Timed } from "./live_command.ts";
import { asked, onRecord } from "./record.ts";
import { type Seen } from "./server.ts";

/** Live runs as a researcher would start them, and what must hold of each whatever the endpoint did. */

/** What is run: arguments of `deno task run`, the council among them. */
export interface Plan {
  readonly name: string;
  readonly args: readonly string[];
  /** Whether it asks an endpoint. */
  readonly live: boolean;
}

const MODEL = "openai/gpt-4.1-mini";

interface PlanOptions {
  /** Whether embedded councils answer instead of an endpoint. */
  readonly embedded?: boolean;
  /** Calls under way at once, where it is not the command's own number. */
  readonly width?: number;
}

const widthFlag = ({ width }: PlanOptions): string[] => (width === undefined ? [] : ["--concurrency", String(width)]);

/** So many runs of one committee; `small` has two agents and two rounds instead of five and twenty. */
export function committees(runs: number, options: PlanOptions & { small?: boolean } = {}): Plan {
  const { small = false, embedded = false } = options;
  const size = small ? ["--agents", "2", "--rounds", "2"] : [];
  const council = embedded ? "surrogate" : "live";
  const args = [
    "--scenario",
    "HL-01",
    ...size,
    "--replicates",
    String(runs),
    "--council",
    council,
    ...widthFlag(options),
  ];
  return { name: `${runs} ${council} committees`, args, live: !embedded };
}

/** The station on the panel's six seeds, or on one. */
export function stations({ seed, embedded = false, ...options }: PlanOptions & { seed?: number } = {}): Plan {
  const one = seed === undefined ? [] : ["--seed", String(seed)];
  const council = embedded ? "coalition" : `live:${MODEL}`;
  const args = ["station-floor", "--council", council, ...one, ...widthFlag(options)];
  return { name: `${embedded ? "persona" : "live"} stations`, args, live: !embedded };
}

/** Calls `use` with an empty folder, and takes it away afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs a plan into a folder against an endpoint. */
export const play = ({ args }: Plan, { out, baseUrl }: { out: string; baseUrl: string }): Promise<Timed> =>
  liveRun([...args, "--out", out], { baseUrl });

interface Printed {
  readonly target?: number;
  readonly realised?: number;
  readonly fallback_actions?: number;
}

/** That every run of a plan is whole, by what the command printed: as many runs as were meant, no slot left to the clerk. */
export function whole(about: string, { code, stdout, stderr, seconds }: Timed): BenchRow[] {
  const lines: Printed[] = stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  const sum = (of: (line: Printed) => number) => lines.reduce((total, line) => total + of(line), 0);
  const committee = lines.some(({ target }) => target !== undefined);
  const missing = sum(({ target = 0, realised = 0 }) => target - realised);
  const note = code === 0 ? `${seconds.toFixed(1)} s` : stderr.trimEnd().split("\n").at(-1)!.slice(0, 300);
  return [
    exactly(0, { name: `${about}: exit code`, value: code, unit: "", note }),
    committee || lines.length === 0
      ? exactly(0, { name: `${about}: runs missing`, value: lines.length === 0 ? NaN : missing, unit: "runs" })
      : exactly(0, {
        name: `${about}: slots left to the clerk`,
        value: sum(({ fallback_actions = 0 }) => fallback_actions),
        unit: "slots",
      }),
  ];
}

/** That a folder's record and an endpoint's memory are one: every request, every try by its cause, every token told. */
export async function reconciled(about: string, folder: string, seen: readonly Seen[]): Promise<BenchRow[]> {
  const [made, kept] = [asked(seen), await onRecord(folder)];
  const codes = [...new Set([...Object.keys(made.failures), ...Object.keys(kept.failures)])].sort();
  const off = codes.filter((code) => made.failures[code] !== kept.failures[code]);
  const failures = Object.values(made.failures).reduce((sum, count) => sum + count, 0);
  return [
    exactly(made.replies, { name: `${about}: replies on record`, value: kept.replies, unit: "calls" }),
    exactly(0, {
      name: `${about}: failed tries not on record by their cause`,
      value: off.reduce((sum, code) => sum + Math.abs((made.failures[code] ?? 0) - (kept.failures[code] ?? 0)), 0),
      unit: "tries",
      note: off.length === 0
        ? `of ${failures}`
        : off.map((code) => `${code}: made ${made.failures[code] ?? 0}, kept ${kept.failures[code] ?? 0}`).join("; "),
    }),
    exactly(0, {
      name: `${about}: requests whose tokens are not on record once`,
      value: differing(made.promptTokens, kept.promptTokens),
      unit: "requests",
      note: `of ${made.promptTokens.length}`,
    }),
  ];
}

/** How many entries of two lists have no counterpart in the other. */
function differing(a: readonly number[], b: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const one of a) counts.set(one, (counts.get(one) ?? 0) + 1);
  for (const one of b) counts.set(one, (counts.get(one) ?? 0) - 1);
  return counts.values().reduce((sum, count) => sum + Math.abs(count), 0);
}
