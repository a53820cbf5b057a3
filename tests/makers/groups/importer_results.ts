import { gunzipSync } from "node:zlib";
import type { StatedRuns } from "@/record/runs_of.ts";

/** One condition as the former importer, a mapping language, read it: what readers have to give again. */
interface ImporterResult {
  readonly set: string;
  readonly condition: string;
  readonly options: readonly string[];
  readonly agents: readonly string[];
  readonly excluded: readonly { readonly run: string; readonly cause: string }[];
  /** States that occur. */
  readonly values: readonly (readonly number[])[];
  /** Shares that occur in means. */
  readonly numbers: readonly number[];
  readonly runs: readonly {
    readonly run: string;
    /** [N][T], places in `values`; null of an agent that has not spoken yet. */
    readonly states: readonly (readonly (number | null)[])[];
    /** [K][T], places in `numbers`. */
    readonly means: readonly (readonly number[])[];
  }[];
}

export async function importerResults(): Promise<ImporterResult[]> {
  const packed = await Deno.readFile(new URL("importer_results.jsonl.gz", import.meta.url));
  return gunzipSync(packed).toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** The runs that readers give, and the names of those that they, or `runsOf`, leave out. */
export interface Read extends Pick<StatedRuns, "agents" | "runs"> {
  readonly left: readonly string[];
}

/** The largest difference of a mean, and of a state. Throws where runs, agents, rounds or options are others. */
export function largestDifference(expected: ImporterResult, { agents, runs, left }: Read) {
  const { values, numbers } = expected, seats = expected.agents.map((agent) => agents.indexOf(agent));
  same("agents", agents.toSorted(), expected.agents.toSorted());
  same("runs left out", left.toSorted(), expected.excluded.map(({ run }) => run).sort());
  same("runs", runs.map(({ run }) => run), expected.runs.map(({ run }) => run));
  const apart = { means: 0, states: 0 };
  for (const [i, { run, states, means }] of expected.runs.entries()) {
    const found = runs[i]!;
    same(`rounds of ${run}`, found.means.length, means[0]!.length);
    for (let t = 0; t < found.means.length; t++) {
      const mean = means.map((shares) => numbers[shares[t]!]!), at = `${run}, round ${t + 1}`;
      apart.means = Math.max(apart.means, distance(at, found.means[t], mean));
      for (const [n, seat] of seats.entries()) {
        const place = states[n]![t]!, state = place === null ? undefined : values[place];
        apart.states = Math.max(apart.states, distance(at, found.preferences[t]![seat], state));
      }
    }
  }
  return apart;
}

function same(what: string, found: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${what}: ${one}, not ${other}`);
}

function distance(at: string, found: readonly number[] | undefined, wanted: readonly number[] | undefined): number {
  same(`${at}: options`, found?.length, wanted?.length);
  return Math.max(0, ...(found ?? []).map((share, k) => Math.abs(share - wanted![k]!)));
}
