import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { RunSource, type RunSourceChoices } from "@/record/run_source.ts";
import { type Reading, stateReader } from "@/record/source_states.ts";
import { assertLinear } from "../linear_time.ts";

const readerOf = (state: RunSourceChoices["state"]) =>
  stateReader(RunSource.parse({
    schema: "run-source/2",
    name: "any",
    unit: "file",
    observations: { layout: "turns", agent: "who" },
    state,
  }));
const flawed = (words: string, choice: string): Reading => ({ flaw: { words, choice: `state.${choice}` } });

Deno.test("a vote is one of the options, by other spellings too, and anything else is a flaw", () => {
  const { read, options } = readerOf({
    kind: "vote",
    at: "vote",
    options: ["Yes", "No"],
    anyCase: true,
    rename: { aye: "Yes", "1": "No" },
  });
  assert.deepEqual(options, ["Yes", "No"]);
  for (const [vote, k] of [["Yes", 0], [" yes ", 0], ["AYE", 0], ["No", 1], [1, 1]] as const) {
    assert.deepEqual(read({ vote }), { chosen: [k] });
  }
  assert.deepEqual(read({ vote: "Nope" }), flawed('"Nope" is none of the options; the nearest is No', "options"));
  assert.deepEqual(read({ vote: { a: 1 } }), flawed('{"a":1} is no text', "at"));
  assert.deepEqual(read({ vote: null }), flawed('there is nothing at "vote" among vote', "at"));
  assert.deepEqual(read({ vots: "Yes" }), flawed('there is nothing at "vote" among vots: did you mean vots?', "at"));
});

Deno.test("options that occur are learnt as they come", () => {
  const { read, options } = readerOf({ kind: "vote", options: "occurring" });
  assert.deepEqual([read("Q"), read("M"), read("Q")], [{ chosen: [0] }, { chosen: [1] }, { chosen: [0] }]);
  assert.deepEqual(options, ["Q", "M"]);
});

Deno.test("a word for a missing value is no option that occurs, but may be one of the mapping", () => {
  const occurring = readerOf({ kind: "vote", options: "occurring" }),
    named = readerOf({ kind: "vote", options: ["NA"] });
  for (const word of ["NA", "NaN", "nan", "None", "null", "-inf", "undefined"]) {
    assert.deepEqual(occurring.read(word), flawed(`"${word}" is how programs write that there is no value`, "options"));
  }
  assert.deepEqual([occurring.options, named.read("NA"), occurring.read("Nane")], [["Nane"], { chosen: [0] }, {
    chosen: [0],
  }]);
});

Deno.test("options that capitals alone tell apart are refused where capitals do not count", () => {
  assert.throws(
    () => readerOf({ kind: "vote", options: ["a", "A"], anyCase: true }),
    /some differ in capitals alone; choice: state\.anyCase/,
  );
});

Deno.test("the last match of a pattern is the vote", () => {
  const { read } = readerOf({ kind: "vote", options: ["A", "B"], pattern: "vote:? ([AB])" });
  assert.deepEqual(read("I would vote A, no: vote: B!"), { chosen: [1] });
  assert.deepEqual(read("I abstain"), flawed("the pattern finds nothing", "pattern"));
});

Deno.test("a number becomes shares of the ends of its range, and is never clipped", () => {
  const { read, options } = readerOf({ kind: "number", range: [0, 200] });
  assert.deepEqual([options, read(50), read("150")], [["0", "200"], { vector: [0.75, 0.25] }, {
    vector: [0.25, 0.75],
  }]);
  assert.deepEqual(read(250), { vector: [-0.25, 1.25], ...flawed("250 is not within 0 to 200", "range") });
  for (const [bad, written] of [["NaN", '"NaN"'], ["", '""'], ["Infinity", '"Infinity"'], [true, "true"]] as const) {
    assert.deepEqual(read(bad), flawed(`${written} is no number`, "at"));
  }
  assert.equal(read(1e300).vector, undefined, "its square is no number");
  const spoken = readerOf({ kind: "number", range: [0, 10], pattern: "(-?[0-9.]+) points" });
  assert.deepEqual(spoken.read("first 3 points, then 5 points"), { vector: [0.5, 0.5] });
});

Deno.test("shares are a list or by option, in percent too, and must sum to their total", () => {
  const list = readerOf({ kind: "shares", at: "p" });
  assert.deepEqual([list.read({ p: [0.5, 0.3, 0.2] }), list.options], [{ vector: [0.5, 0.3, 0.2] }, ["1", "2", "3"]]);
  assert.deepEqual(list.read({ p: [0.5, 0.5] }), flawed("2 shares, 3 options", "options"));
  const learnt = readerOf({ kind: "shares" });
  learnt.read({ A: 0.5, B: 0.5 });
  assert.deepEqual(learnt.read({ A: 0.5, B: 0.5, C: 0.01 }), flawed('"C" is no option of the first state', "options"));
  const named = readerOf({ kind: "shares", options: ["B", "A.b"], total: 100 });
  assert.deepEqual(named.read({ run: 1, "A.b": "40", B: "60" }), { vector: [0.6, 0.4] });
  assert.deepEqual(named.read({ "A.b": 40, B: 70 }), {
    vector: [0.7, 0.4],
    ...flawed("[70,40] are not shares that sum to 100", "total"),
  });
  assert.deepEqual(named.read({ "A.b": -10, B: 110 }).flaw?.choice, "state.total");
  assert.deepEqual(named.read({ B: 100 }), flawed("[100,null] are not all numbers", "options"));
  assert.deepEqual(named.read("60/40"), flawed('"60/40" is no list of shares, nor shares by option', "at"));
});

const DEAL: RunSourceChoices["state"] = {
  kind: "issues",
  issues: ["A", "B"],
  options: ["1", "2", "3"],
  patterns: [{ within: "<DEAL>(.*?)</?DEAL>", match: "([AB])\\s*:?\\s*([1-3])", anyCase: true }, {
    match: "([AB])([1-3])",
  }],
};
for (
  const [what, text, chosen] of [
    ["a deal", "<DEAL>A1,B2</DEAL>", [0, 4]],
    ["the last deal that has all issues", "<DEAL>A1,B2</DEAL> or <DEAL>A3,B3</DEAL> or <DEAL>A2</DEAL>", [2, 5]],
    ["a deal in small letters whose slash is missing", "<deal>a: 2, b :3<deal>", [1, 5]],
    ["the last mention of an issue in a deal", "<DEAL>A1,B2,A3</DEAL>", [2, 4]],
    ["a deal over two lines", "<DEAL>A1\nB2</DEAL>", [0, 4]],
    ["issues in the text where no deal has them all", "A1 and B2, but rather A2. <DEAL>B3</DEAL>", [1, 5]],
    ["nothing where an issue is missing", "I prefer A1.", undefined],
    ["nothing in small letters outside a deal", "I prefer a1 and b2.", undefined],
    ["nothing where an option is none of the issue's", "A1, B7", undefined],
  ] as const
) {
  Deno.test(`issues: ${what} is read`, () => {
    const read = readerOf(DEAL).read(text);
    assert.deepEqual(read, chosen ? { chosen } : flawed("not all of the issues A, B have an option", "patterns"));
  });
}

Deno.test("issues may be given as an object too", () => {
  const { read, options } = readerOf({ kind: "issues", issues: ["pay", "place"], options: ["low", "high"] });
  assert.deepEqual(options, ["pay: low", "pay: high", "place: low", "place: high"]);
  assert.deepEqual(read({ place: "low", pay: "high" }), { chosen: [1, 2] });
  assert.deepEqual(read({ pay: "high" }).flaw?.choice, "state.options");
});

Deno.test("a regular expression that explodes elsewhere takes linear time here", () => {
  const { read } = readerOf({ kind: "vote", options: ["x"], pattern: "(a+)+$|(.*.*.*=)" });
  assertLinear((fill) => `${fill("a")}!`, read, [24, 20_000]);
  assert.equal(read(`${"a".repeat(20_000)}!`).flaw?.choice, "state.pattern");
});

Deno.test("a pattern that takes long is a flaw of the mapping, also where it finds nothing", () => {
  const { read } = readerOf({ kind: "vote", options: ["b"], pattern: "[cd]$" });
  const { now } = performance;
  let clock = 0;
  // A clock by which every look takes two and a half seconds: how fast this machine is plays no part.
  performance.now = () => clock += 2500;
  try {
    assert.throws(() => read("abab"), /takes over 2 s for one text; choice: state\.pattern/);
  } finally {
    performance.now = now;
  }
  assert.doesNotThrow(() => read("abab"));
});

Deno.test("a text of more than 100,000 characters is a flaw", () => {
  const { read } = readerOf({ kind: "vote", options: "occurring", pattern: "[a-z]" });
  assert.deepEqual(read("a".repeat(100_001)), flawed("a text of 100001 characters, more than 100000", "at"));
});

for (
  const [pattern, complaint] of [["(", /no regular expression of RE2/], [
    "(?=a)",
    /look-around and back-references/,
  ]] as const
) {
  Deno.test(`the pattern ${pattern} is refused`, () => {
    assert.throws(
      () => readerOf({ kind: "vote", options: ["a"], pattern }),
      (error: Error) => error instanceof UserError && complaint.test(error.message),
    );
  });
}

Deno.test("a pattern of issues must have a group for the issue and one for its option", () => {
  assert.throws(
    () => readerOf({ kind: "issues", issues: ["A"], options: ["1"], patterns: [{ match: "(A)1" }] }),
    /state\.patterns\[0\]\.match: \(A\)1 must have 2 groups/,
  );
});
