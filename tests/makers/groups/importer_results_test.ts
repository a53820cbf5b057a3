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
import { importerResults, largestDifference, type Read } from "./importer_results.ts";
import { plannedConditions, RECORDS } from "./planned.ts";

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
