import { gunzipSync } from "node:zlib";

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

/** Runs of one condition by their names. */
export interface ReadRuns {
  readonly agents: readonly string[];
  /** Names of the runs that were left out. */
  readonly excluded: readonly string[];
  readonly runs: readonly {
    readonly run: string;
    /** [T][N][K] */
    readonly states: readonly (readonly (readonly number[] | undefined)[])[];
    /** [T][K] */
    readonly means: readonly (readonly number[])[];
  }[];
}

export async function importerResults(): Promise<ImporterResult[]> {
  const packed = await Deno.readFile(new URL("importer_results.jsonl.gz", import.meta.url));
  return gunzipSync(packed).toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** What differs: in names and shapes, in words; in numbers, by how much at most. */
export function differences(expected: ImporterResult, read: ReadRuns) {
  const words: string[] = [], apart = { means: 0, states: 0 };
  const compare = (what: string, found: unknown, wanted: unknown) => {
    if (JSON.stringify(found) === JSON.stringify(wanted)) return;
    words.push(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  };
  compare("agents", read.agents, expected.agents);
  compare("excluded", read.excluded.toSorted(), expected.excluded.map(({ run }) => run).sort());
  compare("runs", read.runs.map(({ run }) => run), expected.runs.map(({ run }) => run));
  for (const [i, { run, states, means }] of expected.runs.entries()) {
    const found = read.runs[i];
    compare(`rounds of ${run}`, found?.means.length, means[0]!.length);
    if (!found) continue;
    for (const [t, mean] of found.means.entries()) {
      for (const [k, share] of mean.entries()) {
        apart.means = Math.max(apart.means, distance(share, expected.numbers[means[k]![t]!]));
      }
      for (const [n, own] of states.entries()) {
        const wanted = own[t] === null ? undefined : expected.values[own[t]!], state = found.states[t]![n];
        compare(`${run}, round ${t + 1}, ${expected.agents[n]}: options`, state?.length, wanted?.length);
        for (const [k, share] of (state ?? []).entries()) {
          apart.states = Math.max(apart.states, distance(share, wanted?.[k]));
        }
      }
    }
  }
  return { words, ...apart };
}

const distance = (found: number, wanted: number | undefined): number =>
  wanted === undefined || Number.isNaN(found) ? Infinity : Math.abs(found - wanted);
