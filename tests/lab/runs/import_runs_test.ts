import assert from "node:assert/strict";
import { strToU8, zipSync } from "fflate";
import { close } from "../../stats/ensembles.ts";
import type { RunSourceChoices } from "@/record/run_source.ts";
import { divergence } from "@/stats/divergence.ts";
import { lyapunovSlope } from "@/stats/lyapunov_slope.ts";
import { type ImportedRuns, importRuns } from "@/lab/runs/import_runs.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

type Changes = Partial<RunSourceChoices>;
type Files = Readonly<Record<string, string | Uint8Array>>;

/** Votes in a table of run, round, agent and vote. */
const TABLE: RunSourceChoices = {
  schema: "run-source/2",
  name: "jury",
  unit: "rows",
  run: "run",
  observations: { layout: "rows", agent: "agent" },
  round: { by: "path", at: "round" },
  state: { kind: "vote", at: "vote", options: ["yes", "no"] },
};
/** Votes in a JSON file a run, a turn after the other. */
const TURNS: RunSourceChoices = {
  schema: "run-source/2",
  name: "jury",
  unit: "file",
  observations: { layout: "turns", agent: "who" },
  state: { kind: "vote", at: "vote", options: ["yes", "no"] },
  hold: "last",
};

async function imported(files: Files, source: RunSourceChoices, changes: Changes = {}): Promise<ImportedRuns> {
  let runs: ImportedRuns | undefined;
  await withFiles(files, async (folder) => void (runs = await importRuns(folder, { ...source, ...changes })));
  return runs!;
}

const rows = (...lines: string[]): Files => ({ "votes.csv": ["run,round,agent,vote", ...lines, ""].join("\n") });
const json = (value: unknown): string => JSON.stringify(value);
const turns = (...spoken: string[]) => spoken.map((turn) => ({ who: turn.split(" ")[0], vote: turn.split(" ")[1] }));
const meansOf = ({ runs }: ImportedRuns) => runs.map(({ means }) => means);
const YES = [1, 0], NO = [0, 1], HALF = [0.5, 0.5];

Deno.test("importRuns() reads a table of votes, in whatever order its rows are", async () => {
  const lines = [
    "1,1,Ann,yes",
    "1,1,Bob,no",
    "1,2,Ann,no",
    "1,2,Bob,no",
    "2,1,Ann,yes",
    "2,1,Bob,yes",
    "2,2,Ann,yes",
    "2,2,Bob,no",
  ];
  const runs = await imported(rows(...lines), TABLE);
  assert.deepEqual(meansOf(runs), [[HALF, NO], [YES, HALF]]);
  assert.deepEqual([runs.name, runs.options, runs.agents, runs.carried, runs.unread], [
    "jury",
    ["yes", "no"],
    ["Ann", "Bob"],
    0,
    0,
  ]);
  assert.deepEqual(runs.runs[0]!.states, [[YES, NO], [NO, NO]]);
  assert.deepEqual(runs.runs[0]!.said, [[1, 1], [0, 2]]);
  assert.deepEqual(runs.runs.map(({ id, line, ended }) => [id, line, ended]), [["1", 2, 2], ["2", 6, 2]]);
  const shuffled = await imported(rows(...lines.toReversed()), TABLE, { agents: { names: ["Ann", "Bob"] } });
  assert.deepEqual(meansOf(shuffled).reverse(), meansOf(runs));
});

Deno.test("importRuns() keeps runs that are alike throughout: two groups may agree at once", async () => {
  const runs = await imported(rows("1,1,Ann,yes", "2,1,Ann,yes"), TABLE);
  assert.deepEqual(meansOf(runs), [[YES], [YES]]);
});

/** One run, Ann: yes no; Bob: no no, in every layout. */
const ALIKE: Readonly<Record<string, [Files, Changes]>> = {
  "turns, two a round": [{ "1.json": json(turns("Ann yes", "Bob no", "Bob no", "Ann no")) }, {
    round: { by: "count", every: 2 },
  }],
  "turns, as many a round as agents": [
    { "1.json": json(turns("Ann yes", "Bob no", "Bob no", "Ann no")) },
    { round: { by: "count", every: "agents" } },
  ],
  "turns that name their round, from 0": [
    { "1.json": json(turns("Ann yes", "Bob no", "Bob no", "Ann no").map((turn, i) => ({ ...turn, t: i >> 1 }))) },
    { round: { by: "path", at: "t", first: 0 } },
  ],
  "turns with an entry to skip and a moderator to leave out": [
    {
      "1.json": json([
        { who: "log" },
        ...turns("Ann yes", "Chair -", "Bob no", "Bob no"),
        { who: " Chair", vote: "-" },
        ...turns("Ann no"),
      ]),
    },
    {
      observations: { layout: "turns", agent: "who", skip: 1 },
      round: { by: "count", every: 2 },
      agents: { leaveOut: ["Chair"] },
    },
  ],
  "turns under other names and paths": [
    {
      "1.json": json({
        log: {
          turns: turns("A yes", "Bob no", "Bob no", "A no").map(({ who, vote }) => ({ name: who, said: { v: vote } })),
        },
      }),
    },
    {
      observations: { layout: "turns", list: "log.turns", agent: ["source", "name"] },
      round: { by: "count", every: 2 },
      agents: { rename: { A: "Ann" } },
      state: { kind: "vote", at: ["content", "said.v"], options: ["yes", "no"] },
    },
  ],
  "pairs": [
    { "1.json": json([["Ann", "Bob", "yes", "no"], ["Bob", "Ann", "no", "no"]]) },
    {
      observations: { layout: "pairs", speakers: [{ agent: "0", said: "2" }, { agent: "1", said: "3" }] },
      round: { by: "count", every: "agents" },
      state: { kind: "vote", options: ["yes", "no"] },
    },
  ],
  "by-agent": [
    { "1.json": json({ votes: { Ann: [{ vote: "yes" }, { vote: "no" }], Bob: [{ vote: "no" }, { vote: "no" }] } }) },
    { observations: { layout: "by-agent", list: "votes" } },
  ],
  "by-agent, a list": [
    { "1.json": json([{ who: "Ann", votes: ["yes", "no"] }, { who: "Bob", votes: ["no", "no"] }]) },
    {
      observations: { layout: "by-agent", agent: "who", states: "votes" },
      state: { kind: "vote", options: ["yes", "no"] },
    },
  ],
  "by-round": [
    { "1.json": json([{ Ann: "yes", Bob: "no" }, { Ann: "no", Bob: "no" }]) },
    { observations: { layout: "by-round" }, state: { kind: "vote", options: ["yes", "no"] } },
  ],
  "by-round, lists with names and numbers": [
    { "1.json": json({ rounds: [{ t: 2, of: turns("Ann no", "Bob no") }, { t: 1, of: turns("Ann yes", "Bob no") }] }) },
    {
      observations: { layout: "by-round", list: "rounds", states: "of", agent: "who" },
      round: { by: "path", at: "t" },
    },
  ],
  "lines of a file": [
    { "a.jsonl": `\n${json({ talk: turns("Ann yes", "Bob no", "Ann no") })}\r\n` },
    { unit: "line", observations: { layout: "turns", list: "talk", agent: "who", opening: 1 } },
  ],
  "elements of a list in a zip": [
    {
      "a.zip": zipSync({ "log/1.json": strToU8(json({ samples: [{ talk: turns("Ann yes", "Bob no", "Ann no") }] })) }),
    },
    {
      unit: "element",
      inside: "log/*.json",
      elements: "samples",
      observations: { layout: "turns", list: "talk", agent: "who", opening: 1 },
    },
  ],
  "rows of JSON lines, of which some are wanted": [
    {
      "a.jsonl": ["yes", "no", "no"].map((vote, i) =>
        json({ game: "x", id: 7, who: i === 1 ? "Bob" : "Ann", t: i, vote })
      ).concat(json({ game: "y" })).join("\n"),
    },
    {
      unit: "rows",
      run: ["game", "id"],
      only: { game: "x" },
      observations: { layout: "turns", agent: "who", opening: 1 },
    },
  ],
  "tab-separated rows as turns": [
    { "a.tsv": 'run\twho\tvote\n1\tAnn\tyes\n\n1\tBob\t"no"\n1\tAnn\tno\n' },
    { unit: "rows", run: "run", observations: { layout: "turns", agent: "who", opening: 1 } },
  ],
};
for (const [layout, [files, changes]] of Object.entries(ALIKE)) {
  Deno.test(`importRuns() reads ${layout}`, async () => {
    const { agents, runs } = await imported(files, TURNS, changes);
    assert.deepEqual([agents, runs.map(({ states }) => states)], [["Ann", "Bob"], [[[YES, NO], [NO, NO]]]]);
  });
}

Deno.test("an opening counts for its speaker but is no round, and first calls are compared without their words", async () => {
  const files = {
    "1.json": json(turns("Ann yes", "Bob no", "Ann no")),
    "2.json": json(turns("Ann yes", "Bob no", "Bob yes")),
  };
  const { runs } = await imported(files, TURNS, { observations: { layout: "turns", agent: "who", opening: 1 } });
  assert.deepEqual(runs.map(({ means }) => means), [[HALF, NO], [HALF, YES]]);
  const [one, two] = runs as [ImportedRuns["runs"][number], ImportedRuns["runs"][number]];
  assert.deepEqual([one.opening, one.first], [two.opening, two.first]);
  assert.deepEqual([one.opening!.agent, one.opening!.state, one.first!.agent, one.first!.state], [
    "Ann",
    YES,
    "Bob",
    NO,
  ]);
  assert.equal(
    one.first!.words,
    "9390298f3fb0c5b160498935d79cb139aef28e1c47358b4bbba61862b9c26e59",
    "sha256sum of: no",
  );
});

Deno.test("who has not spoken yet is left out of the mean; with hold none so is who says nothing in a round", async () => {
  const files = { "1.json": json(turns("Ann yes", "Bob no", "Cy no", "Ann no")) };
  const held = await imported(files, TURNS);
  assert.deepEqual(meansOf(held), [[YES, HALF, [1 / 3, 2 / 3], NO]]);
  assert.deepEqual(held.runs[0]!.states[0], [YES, undefined, undefined]);
  assert.deepEqual(meansOf(await imported(files, TURNS, { hold: "none" })), [[YES, NO, NO, NO]]);
  assert.match(
    (await userErrorOf(imported(files, TURNS, { hold: "refuse" }))).message,
    /1\.json: round 1, agent Bob: has no state; choice: hold$/,
  );
});

const UNEVEN: Files = {
  "1.json": json(turns("Ann yes", "Bob yes")),
  "2.json": json(turns("Ann yes", "Bob no", "Ann no", "Ann yes")),
};
for (
  const [ended, means, carried, excluded] of [
    ["carry", [[YES, YES, YES, YES], [YES, HALF, NO, HALF]], 1, 0],
    ["cut", [[YES, YES], [YES, HALF]], 0, 0],
    ["exclude", [[YES, HALF, NO, HALF]], 0, 1],
  ] as const
) {
  Deno.test(`runs that end early: ${ended}`, async () => {
    const runs = await imported(UNEVEN, TURNS, { ended });
    assert.deepEqual([meansOf(runs), runs.carried, runs.excluded.length], [means, carried, excluded]);
    assert.deepEqual(runs.excluded.map(({ cause }) => cause), excluded ? ["ends at round 2 of 4"] : []);
  });
}

Deno.test("a carried run repeats the words of its last round, and rounds after T are not read", async () => {
  const { runs } = await imported(UNEVEN, TURNS, { ended: "carry", rounds: 3 });
  assert.deepEqual(runs.map(({ said }) => said), [[YES, YES, YES], [YES, NO, NO]]);
  assert.deepEqual(runs.map(({ ended }) => ended), [2, 4]);
  assert.match((await userErrorOf(imported(UNEVEN, TURNS))).message, /1\.json: ends at round 2 of 4; choice: ended$/);
});

Deno.test("a run without held states keeps those of its last round when it is carried", async () => {
  const { runs } = await imported(UNEVEN, TURNS, { ended: "carry", hold: "none" });
  assert.deepEqual(runs[0]!.states, [[YES, undefined], [undefined, YES], [undefined, YES], [undefined, YES]]);
});

Deno.test("options that occur are in the order of their names, whichever is met first", async () => {
  const runs = await imported({ "1.json": json(turns("Ann 10", "Ann 9")) }, TURNS, {
    state: { kind: "vote", at: "vote", options: "occurring" },
  });
  assert.deepEqual([runs.options, meansOf(runs)], [["9", "10"], [[NO, YES]]]);
});

Deno.test("an opening may have several entries, each of which counts for its speaker", async () => {
  const { runs } = await imported({ "1.json": json(turns("Ann yes", "Bob yes", "Bob no")) }, TURNS, {
    observations: { layout: "turns", agent: "who", opening: 2 },
  });
  assert.deepEqual([runs[0]!.means, runs[0]!.said, runs[0]!.opening!.agent], [[HALF], [NO], "Bob"]);
});

Deno.test("the agents that most runs have are those of a run, also where another comes first", async () => {
  const files = { "1.json": json(turns("Cy no")), "2.json": json(turns("Bob no")), "3.json": json(turns("Bob yes")) };
  const { agents, runs } = await imported(files, TURNS, { agents: { different: "exclude" } });
  assert.deepEqual([agents, runs.length], [["Bob"], 2]);
});

Deno.test("runs with other agents are refused, left out or taken as they are", async () => {
  const files = {
    "1.json": json(turns("Ann yes", "Bob no")),
    "2.json": json(turns("Ann yes", "Cy no")),
    "3.json": json(turns("Bob yes", "Ann no")),
  };
  assert.match(
    (await userErrorOf(imported(files, TURNS))).message,
    /2\.json: has other agents than expected: without Bob, with Cy; choice: agents$/,
  );
  const usual = await imported(files, TURNS, { agents: { different: "exclude" } });
  assert.deepEqual([usual.agents, usual.runs.length, usual.excluded.map(({ file }) => file.slice(-6))], [
    ["Ann", "Bob"],
    2,
    ["2.json"],
  ]);
  const named = await imported(files, TURNS, { agents: { names: ["Cy", "Ann"], different: "exclude" } });
  assert.deepEqual([named.agents, named.runs[0]!.states[1]], [["Cy", "Ann"], [NO, YES]]);
  const all = await imported(files, TURNS, { agents: { different: "allow" } });
  assert.deepEqual([all.agents, all.runs[0]!.states[1]], [["Ann", "Bob", "Cy"], [YES, NO, undefined]]);
});

Deno.test("a state that cannot be read is refused, or counts as unread and the agent keeps its last", async () => {
  const files = { "1.json": json(turns("Ann yes", "Ann maybe", "Ann no")) };
  const message = (await userErrorOf(imported(files, TURNS))).message;
  assert.match(
    message,
    /1\.json: round 2, agent Ann: "maybe" is none of the options; the nearest is \w+; choice: state\.options or outside$/,
  );
  const { runs, unread } = await imported(files, TURNS, { outside: "missing" });
  assert.deepEqual([runs[0]!.means, runs[0]!.said, unread], [[YES, YES, NO], [YES, [0, 0], NO], 1]);
});

Deno.test("a number out of its range is refused, kept and counted, or missing; it is never clipped", async () => {
  const state: RunSourceChoices["state"] = { kind: "number", at: "vote", range: [0, 10] };
  const files = { "1.json": json(turns("Ann 5", "Ann 15", "Ann 10")) };
  assert.match(
    (await userErrorOf(imported(files, TURNS, { state }))).message,
    /round 2, agent Ann: 15 is not within 0 to 10; choice: state\.range or outside/,
  );
  const flagged = await imported(files, TURNS, { state, outside: "flag" });
  assert.deepEqual([meansOf(flagged), flagged.flagged, flagged.unread], [[[HALF, [-0.5, 1.5], NO]], 1, 0]);
  const missing = await imported(files, TURNS, { state, outside: "missing" });
  assert.deepEqual([meansOf(missing), missing.flagged, missing.unread], [[[HALF, HALF, NO]], 0, 1]);
});

for (
  const [what, files, source, changes, complaint] of [
    [
      "an agent twice in a round",
      rows("1,1,Ann,yes", "1,1,Ann,no"),
      TABLE,
      {},
      /votes\.csv: line 3: run 1: round 1, agent Ann: has a second state; choice: repeated$/,
    ],
    [
      "an agent that comes later",
      rows("1,1,Ann,yes", "1,2,Ann,no", "1,2,Bob,no"),
      TABLE,
      {},
      /line 2: run 1: round 1, agent Bob: has no state; choice: hold$/,
    ],
    [
      "a round that is no number",
      rows("1,one,Ann,yes"),
      TABLE,
      {},
      /line 2: run 1: the round is "one": must be a whole number from 1; choice: round$/,
    ],
    ["a round 0", rows("1,0,Ann,yes"), TABLE, {}, /the round is "0": must be a whole number from 1/],
    ["a round beyond all measure", rows("1,1e9,Ann,yes"), TABLE, {}, /the round is "1e9"/],
    [
      "a column that is not there",
      rows("1,1,Ann,yes"),
      TABLE,
      { run: "runs" },
      /line 2: there is no name at "runs" among run, round, agent, vote: did you mean run\?; choice: run$/,
    ],
    ["a row that is too short", rows("1,1,Ann"), TABLE, {}, /votes\.csv: line 2 has 3 cells, the header 4;/],
    ["a blank round where rounds begin at 0", rows("1, ,Ann,yes"), TABLE, {
      round: { by: "path", at: "round", first: 0 },
    }, /line 2: run 1: there is no round at "round"/],
    [
      "an empty round where rounds begin at 0",
      { "a.json": '[{"run":1,"round":"","agent":"Ann","vote":"yes"}]' },
      TABLE,
      {
        round: { by: "path", at: "round", first: 0 },
      },
      /a\.json: run 1: the round is "": must be a whole number from 0; choice: round$/,
    ],
    ["a run without a name", rows(" ,1,Ann,yes"), TABLE, {}, /line 2: there is no name at "run"/],
    [
      "a quote that is never closed, which would hold the rows after it",
      rows("1,1,Ann,yes", '2,1,Ann,"yes', "3,1,Ann,no"),
      TABLE,
      { state: { kind: "vote", at: "vote", options: "occurring" } },
      /votes\.csv: line 3: cell at column 9: a quote must open or close a cell/,
    ],
    ["text after a quoted cell", rows('1,1,Ann,"yes"no'), TABLE, {}, /line 2: cell at column 9: a quote must/],
    ["a table without a row", rows(), TABLE, {}, /votes\.csv: has no row; choice: files$/],
    [
      "another separator",
      { "a.csv": "run;round;agent;vote\n1;1;Ann;yes\n" },
      TABLE,
      {},
      /a\.csv: line 1 has one column; ";" seems to stand between cells; choice: separator$/,
    ],
    [
      "UTF-16",
      { "a.csv": new Uint8Array([..."run,round"].flatMap((sign) => [sign.charCodeAt(0), 0])) },
      TABLE,
      {},
      /a\.csv: is not UTF-8 text/,
    ],
    [
      "a key twice, of which one would be lost",
      { "a.json": '{"Ann": ["yes"], "Bob": ["no"],\n "Ann": ["no"]}' },
      TURNS,
      { observations: { layout: "by-agent" }, state: { kind: "vote", options: ["yes", "no"] } },
      /a\.json: 2:2: the key "Ann" is given twice; write each once/,
    ],
    [
      "a round that is a text, whose letters would be agents",
      { "a.json": '["yes", "no"]' },
      TURNS,
      { observations: { layout: "by-round" }, state: { kind: "vote", options: "occurring" } },
      /a\.json: entry 1: there is no list, nor object by agent, at "" .*choice: observations$/,
    ],
    [
      "a round without states",
      { "a.json": '[{"of": {"Ann": "yes"}}, {"off": {"Ann": "no"}}]' },
      TURNS,
      { observations: { layout: "by-round", states: "of" }, state: { kind: "vote", options: ["yes", "no"] } },
      /entry 2: there is no list, nor object by agent, at "of" among off: did you mean off\?; choice: observations$/,
    ],
    [
      "a pattern that takes long, and says whose text it was",
      { "a.json": json(turns(`Ann ${"a".repeat(90_000)}`)) },
      TURNS,
      { state: { kind: "vote", at: "vote", options: ["b"], pattern: "a*b|a" } },
      /a\.json: agent Ann: a\*b\|a takes over 2 s for one text; choice: state\.pattern$/,
    ],
    [
      "more rounds than the memory holds",
      rows(...Array.from({ length: 300 }, (_, i) => `${i},1,Ann,yes`), "5,90000,Ann,no"),
      TABLE,
      { hold: "last", ended: "carry" },
      /votes\.csv: line 7: run 5: round 90000 for each of 300 runs is more than the memory holds; choice: rounds or round$/,
    ],
    ["a column twice", { "a.csv": "run,run\n1,2\n" }, TABLE, {}, /two columns have the same name/],
    [
      "an empty cell",
      rows("1,1,Ann,"),
      TABLE,
      {},
      /line 2: run 1: round 1, agent Ann: there is nothing at "vote" .*choice: state\.at or outside$/,
    ],
    [
      "a run in two files",
      { ...rows("1,1,Ann,yes"), "w.csv": "run,round,agent,vote\n1,2,Ann,no\n" },
      TABLE,
      {},
      /w\.csv: line 2: run 1: there is a run of this name in .*votes\.csv too, line 2; choice: run$/,
    ],
    [
      "pretty JSON as lines",
      { "a.jsonl": JSON.stringify([{}, {}], null, 1) },
      TURNS,
      { unit: "line" },
      /a\.jsonl: line 1: is not JSON, but the whole file is; choice: unit \(file or element\)$/,
    ],
    [
      "lines as one JSON file",
      { "a.json": "{}\n{}\n" },
      TURNS,
      {},
      /a\.json: is not JSON, but its first line is; choice: unit \(line\)$/,
    ],
    ["NaN", { "a.json": '[{"vote": NaN}]' }, TURNS, {}, /is not JSON \(it has no NaN or Infinity; write null\)/],
    ["a list that is elsewhere", { "a.json": '{"turn": []}' }, TURNS, {
      observations: { layout: "turns", list: "turns", agent: "who" },
    }, /a\.json: there is no list at "turns" among turn: did you mean turn\?; choice: observations$/],
    ["no run at all", { "a.jsonl": "\n" }, TURNS, { unit: "line" }, /no runs; choice: files, unit or only$/],
    ["no turn at all", { "a.json": "[]" }, TURNS, {}, /a\.json: has no round; choice: observations$/],
    [
      "rounds of half an interaction",
      {
        "a.json": json(
          turns("Ann yes", "Bob no", "Cy no").map(({ who, vote }) => [who, "Dee", vote, vote]).slice(0, 2),
        ),
      },
      TURNS,
      {
        observations: { layout: "pairs", speakers: [{ agent: "0", said: "2" }, { agent: "1", said: "3" }] },
        state: { kind: "vote", options: "occurring" },
        round: { by: "count", every: "agents" },
      },
      /a round would be 1\.5 interactions; choice: round\.every$/,
    ],
  ] as readonly (readonly [string, Files, RunSourceChoices, Changes, RegExp])[]
) {
  Deno.test(`importRuns() refuses ${what}, naming file, place and choice`, async () => {
    assert.match((await userErrorOf(imported(files, source, changes))).message, complaint);
  });
}

Deno.test("blanks around names count for nothing, and columns without a name are not read", async () => {
  const files = {
    "a.csv": "run,round,agent,vote,,\n1,1,Ann,yes,,\n1 ,2, Ann ,no,,\n ,,,,,\n".replace(" ,,,,,\n", "  \n"),
  };
  assert.deepEqual(meansOf(await imported(files, TABLE)), [[YES, NO]]);
  const talk = json([...turns("Ann yes"), { who: "Chair ", vote: "-" }, ...turns("Bob no", "Ann no", "Bob no")]);
  const { runs } = await imported({ "1.json": talk }, TURNS, {
    round: { by: "count", every: 2 },
    agents: { leaveOut: ["Chair"] },
  });
  assert.deepEqual(runs[0]!.means, [HALF, NO], "a moderator makes no round");
});

Deno.test("a run that broke off is excluded where the mapping says how to tell it, and listed", async () => {
  const runs = [
    { talk: turns("Ann yes") },
    { talk: turns("Ann no"), error: { message: "no credit" } },
    { talk: turns("Ann no"), error: null },
  ];
  const changes: Changes = {
    unit: "element",
    failed: "error",
    observations: { layout: "turns", list: "talk", agent: "who" },
  };
  const read = await imported({ "a.json": json(runs) }, TURNS, changes);
  assert.deepEqual(meansOf(read), [[YES], [NO]]);
  assert.deepEqual(read.excluded.map(({ id, cause }) => [id.slice(-9), cause]), [
    ["element 2", "broke off with an error (no credit)"],
  ]);
  assert.match(
    (await userErrorOf(imported({ "a.json": json([runs[1]]) }, TURNS, changes))).message,
    /a\.json: element 1: broke off with an error \(no credit\), as did all others \(1\); choice: failed$/,
  );
});

Deno.test("a flaw of an element or a line names its place once", async () => {
  const files = { "a.json": json([turns("Ann yes"), turns("Ann maybe")]) };
  assert.match(
    (await userErrorOf(imported(files, TURNS, { unit: "element" }))).message,
    /\/a\.json: element 2: round 1, agent Ann: "maybe"/,
  );
  const lines = { "a.jsonl": [turns("Ann yes"), turns("Ann maybe")].map(json).join("\n") };
  assert.match(
    (await userErrorOf(imported(lines, TURNS, { unit: "line" }))).message,
    /\/a\.jsonl: line 2: round 1, agent Ann: "maybe"/,
  );
});

Deno.test("a quote in a cell that begins without one is read as it is", async () => {
  const { agents } = await imported(rows('1,1,5" Ann,"yes"'), TABLE);
  assert.deepEqual(agents, ['5" Ann']);
});

Deno.test("the line of a row counts the line breaks in cells before it", async () => {
  const files = rows('1,1,"An\nn",yes', '1,2,"An\nn",maybe');
  assert.match((await userErrorOf(imported(files, TABLE))).message, /line 4: run 1: round 2/);
});

Deno.test("a copied file is refused, or left out and listed", async () => {
  const files = { "1.json": json(turns("Ann yes")), "2.json": json(turns("Ann yes")) };
  assert.match(
    (await userErrorOf(imported(files, TURNS))).message,
    /2\.json: has the same bytes as .*1\.json; choice: copies$/,
  );
  const { runs, excluded, copies } = await imported(files, TURNS, { copies: "exclude" });
  assert.deepEqual([runs.length, excluded.length, copies.length], [1, 1, 1]);
  assert.match(excluded[0]!.cause, /has the same bytes as .*1\.json/);
});

Deno.test("a mapping is an object, a file or a name; an unknown name is answered with the nearest", async () => {
  await withFiles({ "1.json": json(turns("Ann yes")), "map/m.json": json(TURNS) }, async (folder) => {
    assert.equal((await importRuns(`${folder}/1.json`, `${folder}/map/m.json`, { name: "mine" })).name, "mine");
    assert.match(
      (await userErrorOf(importRuns(folder, "plane"))).message,
      /unknown format "plane": did you mean plain/,
    );
    const misspelt = { ...TURNS, hodl: "last" } as RunSourceChoices;
    assert.match(
      (await userErrorOf(importRuns(folder, misspelt))).message,
      /^hodl: is no choice here: did you mean hold\?/,
    );
  });
});

Deno.test("the plain form is one of the mappings that come with the project", async () => {
  const state = (...pref: number[]) => ({ pref, conf: 70, tags: [] });
  const line = {
    run: 0,
    synthetic: true,
    decision: "A",
    rounds: [{ round: 1, states: { Chair: state(0.5, 0.5), Rights: state(1, 0) } }],
  };
  await withFiles({ "runs.jsonl": `${json(line)}\n` }, async (folder) => {
    const { agents, runs } = await importRuns(folder, "plain");
    assert.deepEqual([agents, runs[0]!.id, runs[0]!.decision, runs[0]!.means], [["Chair", "Rights"], "0", "A", [[
      0.75,
      0.25,
    ]]]);
  });
});

/** Three agents' whole game, the first by hand: round 1 is turn 1. */
Deno.test("the mapping of negotiations reads a game by hand", async () => {
  const say = (agent: string, public_answer: string) => ({ agent, public_answer });
  const game = Array.from(
    { length: 25 },
    (_, t) => say(t % 2 ? "B" : "A", t === 3 ? "hm" : "<DEAL>A1,B1,C1,D1,E1</DEAL>"),
  );
  game[1] = say("B", "<deal>A2,B2,C2,D2,E: 2<deal>");
  await withFiles(
    { "history001.json": json({ rounds: game }), "history002.json": json({ rounds: game.slice(0, 9) }) },
    async (folder) => {
      const { runs, excluded, unread, options } = await importRuns(folder, "negotiations");
      assert.deepEqual([runs.length, unread, excluded.map(({ cause }) => cause)], [1, 1, ["ends at round 8 of 24"]]);
      const share = (deal: number) => options.map((option) => option.endsWith(`: ${deal}`) ? 0.1 : 0);
      const both = share(1).map((p, k) => p + share(2)[k]!);
      assert.deepEqual(
        runs[0]!.means.slice(0, 4),
        [both, both, both, both],
        "the party that was not understood keeps its deal",
      );
      assert.deepEqual(runs[0]!.means[4], share(1).map((p) => 2 * p));
    },
  );
});

const GROUPS = new URL("../../../../shared/groups/", import.meta.url);
const hasGroups = await Deno.stat(GROUPS).then(() => true, () => false);

/** Counts and D of another parser, in Python, of the rules in the README of these records. */
for (
  const [path, source, runs, unread, carried, D, from, to, lambda] of [
    [
      "naming/llama3_F_J_5mem_24ps.jsonl",
      "naming-games",
      40,
      0,
      6,
      [0.27377440857150537, 0.5695316811772646, 0.6840653743209615],
      3,
      20,
      0.0435,
    ],
    [
      "negotiation/all_coop_base_7player_gpt4__all_coop_7players",
      "negotiations-seven-parties",
      80,
      27,
      0,
      [0.20661610150303175, 0.1717369494461862, 0.20471948641359664],
      7,
      28,
      0.0081,
    ],
    [
      "negotiation/llama2_13b__llama13",
      "negotiations",
      28,
      170,
      0,
      [0.17223760258039494, 0.29650271492222763, 0.33197353443237543],
      7,
      24,
      0.0062,
    ],
    [
      "negotiation-reproduction/base__output__llama_2_13b__coop_multi_agent_row5",
      "negotiations-reproduced",
      6,
      55,
      0,
      [0.11151948040905237, 0.2462918914088986, 0.32212767771831047],
      7,
      24,
      0.0187,
    ],
  ] as const
) {
  const name = `importRuns() reads ${path} as another parser does${
    hasGroups ? "" : " (there is no ../shared/groups here)"
  }`;
  Deno.test({ name, ignore: !hasGroups }, async () => {
    const read = await importRuns(decodeURIComponent(new URL(path, GROUPS).pathname), source);
    assert.deepEqual([read.runs.length, read.unread, read.carried], [runs, unread, carried]);
    const distances = divergence(meansOf(read));
    [0, 9, distances.length - 1].forEach((t, i) => assert.ok(close(distances[t], D[i]!, 1e-9), `D(${t + 1})`));
    assert.equal(lyapunovSlope(distances, { from, to }).lambda!.toFixed(4), lambda.toFixed(4));
  });
}
