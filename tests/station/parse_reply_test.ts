import fc from "fast-check";
import assert from "node:assert/strict";
import { type ActionName, ACTIONS, COUNCIL, replyFields, StationReply } from "@/schema/station_ids.ts";
import { parseProposal } from "@/station/parse_proposal.ts";
import { booleanWord, findAction, findField, parseReply } from "@/station/parse_reply.ts";
import { assertLinear } from "../linear_time.ts";

const PLAN = {
  seats: { outer_ring: 45, crew: 28, sponsor_deck: 16, medical: 11 },
  power: { life_support: 40, docking: 25, outer_ring: 15, sponsor_deck: 12, comms: 8 },
};

/** What each action needs beside its name. */
const NEEDS: Readonly<Partial<Record<ActionName, Record<string, unknown>>>> = {
  propose: { proposal: PLAN },
  endorse: { target: "P1" },
  oppose: { target: "P2" },
  vote: { target: "P1", support: false },
  form_coalition: { target: "F1_OUTER" },
  bribe: { target: "F2_SPONSOR" },
  fork_proposal: { target: "P1", proposal: PLAN },
};

const replyOf = (action: ActionName) => ({ action, ...NEEDS[action] });

/** The reply as read, or the code of the issue. */
function reading(reply: unknown, normaliser = true) {
  const read = parseReply(typeof reply === "string" ? reply : JSON.stringify(reply), { normaliser });
  return read.ok ? read.value : read.issue.code;
}

function repairsOf(reply: unknown) {
  const read = reading(reply);
  return typeof read === "string" ? read : read.repairs;
}

Deno.test("StationReply has one schema for each of the 22 actions", () => {
  for (const action of ACTIONS) {
    const schemas = StationReply.options.filter(({ shape }) => shape.action.safeParse(action).success);
    assert.equal(schemas.length, 1, action);
  }
});

for (const action of ACTIONS) {
  Deno.test(`parseReply() reads ${action} as written, either way, and needs what that action needs`, () => {
    const { proposal, ...fields } = { proposal: undefined, ...replyOf(action) };
    const expected = {
      ...fields,
      statement: "We stand together.",
      ...(proposal !== undefined && { proposalText: JSON.stringify(PLAN) }),
      repairs: [],
    };
    for (const normaliser of [false, true]) {
      assert.deepEqual(reading({ ...replyOf(action), statement: "We stand together." }, normaliser), expected);
      assert.equal(typeof reading(replyOf(action), normaliser), "object", "a statement is never needed");
      for (const field of Object.keys(NEEDS[action] ?? {})) {
        const { [field]: _, ...rest } = replyOf(action) as Record<string, unknown>;
        assert.equal(reading(rest, normaliser), "missing_field", field);
      }
    }
  });
}

Deno.test("fault 17: a field that an action does not take is refused strictly and dropped by name otherwise", () => {
  const all = { target: "P1", support: true, proposal: PLAN, statement: "So." };
  for (const action of ACTIONS) {
    const spare = Object.keys(all).filter((field) => !replyFields(action).has(field));
    const reply = { action, ...all };
    assert.deepEqual(repairsOf(reply), spare.map((field) => `extra_key_dropped:${field}`).toSorted(order(reply)));
    assert.equal(reading(reply, false), spare.length > 0 ? "extra_key" : "never");
  }
});

/** Sorts repairs by where their field stands in the reply. */
const order = (reply: object) => (a: string, b: string) =>
  Object.keys(reply).indexOf(a.split(":")[1]!) - Object.keys(reply).indexOf(b.split(":")[1]!);

Deno.test("a fact check may name its rumour", () => {
  const read = reading({ action: "fact_check", target: "R2" }, false);
  assert.ok(typeof read === "object" && read.target === "R2");
});

const FORGIVEN: readonly [written: unknown, read: object, repairs: string[], strictly: string][] = [
  ['```json\n{"action": "poll"}\n```', { action: "poll" }, ["code_fence"], "not_json"],
  ['I ask.\n{"action": "poll"}', { action: "poll" }, ["surrounding_prose"], "not_json"],
  ["{'action': 'poll',}", { action: "poll" }, ["single_quotes", "trailing_comma"], "not_json"],
  ["{action: endorse, target: P1}", replyOf("endorse"), ["unquoted_key", "unquoted_text"], "not_json"],
  ["{“action”: “poll”}", { action: "poll" }, ["smart_quotes"], "not_json"],
  [{ Action: "poll" }, { action: "poll" }, ["key_case"], "missing_field"],
  [{ action_type: "poll" }, { action: "poll" }, ["key_synonym:action_type->action"], "missing_field"],
  [{ action: "Fact-Check" }, { action: "fact_check" }, ["action_case"], "unknown_action"],
  [{ action: "fact check" }, { action: "fact_check" }, ["action_case"], "unknown_action"],
  [{ action: "FORM_COALITION", target: "F1_OUTER" }, replyOf("form_coalition"), ["action_case"], "unknown_action"],
  [{ action: "support", target: "P1" }, replyOf("endorse"), ["action_synonym:support->endorse"], "unknown_action"],
  [
    { action: "endorse", proposal_id: "P1" },
    replyOf("endorse"),
    ["key_synonym:proposal_id->target"],
    "missing_field",
  ],
  [{ action: "speak", message: "So." }, { action: "speak", statement: "So." }, [
    "key_synonym:message->statement",
  ], "extra_key"],
  [{ action: "poll", mood: "grim" }, { action: "poll" }, ["extra_key_dropped:mood"], "extra_key"],
  [{ action: "poll", type: "act" }, { action: "poll" }, ["extra_key_dropped:type"], "extra_key"],
  [{ action: "poll", target: null, statement: null }, { action: "poll" }, [
    "null_dropped:target",
    "null_dropped:statement",
  ], "wrong_type"],
  [{ action: "poll", statement: 5 }, { action: "poll" }, ["statement_dropped"], "wrong_type"],
  [{ action: "vote", target: "P1", support: "No" }, replyOf("vote"), ["boolean_word"], "wrong_type"],
  ['{"action": "vote", "target": "P1", "support": False}', replyOf("vote"), ["python_literal"], "not_json"],
  [{ response: { action: "poll" } }, { action: "poll" }, ["nested_wrapper"], "missing_field"],
  ['{"__proto__": {"action": "bribe"}, "action": "poll"}', { action: "poll" }, [
    "extra_key_dropped:__proto__",
  ], "extra_key"],
  ['{"constructor": 1, "action": "poll"}', { action: "poll" }, ["extra_key_dropped:constructor"], "extra_key"],
];

Deno.test("fault 15: parseReply() reads near misses by name, and strictly not at all", () => {
  for (const [written, expected, repairs, strictly] of FORGIVEN) {
    const text = typeof written === "string" ? written : JSON.stringify(written);
    const read = reading(text);
    assert.ok(typeof read === "object", `${text}: ${read}`);
    assert.deepEqual({ ...read, repairs: [...new Set(read.repairs)] }, { ...expected, repairs }, text);
    assert.equal(reading(text, false), strictly, text);
  }
});

const REFUSED: Readonly<Record<string, readonly unknown[]>> = {
  empty: ["", "\n"],
  not_json: ["I endorse P1.", '{"action": "poll"', '"poll"', "[]", '{"action": "speak", "statement": "a\nb"}'],
  ambiguous: [
    '{"action": "poll"} {"action": "poll"}',
    'C2 wrote {"action": "endorse", "target": "P1"}. I say {"action": "observe"}',
    '{"action": "poll", "action": "leak"}',
    '{"action": "endorse", "target": "P1", "target": "P2"}',
  ],
  unknown_action: [{ action: "" }, { action: "evacuate" }, { action: "constructor" }, { action: "endorse P1" }],
  missing_field: [{}, { statement: "So." }, { action: "vote", support: true }, { action: "propose" }],
  wrong_type: [
    { action: 7 },
    { action: ["poll"] },
    { action: { poll: true } },
    { action: "endorse", target: 1 },
    { action: "endorse", target: "" },
    { action: "endorse", target: ["P1"] },
    { action: "vote", target: "P1", support: 1 },
    { action: "vote", target: "P1", support: "perhaps" },
  ],
  too_deep: [`{"action": "propose", "proposal": ${"[".repeat(64)}${"]".repeat(64)}}`],
  too_long: [`{"action": "poll"${" ".repeat(1_000_000)}}`],
};

for (const [code, replies] of Object.entries(REFUSED)) {
  Deno.test(`fault 17: parseReply() refuses as ${code}, either way`, () => {
    for (const reply of replies) {
      const shown = JSON.stringify(reply).slice(0, 120);
      for (const normaliser of [false, true]) assert.equal(reading(reply, normaliser), code, shown);
    }
  });
}

Deno.test("the normaliser refuses two fields that only resemble the one wanted", () => {
  assert.equal(reading({ Action: "poll", ACTION: "leak" }), "ambiguous");
  assert.equal(reading({ act: "poll", move: "leak" }), "ambiguous");
  assert.equal(reading({ action: "poll", Action: "leak" }), "ambiguous");
});

Deno.test("the normaliser refuses a reply that is mostly something else", () => {
  const chatter = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i]));
  assert.equal(reading({ action: "poll", ...chatter }), "too_many_keys");
});

Deno.test("a null where a field is needed is a missing field to the normaliser and a wrong type strictly", () => {
  for (const reply of [{ action: "endorse", target: null }, { action: "propose", proposal: null }]) {
    assert.equal(reading(reply), "missing_field");
    assert.equal(reading(reply, false), "wrong_type");
  }
});

Deno.test("a readable action with an unreadable plan stays an action, and the plan is handed on untouched", () => {
  const written = ['{"seats": "all of them"}', "[1, 2]", '"forty seats"', "5", "false", '{ "a":1,\n"a" : 2 }', "{}"];
  for (const text of written) {
    for (const normaliser of [false, true]) {
      const read = reading(`{"action": "propose", "proposal": ${text}, "statement": "So."}`, normaliser);
      assert.ok(typeof read === "object", text);
      assert.deepEqual(read, { action: "propose", statement: "So.", proposalText: text, repairs: [] });
      assert.ok(!parseProposal(text, { normaliser }).ok);
    }
  }
});

Deno.test("repairs inside the proposal are left to the reading of the proposal", () => {
  const plan = JSON.stringify(PLAN).replaceAll("}", ",}");
  const read = reading(`{'action': "propose", "proposal": ${plan}}`);
  assert.ok(typeof read === "object");
  assert.deepEqual(read.repairs, ["single_quotes"]);
  const proposal = parseProposal(read.proposalText!, { normaliser: true });
  assert.ok(proposal.ok);
  assert.deepEqual(proposal.value, { schema: "proposal/1", plan: PLAN, repairs: ["trailing_comma"] });
});

Deno.test("a proposal quoted as a string, or written beside the action, is found", () => {
  const single = JSON.stringify({ action: "propose", ...PLAN }).replaceAll('"', "'");
  const cases: [unknown, string[], string[]][] = [
    [single, ["single_quotes", "proposal_inline"], ["single_quotes", "extra_key_dropped:action"]],
    [{ action: "propose", proposal: JSON.stringify(PLAN) }, [], ["json_in_string"]],
    [{ action: "propose", ...PLAN }, ["proposal_inline"], ["extra_key_dropped:action"]],
  ];
  for (const [reply, replyRepairs, planRepairs] of cases) {
    const read = reading(reply);
    assert.ok(typeof read === "object");
    assert.deepEqual(read.repairs, replyRepairs);
    assert.equal(read.action, "propose");
    const proposal = parseProposal(read.proposalText!, { normaliser: true });
    assert.ok(proposal.ok);
    assert.deepEqual([proposal.value.plan, proposal.value.repairs], [PLAN, planRepairs]);
  }
});

Deno.test("a statement is cut at 600 characters, either way, by name and not through a character", () => {
  for (const normaliser of [false, true]) {
    const whole = reading({ action: "speak", statement: "x".repeat(600) }, normaliser);
    assert.deepEqual(whole, { action: "speak", statement: "x".repeat(600), repairs: [] });
    const cut = reading({ action: "speak", statement: "x".repeat(601) }, normaliser);
    assert.deepEqual(cut, { action: "speak", statement: "x".repeat(600), repairs: ["statement_cut"] });
    const pair = reading({ action: "speak", statement: `${"x".repeat(599)}😀` }, normaliser);
    assert.deepEqual(pair, { action: "speak", statement: "x".repeat(599), repairs: ["statement_cut"] });
  }
});

Deno.test("what is read strictly, the normaliser reads the same; statements with any characters survive", () => {
  const reply = fc.record({
    action: fc.constantFrom(...ACTIONS),
    target: fc.constantFrom("P1", "p 1", "R1", ...COUNCIL),
    support: fc.boolean(),
    proposal: fc.oneof(fc.constant(PLAN), fc.jsonValue()),
    statement: fc.string({ unit: "binary", maxLength: 600 }),
  }).map((all) => Object.fromEntries(Object.entries(all).filter(([field]) => replyFields(all.action).has(field))));
  let read = 0;
  fc.assert(
    fc.property(reply, (written) => {
      const strict = reading(written, false);
      if (typeof strict === "string") return;
      read++;
      assert.deepEqual(reading(written), strict);
      assert.equal(strict.statement, written.statement);
      if (strict.proposalText) assert.equal(strict.proposalText, JSON.stringify(written.proposal));
    }),
    { numRuns: 1000, seed: 5 },
  );
  assert.ok(read > 900, `only ${read} replies could be read`);
});

Deno.test("fault 20: parseReply() throws on no text, and what it reads is a StationReply", () => {
  const words = fc.constantFrom(
    "action",
    "Action",
    "target",
    "support",
    "proposal",
    "seats",
    "message",
    "__proto__",
    "x",
  );
  const value = fc.oneof(
    fc.constantFrom(...ACTIONS, "Support", "P1", "yes", null, 1, true),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const object = fc.dictionary(words, value, { maxKeys: 5 }).map((reply) => JSON.stringify(reply));
  fc.assert(
    fc.property(fc.oneof(object, fc.string({ unit: "binary" })), (text) => {
      for (const normaliser of [false, true]) {
        const read = reading(text, normaliser);
        if (typeof read === "string") continue;
        const { repairs: _, proposalText, ...fields } = read;
        assert.ok(
          StationReply.safeParse({ ...fields, ...(proposalText !== undefined && { proposal: proposalText }) }).success,
        );
      }
    }),
    { numRuns: 2000, seed: 20 },
  );
});

Deno.test("fault 19: a megabyte of reply takes linear time", () => {
  const pieces = ['"k":1,', '"for":1,', '"seats":1,', '"action":"propose",', '"Action":"poll",'];
  for (const opening of ["{", '{"action":"propose",']) {
    for (const piece of pieces) {
      assertLinear((fill) => `${opening}${fill(piece)}"a":1}`, (text) => reading(text));
    }
  }
});

Deno.test("every canonical action is its own name, and no other word hides one", () => {
  for (const action of ACTIONS) assert.deepEqual(findAction(action), { name: action, repairs: [], synonym: false });
  assert.equal(findAction("forkProposal")?.name, "fork_proposal");
  assert.equal(findAction("Spread Rumour")?.name, "spread_rumor");
  assert.equal(findField("publicStatement")?.name, "statement");
});

Deno.test("booleanWord() knows words for both sides and no others", () => {
  assert.deepEqual(["Yes", " for ", "true"].map(booleanWord), [true, true, true]);
  assert.deepEqual(["NO", "against", "false"].map(booleanWord), [false, false, false]);
  assert.deepEqual(["", "perhaps", "1", "constructor"].map(booleanWord), [undefined, undefined, undefined, undefined]);
});
