import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { close } from "../stats/ensembles.ts";
import { conditionFacts } from "../bench/fit/committees.ts";
import { type ImportConditionOptions, importConditionRuns } from "@/runs/import_condition_runs.ts";
import { measureRuns } from "@/runs/measure_runs.ts";
import { RunMapping } from "@/record/run_mapping.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const FIXTURE = fileURLToPath(new URL("fixtures/HL-01__T0.0__N5__rolesTrue.jsonl", import.meta.url));
/** Two agents and two rounds: small enough to write by hand. */
const SMALL = "HL-01__T0.0__N2__rolesTrue__R2";

type Line = Readonly<Record<string, unknown>>;
const chair = (...pref: number[]) => ({ role: "Chair", pref });
const rights = (...pref: number[]) => ({ role: "Rights", pref });
/** A run whose Chair leans to A by `lean`, in the form with a list of states. */
const line = (run: unknown, lean: number, more: Line = {}): Line => ({
  run,
  rounds: [
    { round: 1, states: [chair(0.5, 0.3, 0.2), rights(0.2, 0.2, 0.6)] },
    { round: 2, states: [chair(lean, 1 - lean, 0), rights(0.2, 0.2, 0.6)] },
  ],
  ...more,
});
const text = (lines: readonly unknown[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join("");

/** What is read from a file of these lines. */
async function read(content: string | readonly unknown[], options: ImportConditionOptions = {}, name = SMALL) {
  let imported: Awaited<ReturnType<typeof importConditionRuns>> | undefined;
  await withFiles({ [`${name}.jsonl`]: typeof content === "string" ? content : text(content) }, async (folder) => {
    imported = await importConditionRuns(`${folder}/${name}.jsonl`, options);
  });
  return imported!;
}

/** The message with which it is refused. */
const refusal = async (content: string | readonly unknown[], options?: ImportConditionOptions, name?: string) =>
  (await userErrorOf(read(content, options, name))).message;

Deno.test("importConditionRuns() reads a file in the paper's shape, to the numbers of another programme", async () => {
  const { name, condition, runs, excluded, synthetic } = await importConditionRuns(FIXTURE);
  assert.equal(name, "HL-01__T0.0__N5__rolesTrue");
  assert.deepEqual([condition.scenario, condition.roles, condition.rounds], ["HL-01", true, 20]);
  assert.deepEqual([runs.length, excluded, synthetic], [4, [], true]);
  assert.deepEqual(runs.map(({ decision }) => decision), ["B", "A", "A", "A"]);
  assert.deepEqual(runs[0]!.agents, ["Chair", "Welfare", "Rights", "Equity", "Security"]);
  // The means, distances, least squares, majorities and switches of this file, worked out in Python.
  const { lambda, D } = measureRuns(runs.map(({ means }) => means), { resamples: 10, permutations: 10 });
  assert.ok(close(lambda, 0.04066380797111737, 1e-12));
  assert.ok(close(D![0], 0.014610349562051657) && close(D![19], 0.06601316209801648));
  const facts = conditionFacts(runs.map((run) => ({ preferences: run.preferences!, decision: run.decision, ...run })));
  assert.equal(facts.flip, 0.25);
  assert.equal(facts.majority, (1 + 19) / 2, "of 1, 1, 19 and never");
  assert.deepEqual(facts.switches, [7 / 4, 0, 1 / 4, 0, 0]);
});

const BY_ROLE = { Chair: { pref: [0.5, 0.3, 0.2] }, Rights: { pref: [0.2, 0.2, 0.6] } };
const OPTIONS = { A: 0.2, B: 0.2, C: 0.6 };
const FORMS: Readonly<Record<string, readonly unknown[]>> = {
  "states by role": [{ states: BY_ROLE }, { states: BY_ROLE }],
  "rounds that are states by role": [BY_ROLE, BY_ROLE],
  "a list of named states": [{ states: [chair(0.5, 0.3, 0.2), rights(0.2, 0.2, 0.6)] }].flatMap((one) => [one, one]),
  "agents in another order": [
    { agents: [rights(0.2, 0.2, 0.6), chair(0.5, 0.3, 0.2)] },
    { states: { Rights: { pref: OPTIONS }, Chair: { pref: [0.5, 0.3, 0.2] } } },
  ],
  "agents by options alone": [[[0.5, 0.3, 0.2], [0.2, 0.2, 0.6]], [[0.5, 0.3, 0.2], [0.2, 0.2, 0.6]]],
  "the paper's symbols": [1, 2].map((t) => ({
    t,
    states: { Chair: { p_A: 0.5, p_B: 0.3, p_C: 0.2, conf: 60 }, Rights: { p_A: 0.2, p_B: 0.2, p_C: 0.6, conf: 10 } },
  })),
  "rounds counted from 0": [0, 1].map((round) => ({ round, states: BY_ROLE })),
};

for (const [form, rounds] of Object.entries(FORMS)) {
  Deno.test(`importConditionRuns() reads ${form}`, async () => {
    const { runs: [run] } = await read([{ run: "a", rounds }]);
    assert.deepEqual(run!.preferences, Array(2).fill([[0.5, 0.3, 0.2], [0.2, 0.2, 0.6]]));
    assert.deepEqual(run!.means.map((state) => state.map((share) => Number(share.toFixed(12)))), [
      [0.35, 0.25, 0.4],
      [0.35, 0.25, 0.4],
    ]);
    assert.deepEqual([run!.id, run!.line], ["a", 1]);
  });
}

Deno.test("importConditionRuns() reads committee means alone: there are then no agents", async () => {
  const { runs: [run], synthetic } = await read([{ trajectory: [[0.5, 0.5, 0], [1, 0, 0]] }]);
  assert.deepEqual(run, { id: "line 1", line: 1, means: [[0.5, 0.5, 0], [1, 0, 0]] });
  assert.equal(synthetic, undefined);
});

Deno.test("importConditionRuns() finds fields where a mapping says", async () => {
  const lines = [1, 2].map((n) => ({
    meta: { uid: `r${n}`, sim: false },
    log: [0, 1].map(() => ({
      votes: [{ by: "Rights", out: [0, [0.1 * n, 1 - 0.1 * n]] }, { by: "Chair", out: [9, [0, 1]] }],
    })),
    final: { ballot: "B" },
  }));
  const mapping = {
    ...{ schema: "run-mapping/1", run: "meta.uid", rounds: ["rounds", "log"], states: "votes", agent: "by" },
    ...{ preferences: "out.1", decision: "final.ballot", synthetic: "meta.sim" },
  };
  const { runs, synthetic } = await read(lines, { mapping: RunMapping.parse(mapping) });
  assert.deepEqual(runs.map(({ id }) => id), ["r1", "r2"]);
  assert.deepEqual(runs[1]!.preferences![0], [[0, 1], [0.2, 0.8]]);
  assert.deepEqual([runs[0]!.decision, synthetic], ["B", false]);
  await withFiles({ [`${SMALL}.jsonl`]: text(lines), "m.json": JSON.stringify(mapping) }, async (folder) => {
    const [from, own] = [`${folder}/${SMALL}.jsonl`, { mapping: `${folder}/m.json` }];
    assert.deepEqual((await importConditionRuns(from, own)).runs, runs);
    await Deno.writeTextFile(own.mapping, JSON.stringify({ ...mapping, prefs: "out" }));
    assert.match(
      (await userErrorOf(importConditionRuns(from, own))).message,
      /m\.json:1:\d+: prefs: is not a known key/,
    );
    await Deno.writeTextFile(own.mapping, JSON.stringify({ ...mapping, states: "a..b" }));
    assert.match((await userErrorOf(importConditionRuns(from, own))).message, /states/);
  });
});

Deno.test("importConditionRuns() takes numbers as written: shares that sum to 0.99 are not rescaled", async () => {
  const { runs } = await read([{ trajectory: [[0.33, 0.33, 0.33], [0.5, 0.505, 0]] }]);
  assert.deepEqual(runs[0]!.means, [[0.33, 0.33, 0.33], [0.5, 0.505, 0]]);
});

/** Two runs; the Chair of the second has `pref` in its last round. */
const spoilt = (pref: unknown) => [
  line("a", 0.9),
  { run: "b", rounds: [{ states: BY_ROLE }, { states: { Chair: { pref }, Rights: { pref: [0.2, 0.2, 0.6] } } }] },
];

const BAD: Readonly<Record<string, readonly [content: string | readonly unknown[], message: RegExp]>> = {
  "another number of options in a state": [
    spoilt([0.5, 0.5]),
    /line 2 round 2, agent Chair: has 2 options where 3 are expected \(malformed\)$/,
  ],
  "another number of options in a run": [
    [line("a", 0.9), { run: "b", rounds: [0, 1].map(() => [[0.5, 0.5], [1, 0]]) }],
    /line 2 has 2 options, line 1 has 3 \(malformed\)$/,
  ],
  "a null share": [spoilt([null, 0.5, 0.5]), /line 2 round 2, agent Chair: option A is null \(incomplete\)$/],
  "a share that is text": [
    spoilt([0.5, "0.5", 0]),
    /line 2 round 2, agent Chair: option B is "0\.5": must be a number from 0/,
  ],
  "a share below 0": [
    spoilt([-0.1, 0.6, 0.5]),
    /line 2 round 2, agent Chair: option A is -0\.1: must be a number from 0 to 1/,
  ],
  "shares that do not sum to 1": [
    spoilt([0.5, 0.5, 0.02]),
    /line 2 round 2, agent Chair: has shares that sum to 1\.02, more/,
  ],
  "no preferences": [spoilt(null), /line 2 round 2, agent Chair: has no preferences \(incomplete\)$/],
  "letters with a gap": [
    spoilt({ A: 0.5, B: 0.5, D: 0 }),
    /line 2 round 2, agent Chair: has no list of shares, nor shares named A/,
  ],
  "Python's NaN": [
    text(spoilt([0.123, 0.5, 0.5])).replace("0.123", "NaN"),
    /line 2 round 2, agent Chair: option A is NaN \(incomplete\)$/,
  ],
  "a run that broke off": [
    [line("a", 0.9), { run: "b", rounds: [{ states: BY_ROLE }] }],
    /line 2 ends at round 1 of 2 \(incomplete\)$/,
  ],
  "a round too many": [
    [{ run: "b", rounds: [1, 2, 3].map(() => ({ states: BY_ROLE })) }],
    /line 1 has 3 rounds, the file's name says 2 \(malformed\)$/,
  ],
  "a round left out": [
    [{ run: "b", rounds: [1, 3].map((round) => ({ round, states: BY_ROLE })) }],
    /line 1 lacks round 2 \(incomplete\)$/,
  ],
  "a round twice": [
    [{ run: "b", rounds: [1, 1].map((round) => ({ round, states: BY_ROLE })) }],
    /line 1 has round 1 where round 2 is expected \(malformed\)$/,
  ],
  "a first round left out": [
    [{ run: "b", rounds: [2, 3].map((round) => ({ round, states: BY_ROLE })) }],
    /line 1 lacks round 1 \(incomplete\)$/,
  ],
  "an agent left out": [
    [{ run: "b", rounds: [0, 1].map(() => ({ states: { Chair: chair(1, 0) } })) }],
    /line 1 has 1 agents of 2: Chair \(incomplete\)$/,
  ],
  "an agent too many": [
    [{ run: "b", rounds: [0, 1].map(() => ({ states: [chair(1, 0), rights(1, 0), rights(0, 1)] })) }],
    /line 1 round 1, agent Rights: has a second state \(malformed\)$/,
  ],
  "an agent twice": [
    [{ run: "b", rounds: [0, 1].map(() => ({ states: [chair(1, 0), chair(0, 1)] })) }],
    /line 1 round 1, agent Chair: has a second state \(malformed\)$/,
  ],
  "an unknown role": [
    [{ run: "b", rounds: [0, 1].map(() => ({ states: { Chair: chair(1, 0), Welfair: chair(1, 0) } })) }],
    /line 1 has the unknown role "Welfair": the nearest known are Welfare/,
  ],
  "agents that change within a run": [
    [{ run: "b", rounds: [BY_ROLE, { Chair: chair(0.5, 0.3, 0.2), Equity: chair(0.2, 0.2, 0.6) }] }],
    /line 1 round 2 has Equity beside Chair, Rights: 3 agents of 2 \(malformed\)$/,
  ],
  "agents that change between runs": [
    [line("a", 0.9), {
      run: "b",
      rounds: [0, 1].map(() => ({ states: { Chair: chair(0.5, 0.3, 0.2), Equity: chair(0.2, 0.2, 0.6) } })),
    }],
    /line 2 has Chair, Equity, line 1 has Chair, Rights \(malformed\)$/,
  ],
  "means among agents": [
    [line("a", 0.9), { trajectory: [[0.5, 0.5, 0], [1, 0, 0]] }],
    /line 2 has committee means alone, line 1 has Chair, Rights/,
  ],
  "means that are not the agents'": [
    [line("a", 0.9, { trajectory: [[0.35, 0.25, 0.4], [0.56, 0.14, 0.3]] })],
    /line 1 round 2, option A: the committee mean is written as 0\.56, its agents' mean is 0\.55 \(malformed\)$/,
  ],
  "one name twice": [
    [line("a", 0.9), line("a", 0.8)],
    /line 2 holds the run "a", which line 1 holds already \(duplicate\)$/,
  ],
  "a number and a text as one name": [[line(7, 0.9), line("7", 0.8)], /line 2 holds the run "7", which line 1 holds/],
  "the same states under two names": [
    [line("a", 0.9), line("b", 0.8), line("c", 0.9)],
    /line 3 has the states of line 1 throughout: the run may be there twice \(duplicate\)$/,
  ],
  "neither rounds nor means": [
    [{ id: 1, turns: [] }],
    /line 1 has neither rounds \(rounds, history\) nor committee means \(trajectory, means\); its fields are id, turns: say/,
  ],
  "a decision that is no text": [
    [line("a", 0.9, { decision: { final: "A" } })],
    /line 1 has the decision \{"final":"A"\}: must be a string/,
  ],
  "a line that is no object": [[[1, 2]], /line 1 is not an object \{ \}: each line must hold one run/],
  "one list over several lines": [
    "[\n{}\n]",
    /line 1 is not JSON; a list \[ \] of runs must be written one run a line/,
  ],
  "an empty line": [`${text([line("a", 0.9)])}\n${text([line("b", 0.8)])}`, /line 2 is empty \(malformed\)$/],
  "a torn line": [text([line("a", 0.9), line("b", 0.8)]).slice(0, -9), /line 2 is not JSON \(malformed\)$/],
  "nothing": ["", /holds no run$/],
};

for (const [what, [content, message]] of Object.entries(BAD)) {
  Deno.test(`importConditionRuns() refuses ${what}, naming file and line`, async () => {
    const said = await refusal(content);
    assert.match(said, message);
    assert.match(said, new RegExp(`/${SMALL}\\.jsonl: `));
  });
}

Deno.test("importConditionRuns() leaves flawed runs out only where that is asked for, and lists them", async () => {
  const content = text([
    line("a", 0.9),
    line("b", 0.8, { rounds: [] }),
    line("a", 0.7),
    { run: "c" },
    line("d", 0.6),
  ]);
  assert.match(await refusal(content), /line 2 .*\(incomplete\)$/);
  assert.match(await refusal(content, { exclude: ["incomplete"] }), /line 3 .*\(duplicate\)$/);
  assert.match(await refusal(content, { exclude: ["incomplete", "duplicate"] }), /line 4 .*\(malformed\)$/);
  const { runs, excluded } = await read(content, { exclude: ["incomplete", "duplicate", "malformed"] });
  assert.deepEqual(runs.map(({ id, line }) => [id, line]), [["a", 1], ["d", 5]]);
  assert.deepEqual(excluded.map(({ line, code }) => [line, code]), [[2, "incomplete"], [3, "duplicate"], [
    4,
    "malformed",
  ]]);
  assert.equal(excluded[0]!.cause, "ends at round 0 of 2");
  assert.match(
    await refusal([{ run: "b", rounds: [] }], { exclude: ["incomplete"] }),
    /holds no run but the 1 left out$/,
  );
});

Deno.test("importConditionRuns() keeps identical runs where told that they are runs of their own, but not one name twice", async () => {
  const frozen = [line("a", 0.9), line("b", 0.9)];
  assert.equal((await read(frozen, { keepIdentical: true })).runs.length, 2);
  assert.match(await refusal([line("a", 0.9), line("a", 0.9)], { keepIdentical: true }), /line 2 holds the run "a"/);
});

Deno.test("importConditionRuns() does not take a word in a text for a number that is none", async () => {
  const { runs } = await read([line('NaN, -Infinity \\" NaN', 0.9, { note: "NaN", decision: "NaN" })]);
  assert.deepEqual([runs[0]!.id, runs[0]!.decision], ['NaN, -Infinity \\" NaN', "NaN"]);
  const withNaN = text([line('Infinity "', 0.9, { loss: 0.125 })]).replace("0.125", "NaN");
  assert.equal((await read(withNaN)).runs[0]!.id, 'Infinity "');
});

Deno.test("importConditionRuns() reads lines that end in CR LF, a last one without its end, and letters cut by a chunk", async () => {
  const content = text([line("é", 0.9, { note: "ä".repeat(70_000) }), line("b", 0.8)]).replaceAll("\n", "\r\n")
    .trimEnd();
  assert.deepEqual((await read(content)).runs.map(({ id }) => id), ["é", "b"]);
});

Deno.test("importConditionRuns() says of a file that its name, its text or the file itself is not to be had", async () => {
  assert.match(
    await refusal([line("a", 0.9)], {}, "runs"),
    /runs\.jsonl: "runs" names no condition: .* must be named after/,
  );
  await withFiles({ [`${SMALL}.jsonl`]: new Uint8Array([0x7b, 0x0a, 0xff, 0xfe, 0x0a]) }, async (folder) => {
    const path = `${folder}/${SMALL}.jsonl`;
    const all = { exclude: ["malformed"] as const };
    assert.match((await userErrorOf(importConditionRuns(path, all))).message, /: line 2 is not UTF-8 text; /);
    assert.match(
      (await userErrorOf(importConditionRuns(`${path.slice(0, -6)}0.jsonl`))).message,
      /R20\.jsonl: there is no such file; /,
    );
  });
});
