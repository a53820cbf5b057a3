import fc from "fast-check";
import assert from "node:assert/strict";
import { contentHash } from "@/core/json.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { parseLedger, readLedger } from "@/runs/read_ledger.ts";
import { LEDGER_SCHEMA, type LedgerEntry, type LedgerLine, UNSEALED_SCHEMA } from "@/schema/ledger_line.ts";
import { bytesOf, cutRun, declared, entry, flaggedRun, parse, refusal, resealed, textOf, wholeRun } from "./ledgers.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const events = (lines: readonly LedgerEntry[]) => lines.map(({ event }) => event);

Deno.test("readLedger() gives back what was written, attempts in order of opening", async () => {
  const lines = [declared(), ...flaggedRun(1, 1, "no_reply:timeout"), ...wholeRun(0), ...cutRun(1, 2, 3)];
  await withFiles({ "x.jsonl": textOf(lines) }, async (folder) => {
    const ledger = await readLedger(`${folder}/x.jsonl`);
    assert.equal(ledger.path, `${folder}/x.jsonl`);
    assert.deepEqual(ledger.declaration, declared());
    assert.equal(ledger.torn, undefined);
    assert.deepEqual(ledger.runs.map(({ measured: _, ...run }) => run), [
      {
        replicate: 1,
        attempt: 1,
        events: events(flaggedRun(1, 1, "no_reply:timeout")),
        closed: { kind: "run.closed", outcome: "flagged", cause: "no_reply:timeout" },
        unanswered: [],
      },
      {
        ...{ replicate: 0, attempt: 1, events: events(wholeRun(0)), unanswered: [] },
        closed: { kind: "run.closed", outcome: "complete" },
      },
      { replicate: 1, attempt: 2, events: events(cutRun(1, 2, 3)), unanswered: [] },
    ]);
  });
});

Deno.test("parseLedger() takes runs apart that were written at the same time", () => {
  const [a, b, c] = [wholeRun(0), flaggedRun(1, 1, "unreadable_state:missing"), cutRun(2, 1, 5)];
  fc.assert(fc.property(fc.infiniteStream(fc.nat(2)), (turns) => {
    const left = [[...a], [...b], [...c]];
    const mixed: LedgerEntry[] = [];
    for (const turn of turns) {
      const next = left[turn]!.shift();
      if (next) mixed.push(next);
      if (left.every((run) => run.length === 0)) break;
    }
    const { runs } = parse([declared(), ...mixed]);
    const byReplicate = runs.toSorted((x, y) => x.replicate - y.replicate).map((run) => run.events);
    assert.deepEqual(byReplicate, [events(a), events(b), events(c)]);
  }));
});

Deno.test("fault 26: a last line torn at any byte is reported and skipped, the lines before it count", () => {
  const before = bytesOf(textOf([declared(), ...wholeRun(0), ...cutRun(1)]));
  const torn = bytesOf(textOf(cutRun(1, 1, 2).slice(1)));
  const expected = parseLedger(before, "x.jsonl").runs;
  assert.ok(torn.some((byte) => byte > 127), "the line must hold characters of several bytes");
  for (let length = 1; length < torn.length - 1; length++) {
    const ledger = parseLedger(new Uint8Array([...before, ...torn.subarray(0, length)]), "x.jsonl");
    assert.deepEqual(ledger.torn, { line: 11, offset: before.length }, `torn after ${length} bytes`);
    if (length % 20 === 1) assert.deepEqual(ledger.runs, expected);
  }
});

Deno.test("fault 26: a torn only line leaves no ledger", () => {
  assert.match(refusal(textOf([declared()]).slice(0, 500)), /^x\.jsonl: no line declares a condition/);
});

Deno.test("parseLedger() counts a last line that lacks only its line end", () => {
  const text = textOf([declared(), ...wholeRun(0)]);
  assert.deepEqual(parseLedger(text.slice(0, -1), "x.jsonl"), parseLedger(text, "x.jsonl"));
});

Deno.test("parseLedger() reads what an editor saved with a byte order mark and CR LF", () => {
  const text = textOf([declared(), ...wholeRun(0)]);
  assert.deepEqual(parseLedger(`\ufeff${text.replaceAll("\n", "\r\n")}`, "x.jsonl"), parseLedger(text, "x.jsonl"));
});

Deno.test("fault 34: the latest declaration says how many runs are meant", () => {
  const ledger = parse([declared({ target: 1 }), ...wholeRun(0), declared({ target: 2 }), ...wholeRun(1)]);
  assert.equal(ledger.declaration.target, 2);
  assert.deepEqual(ledger.runs.map(({ replicate }) => replicate), [0, 1]);
});

const other = { ...declared().condition, temperature: 0.7 };

const bad: Record<string, readonly [lines: readonly (LedgerLine | string)[], message: RegExp]> = {
  "a broken line in the middle": [[declared(), '{"schema":', ...cutRun(0)], /line 2 is not JSON/],
  "an empty line in the middle": [[declared(), "", ...cutRun(0)], /line 2 is not JSON/],
  "a line that is null": [[declared(), "null"], /line 2 has schema none, this library reads "deliberation-ledger\/1"/],
  "a line that is a number": [[declared(), "7"], /line 2 has schema none/],
  "a line that is an array": [[declared(), "[1]"], /line 2 has schema none/],
  "fault 35: another schema version": [
    [declared(), JSON.stringify({ ...cutRun(0)[0], schema: "deliberation-ledger/3" })],
    /line 2 has schema "deliberation-ledger\/3", this library reads "deliberation-ledger\/1" and "deliberation-ledger\/2"/,
  ],
  "an unknown kind": [[declared(), JSON.stringify({ ...cutRun(0)[0], kind: "note" })], /line 2 is out of form: kind/],
  "a field out of form": [
    [declared(), JSON.stringify({ ...cutRun(0)[0], replicate: -1 })],
    /line 2 is out of form: replicate/,
  ],
  "fault 48: a __proto__ key": [
    [declared(), JSON.stringify(cutRun(0)[0]).replace("{", '{"__proto__":{"replicate":0},')],
    /line 2 is out of form: .*"__proto__"/,
  ],
  "fault 48: a __proto__ key in place of the fields": [
    [`{"__proto__":${JSON.stringify(declared())}}`],
    /line 1 has schema none/,
  ],
  "an event before the declaration": [[...cutRun(0), declared()], /line 1 belongs to a condition this ledger does not/],
  "an event of another condition": [
    [declared(), { ...cutRun(0)[0]!, hash: "0" }],
    /line 2 belongs to a condition this ledger does not declare/,
  ],
  "an event of a run never opened": [
    [declared(), ...cutRun(0, 1, 2).slice(1)],
    /line 2 goes on with replicate 0, attempt 1, which no line has opened/,
  ],
  "an event after closing": [
    [declared(), ...flaggedRun(0, 1, "x"), ...cutRun(0, 1, 2).slice(1)],
    /line 5 goes on with replicate 0, attempt 1, which is already closed: the run is duplicated/,
  ],
  "fault 33: a run recorded twice": [
    [declared(), ...wholeRun(0), ...wholeRun(1), ...wholeRun(0)],
    /line 18 opens replicate 0, attempt 1 a second time \(first on line 2\): the run is duplicated; remove one copy/,
  ],
  "fault 33: another attempt after a complete one": [
    [declared(), ...wholeRun(0), ...wholeRun(0, 2)],
    /line 10 opens replicate 0, attempt 2, though attempt 1 is complete/,
  ],
  "a replicate that is not planned": [[declared(), ...cutRun(3)], /line 2 is of replicate 3, the plan declares 0…2/],
  "a run opened under another seed": [
    [declared({ seed: 2 }), ...cutRun(0)],
    /line 2 opens a run of another condition, seed or replicate/,
  ],
  "another condition declared": [
    [declared(), declared({ condition: other, hash: contentHash(other) })],
    /line 2 declares another condition; one ledger holds one condition/,
  ],
  "another seed declared": [[declared(), declared({ seed: 2 })], /line 2 declares seed 2, the lines before it 1/],
  "fault 27: an edited condition": [
    [declared({ condition: other })],
    /line 1 declares a condition that is not the one its hash was taken of/,
  ],
  "fault 27: a seat that is not there": [
    [declared(), ...cutRun(0), entry(0, 1, { ...turn(), seat: 2 })],
    /line 3 is of seat 2, the condition has seats 0…1/,
  ],
  "fault 27: a round too many": [
    [declared(), ...cutRun(0), entry(0, 1, { ...turn(), round: 2 })],
    /line 3 is of round 2, the condition has 1$/,
  ],
  "fault 27: preferences for two of three options": [
    [
      declared(),
      ...cutRun(0),
      entry(0, 1, {
        ...turn(),
        reading: { kind: "read", value: { preferences: [0.5, 0.5], confidence: 1, tags: ["a", "b"] } },
      }),
    ],
    /line 3 has 2 preferences, the packet has 3 options/,
  ],
  "fault 27: a complete run with a line taken out": [
    [declared(), ...wholeRun(0).toSpliced(2, 1)],
    /line 8 says complete after 1 of 2 readable turns: a line of replicate 0, attempt 1 is missing or doubled/,
  ],
};

/** The first turn of a run. */
function turn() {
  const { event } = cutRun(0, 1, 2)[1]!;
  assert.ok(event.kind === "turn.answered");
  return event;
}

for (const [name, [lines, message]] of Object.entries(bad)) {
  Deno.test(`${name}: parseLedger() names its line`, () => {
    const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
    assert.match(refusal(text), message);
    assert.match(refusal(text), /^x\.jsonl: line \d+ /);
  });
}

Deno.test("parseLedger() names the line that is not UTF-8 instead of replacing its bytes", () => {
  const [first, second] = [bytesOf(textOf([declared(), ...cutRun(0)])), bytesOf(textOf(cutRun(0, 1, 2).slice(1)))];
  second[second.indexOf(0xc3)] = 0xff;
  assert.match(refusal(new Uint8Array([...first, ...second])), /^x\.jsonl: line 3 is not UTF-8 text; restore/);
});

Deno.test("an empty file is no ledger", () => {
  assert.match(refusal(""), /^x\.jsonl: no line declares a condition, so this is not a ledger or it is empty$/);
});

Deno.test("readLedger() names a file that cannot be read", async () => {
  await withFiles({}, async (folder) => {
    assert.match((await userErrorOf(readLedger(`${folder}/none.jsonl`))).message, /none\.jsonl: there is no such file/);
    assert.match((await userErrorOf(readLedger(folder))).message, /: cannot be read \(/);
  });
});

Deno.test("a condition read from a ledger hashes as it did before", async () => {
  const condition = await loadCondition({ scenario: "CL-04", ablate: "Chair", temperature: 1e-5, lineup: "mixed" });
  const hash = contentHash(condition);
  assert.equal(contentHash(parse([declared({ condition, hash })]).declaration.condition), hash);
});

Deno.test("parseLedger() takes what the same code wrote without looking at its form, and nothing else", () => {
  const made = { library: "0.0.0", deno: "2.0.0", code: "0123456789ab" };
  // No schema has this field; only who wrote it can know it.
  const odd = textOf([declared({ made }), ...wholeRun(0)]).replace('"again":false', '"again":false,"mood":"calm"');
  const text = resealed(odd.replaceAll(UNSEALED_SCHEMA, LEDGER_SCHEMA));
  const read = (content: string, code?: string) => parseLedger(content, "x.jsonl", { code });
  const trusted = read(text, made.code);
  assert.deepEqual([trusted.damaged, trusted.runs[0]!.closed?.outcome], [[], "complete"]);
  assert.equal((trusted.runs[0]!.events[1] as unknown as { mood: string }).mood, "calm");
  for (const code of [undefined, "ba9876543210"]) {
    const [{ line, why }] = read(text, code).damaged as [{ line: number; why: string }];
    assert.equal(line, 3);
    assert.match(why, /^is out of form: .*mood/);
  }
  // The seal is looked at all the same, and so is the plan.
  const [{ line, why }] = read(text.replace('"calm"', '"glum"'), made.code).damaged as [{ line: number; why: string }];
  assert.equal(line, 3);
  assert.match(why, /^was changed since it was written/);
  const astray = resealed(text.replace('"seat":1', '"seat":2'));
  assert.match(read(astray, made.code).damaged[0]!.why, /is of seat 2, the condition has seats 0…1/);
});
