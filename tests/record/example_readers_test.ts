import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { runsOf, type Statement } from "@/record/mod.ts";

const EXAMPLES = new URL("../../data/examples/", import.meta.url);
const YES = [1, 0], NO = [0, 1], HALF = [0.5, 0.5];

/** A reader, what it is tried on, the agents, and the means of every run, which are known from the text by hand. */
const READERS: readonly (readonly [string, string[], string[], number[][][]])[] = [
  ["autogen", ["autogen/1.json", "autogen/2.json"], ["Ann", "Bob"], [[HALF, NO, NO], [YES, YES, HALF]]],
  ["autogen", ["autogen/tools.json"], ["Ann", "Bob"], [[HALF, YES]]],
  ["autogen", ["autogen/team.json"], ["Ann", "Bob"], [[HALF, NO]]],
  ["chatarena", ["chatarena/1.json"], ["Ann", "Bob"], [[HALF, NO, NO]]],
  ["concordia", ["concordia/1.json"], ["Ann", "Bob"], [[HALF, NO, NO]]],
  ["langgraph", ["langgraph/1.json"], ["Ann", "Bob"], [[HALF, NO, NO]]],
  ["debate", ["debate"], ["Ann", "Bob"], [[HALF, YES], [NO, NO]]],
  ["own_chats", ["own_chats.json"], ["agent 1", "agent 2"], [[HALF, YES]]],
  ["events", ["events.jsonl"], ["Ann", "Bob"], [[HALF, YES], [NO, HALF]]],
  ["naming", ["naming.jsonl"], ["1", "2", "3", "4"], [[[1, 0], [0.75, 0.25]], [
    NO,
    NO,
  ]]],
  ["plain", ["plain.jsonl"], ["Chair", "Rights"], [
    [[0.75, 0.15, 0.1], [0.65, 0.2, 0.15], [0.725, 0.125, 0.15]],
    [[0.35, 0.25, 0.4], [0.25, 0.25, 0.5], [0.2, 0.2, 0.6]],
  ]],
];

/** The runs that a reader's file gives, with the options that it exports. */
async function runsBy(reader: string, ...paths: readonly string[]) {
  const { default: read, options = {} } = await import(new URL(`${reader}.ts`, EXAMPLES).href);
  return runsOf(paths.flatMap((path): Statement[] => [...read(fileURLToPath(new URL(path, EXAMPLES)))]), options);
}

for (const [reader, paths, agents, means] of READERS) {
  Deno.test(`data/examples/${reader}.ts reads ${paths.join(", ")}`, async () => {
    const read = await runsBy(reader, ...paths);
    assert.deepEqual([read.agents, read.excluded], [agents, []]);
    assert.deepEqual(read.runs.map(({ means }) => means.map((mean) => mean.map((share) => +share.toFixed(12)))), means);
  });
}

Deno.test("data/examples/jury.ts reads a table of words: 24 runs of six jurors over 12 rounds, every second guilty at first", async () => {
  const { runs, agents } = await runsBy("jury", "jury.csv");
  assert.deepEqual([runs.length, agents.length, runs[0]!.means.length], [24, 6, 12]);
});

/** Ann opens with option 1 of every issue, Bob answers with 2 in turn 1 and goes over to 1 in turn 3, where tags are sloppy. */
Deno.test("data/examples/negotiations.ts: whole deals alone are states, and a game that broke off is left out", async () => {
  const { runs, excluded } = await runsBy("negotiations", "negotiations");
  assert.deepEqual([runs.map(({ run, means }) => [run, means.length]), excluded], [[["1.json", 24]], []]);
  const deal = (share: (option: number) => number) => Array.from({ length: 25 }, (_, k) => share(k % 5 + 1));
  const both = deal((option) => option < 3 ? 0.1 : 0), agreed = deal((option) => option === 1 ? 0.2 : 0);
  assert.deepEqual(runs[0]!.means.slice(0, 4), [both, both, agreed, agreed]);
});

Deno.test("data/examples/negotiations_seven_parties.ts: six issues, 28 rounds", async () => {
  const folder = await Deno.makeTempDir(), all = "<DEAL>A1,B1,C1,D1,E1,F5</DEAL>";
  try {
    const rounds = Array.from({ length: 30 }, (_, turn) => ({ agent: `party ${turn % 7}`, public_answer: all }));
    await Deno.writeTextFile(`${folder}/history1.json`, JSON.stringify({ rounds }));
    const { runs: [game], agents } = await runsBy("negotiations_seven_parties", folder);
    assert.deepEqual([agents.length, game!.means.length, game!.means[0]!.length, game!.means[27]!.at(-1)], [
      7,
      28,
      30,
      1 / 6,
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
