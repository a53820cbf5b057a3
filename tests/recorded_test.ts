import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { callsOf } from "@/deliberation/calls_of.ts";
import { deliberate } from "@/deliberation/deliberate.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { openRecording } from "@/lab/live/recording.ts";
import { replay } from "@/model/replay.ts";
import { recordedLedgers } from "@/lab/runs/recorded.ts";
import { outcome } from "./lab/tools/command.ts";

/** The committees of a real model in data/recorded: whole, as they were, and as their README's table says. */

const FOLDER = fileURLToPath(new URL("../data/recorded", import.meta.url));
const rows = recordedLedgers();
const ledgers = await Promise.all(rows.map(({ file }) => readLedger(`${FOLDER}/${file}`)));

Deno.test("recorded.json has a row for every packed ledger and no other, and says what the ledgers say", async () => {
  const files: string[] = [];
  for (const folder of ["fixed", "llamacpp", "load"]) {
    for await (const { name } of Deno.readDir(`${FOLDER}/${folder}`)) files.push(`${folder}/${name}`);
  }
  assert.deepEqual(rows.map(({ file }) => file), files.sort());
  ledgers.forEach(({ declaration, runs, torn, damaged }, i) => {
    const { hash, runs: count, date, decoding, model } = rows[i]!, { condition, target, synthetic, at } = declaration;
    assert.deepEqual([hash, count, synthetic], [declaration.hash, target, false]);
    assert.deepEqual([torn, damaged, runs.length], [undefined, [], count]);
    assert.ok(runs.every(({ closed }) => closed?.outcome === "complete"), "no run is missing");
    assert.equal(at.slice(0, 10), date);
    assert.equal(decoding === "greedy", condition.temperature === 0);
    assert.equal(model, "Qwen2.5-Coder-1.5B-Instruct");
    assert.ok(condition.seats.every(({ model }) => model.toLowerCase().includes("qwen2.5-coder-1.5b")));
  });
  assert.equal(new Set(rows.map(({ hash }) => hash)).size, 11);
});

Deno.test("data/recorded holds 196 runs and 20,296 replies, every turn and ballot read, in at most 1.6 MB", async () => {
  const events = ledgers.flatMap(({ runs }) => runs.flatMap(({ events }) => events));
  const replies = events.flatMap((event) => "seat" in event ? [event] : []);
  assert.deepEqual([ledgers.flatMap(({ runs }) => runs).length, replies.length], [196, 20_140 + 156]);
  assert.ok(replies.every(({ reply }) => reply && !reply.synthetic));
  // Most of the clerk's counts do not add up; they decide nothing.
  assert.ok(replies.every(({ kind, reading }) => kind === "clerk.answered" || reading.kind === "read"));
  assert.ok(await sizeOf(FOLDER) <= 1.6e6);
});

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    size += isDirectory ? await sizeOf(path) : (await Deno.stat(path)).size;
  }
  return size;
}

ledgers.forEach(({ declaration: { condition, seed }, runs }, i) => {
  const { file } = rows[i]!;
  Deno.test(`a run of ${file} is replayed to the same events`, async () => {
    const { replicate, events } = runs[i % runs.length]!;
    // The small ledger through the door that people use; the others call by call, without the prompts of all runs.
    const small = file.startsWith("llamacpp/");
    const chat = small ? (await openRecording(`${FOLDER}/${file}`)).chat : replay([...callsOf(condition, events)]);
    assert.deepEqual(await Array.fromAsync(deliberate(condition, { chat, replicate, seed })), events);
  });
});

const HL = "HL-01__T0.", IM = "IM-01__T0.", STRUCTURED = "__k3__structured.jsonl.gz";
const [ROLES, NONE, ABLATED] = ["__N5__rolesTrue", "__N5__rolesFalse", "__N5__rolesTrue__ablate-Chair"];

/**
 * The facts of the README beside the data, computed by a script of NumPy alone. `agreed` with ties apart, `all` with a tie
 * counted for its lowest letter; `still`: all runs are equal.
 */
const still = { D: [0, 0, 0], transcripts: 1 };
const FACTS: Readonly<Record<string, Facts>> = {
  [`fixed/${HL}0${ROLES}`]: { ...still, runs: 10, texts: 1, ballots: [50, 0, 0], agreed: [50, 50], all: 50 },
  [`load/${HL}0${ROLES}`]: { ...still, runs: 20, texts: 1, ballots: [100, 0, 0], agreed: [100, 100], all: 100 },
  [`load/${HL}0${NONE}`]: { ...still, runs: 20, texts: 8, ballots: [100, 0, 0], agreed: [100, 100], all: 100 },
  [`load/${HL}0${ABLATED}`]: { ...still, runs: 20, texts: 1, ballots: [100, 0, 0], agreed: [100, 100], all: 100 },
  [`load/${IM}0${ROLES}`]: { ...still, runs: 20, texts: 5, ballots: [0, 0, 100], agreed: [0, 100], all: 0 },
  [`load/${IM}0${NONE}`]: { ...still, runs: 20, texts: 2, ballots: [0, 80, 20], agreed: [0, 100], all: 0 },
  [`load/${HL}7${ROLES}`]: {
    ...{ runs: 20, transcripts: 20, texts: 97, D: [.307, .443, .348], slope: [-.0000, -.0256, .0256], ratio: 1.56 },
    ...{ ballots: [37, 36, 27], agreed: [43, 92], all: 44, chance: 33 },
  },
  [`load/${HL}7${NONE}`]: {
    ...{ runs: 20, transcripts: 20, texts: 91, D: [.292, .360, .376], slope: [.0067, -.0153, .0287], ratio: 1.71 },
    ...{ ballots: [23, 38, 39], agreed: [26, 99], all: 26, chance: 26 },
  },
  [`load/${IM}7${ROLES}`]: {
    ...{ runs: 20, transcripts: 20, texts: 90, D: [.240, .397, .326], slope: [.0390, .0132, .0648], ratio: 1.47 },
    ...{ ballots: [39, 32, 29], agreed: [32, 93], all: 34, chance: 35 },
  },
  [`load/${IM}7${NONE}`]: {
    ...{ runs: 20, transcripts: 20, texts: 98, D: [.302, .303, .443], slope: [.0109, -.0206, .0423], ratio: 1.68 },
    ...{ ballots: [20, 18, 62], agreed: [29, 99], all: 29, chance: 28 },
  },
};

interface Facts {
  readonly runs: number;
  readonly transcripts: number;
  /** Distinct texts among the turns of run 0. */
  readonly texts: number;
  /** D(1), D(10), D(20). */
  readonly D: readonly number[];
  /** λ̂ and its 95 % interval. */
  readonly slope?: readonly number[];
  readonly ratio?: number;
  readonly ballots: readonly number[];
  readonly agreed: readonly [equal: number, of: number];
  readonly all: number;
  readonly chance?: number;
}

const measured = await measureAll();

async function measureAll() {
  const paths = rows.map(({ file }) => `${FOLDER}/${file}`);
  const { code, stdout, stderr } = await outcome("measure", ["--json", ...paths]);
  assert.equal(code, 0, stderr);
  const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  return new Map(lines.map((line, i) => [rows[i]!.file, line]));
}

/** That a number is the printed one, to its digits. */
const printed = (value: number, expected: number, digits: number) =>
  assert.ok(Math.abs(value - expected) <= 0.5 * 10 ** -digits + 1e-9, `${value} is not ${expected}`);

for (const [name, expected] of Object.entries(FACTS)) {
  Deno.test(`measure finds in ${name} what its README says`, () => {
    const found = measured.get(name + STRUCTURED), { ballotAgreement: ballots, echo, equalPairs } = found;
    assert.deepEqual([found.synthetic, found.replicates, found.rounds], [false, expected.runs, 20]);
    assert.deepEqual([equalPairs.distinct, echo.distinct[0], echo.of], [
      ...[expected.transcripts, expected.texts, 100 * expected.runs],
    ]);
    [1, 10, 20].forEach((round, i) => printed(found.D[round - 1], expected.D[i]!, 3));
    assert.deepEqual(ballots.ballots, expected.ballots);
    assert.deepEqual([ballots.equal, ballots.of], expected.agreed);
    assert.deepEqual([ballots.equal + ballots.tiedEqual, ballots.of + ballots.tied], [expected.all, 5 * expected.runs]);
    if (expected.chance !== undefined) printed(ballots.chance, expected.chance, 0);
    if (expected.slope === undefined) {
      assert.deepEqual([found.reason, found.convergence.reason, found.groups?.ratio], [
        ...["no-divergence", "no-divergence", undefined],
      ]);
      assert.ok(!("lambda" in found) && !("low" in found) && !("beta" in found.convergence));
      assert.deepEqual([equalPairs.first, equalPairs.whole, equalPairs.through], [1, 1, Array(20).fill(1)]);
      return;
    }
    [found.lambda, found.low, found.high].forEach((value, i) => printed(value, expected.slope![i]!, 4));
    assert.ok(Math.abs(found.groups.ratio - expected.ratio!) <= 0.03, `${found.groups.ratio}`);
    assert.deepEqual([equalPairs.first, equalPairs.whole], [0, 0]);
  });
}

Deno.test("only in IM-01 with mandates does the slope of T = 0.7 stand apart from zero", () => {
  const { p, shuffled, groups } = measured.get(`load/${IM}7${ROLES}${STRUCTURED}`);
  printed(p, .006, 3);
  assert.ok(shuffled.p < .001 && groups.p < .01);
  for (const name of [`${HL}7${ROLES}`, `${HL}7${NONE}`, `${IM}7${NONE}`]) {
    assert.ok(measured.get(`load/${name}${STRUCTURED}`).p > .2);
  }
});

Deno.test("on llama.cpp every turn of a run states one preference: three in six runs, two decisions, one distance", () => {
  const file = "llamacpp/HL-01__T0.0__N5__rolesTrue__k2__R4.jsonl.gz";
  const { runs } = ledgers[rows.findIndex((row) => row.file === file)]!;
  const stated = runs.toSorted((a, b) => a.replicate - b.replicate).map(({ events }) => {
    const read = (
      kind: string,
    ) => [...new Set(events.flatMap((event) => event.kind === kind && "reading" in event ? [wordsOf(event)] : []))];
    return [read("turn.answered"), read("ballot.answered")];
  });
  const half = [["0.5 0.5 0"], ["A"]];
  assert.deepEqual(stated, [[["0.45 0.45 0.1"], ["B"]], half, half, [["0.35 0.25 0.4"], ["A"]], half, half]);
  const { D, reason, groups, echo, ballotAgreement: { of, tied, ballots } } = measured.get(file);
  assert.equal(D.length, 4);
  for (const d of D) printed(d, .1896, 4);
  assert.equal(reason, "too-few-rounds");
  printed(groups.p, .005, 3);
  assert.ok(Math.abs(groups.ratio - 1.95) <= 0.03);
  assert.deepEqual([Math.min(...echo.distinct), Math.max(...echo.distinct), echo.of], [5, 9, 120]);
  // All but run 3 end in a tie.
  assert.deepEqual([of, tied, ballots], [5, 25, [25, 5, 0]]);
});

/** What a turn or ballot stated. */
function wordsOf({ reading }: { readonly reading: object }): string {
  const { preferences, decision } = ("value" in reading ? reading.value : {}) as {
    preferences?: readonly number[];
    decision?: string;
  };
  return preferences?.join(" ") ?? decision ?? "nothing";
}
