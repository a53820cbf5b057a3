import assert from "node:assert/strict";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { missing } from "@/record/files.ts";
import { inspectSamples, lastMention, runsOf, type Statement } from "@/record/mod.ts";
import autogen from "../../../data/examples/autogen.ts";
import chatarena from "../../../data/examples/chatarena.ts";
import concordia from "../../../data/examples/concordia.ts";
import debate from "../../../data/examples/debate.ts";
import jury from "../../../data/examples/jury.ts";
import langgraph from "../../../data/examples/langgraph.ts";
import plain from "../../../data/examples/plain.ts";
import { readGames, readNaming } from "./games.ts";
import { plannedConditions, RECORDS } from "./planned.ts";
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

async function importerResults(): Promise<ImporterResult[]> {
  const packed = await Deno.readFile(new URL("importer_results.jsonl.gz", import.meta.url));
  return gunzipSync(packed).toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** The runs that readers give, and the names of those that they, or `runsOf`, leave out. */
interface Read extends Pick<StatedRuns, "agents" | "runs"> {
  readonly left: readonly string[];
}

/** The largest difference of a mean, and of a state. Throws where runs, agents, rounds or options are others. */
function largestDifference(expected: ImporterResult, { agents, runs, left }: Read) {
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

const example = (name: string) => fileURLToPath(new URL(`../../../data/examples/${name}`, import.meta.url));
const named = (run: string) => basename(run, ".json");

/** A reader's runs; agents that say nothing readable keep their state. */
const held = (statements: Iterable<Statement>): Read => readOf(runsOf(statements, { hold: true }));

const readOf = ({ agents, runs, excluded }: ReturnType<typeof runsOf>, left: readonly string[] = []): Read => ({
  agents,
  runs: runs.map((run) => ({ ...run, run: named(run.run) })),
  left: [...left, ...excluded.map(({ run }) => run)].map(named),
});

function* juryLog() {
  const state = lastMention(["guilty", "not guilty"]);
  for (const { epoch, messages } of inspectSamples(example("jury_inspect.json"))) {
    for (const { role, metadata, text } of messages) {
      if (role === "assistant") {
        yield { run: `jury_inspect.json: element ${epoch}`, agent: String(metadata!.agent), state: state(text), text };
      }
    }
  }
}

const chats = { autogen, chatarena, concordia, langgraph };

/** The sets whose records are in the project, by condition. */
function readExample(set: string, condition: string): Read {
  if (set === "jury") return held(jury(example("jury.csv")));
  if (set === "inspect") return held(juryLog());
  if (set === "debate") return held(debate(example("debate")));
  if (set === "plain") return held(plain(example("plain.jsonl")));
  const files = ["1", "2"].map((run) => example(`${condition}/${run}.json`));
  return held(files.flatMap((file) => [...chats[condition as keyof typeof chats](file)]));
}

async function readPublished(set: string, condition: string): Promise<Read> {
  const row = (await plannedConditions()).find((row) => row.set === set && row.condition === condition)!;
  if (set === "naming") return readOf(readNaming(row, 20).whole);
  const { games, whole } = await readGames(row), kept = new Set(whole.runs.map(({ run }) => run));
  return readOf({ ...whole, excluded: [] }, [...games.keys()].filter((run) => !kept.has(run)));
}

const results = Map.groupBy(await importerResults(), ({ set }) => set);
const unpublished = await missing(fileURLToPath(RECORDS));

for (const [set, conditions] of results) {
  const published = ["naming", "negotiation", "reproduction"].includes(set), ignore = published && unpublished;
  const words = `${set}: means, states and runs left out are those of the former importer`;
  Deno.test({
    name: ignore ? `${words} (skipped: ../shared/groups is not there)` : words,
    ignore,
    async fn() {
      const largest = { means: 0, states: 0 };
      for (const expected of conditions) {
        const read = await (published ? readPublished : readExample)(set, expected.condition);
        const { means, states } = largestDifference(expected, read);
        largest.means = Math.max(largest.means, means);
        largest.states = Math.max(largest.states, states);
      }
      assert.deepEqual(largest, { means: 0, states: 0 }, `largest differences: ${JSON.stringify(largest)}`);
    },
  });
}
