import assert from "node:assert/strict";
import fc from "fast-check";
import { createRng } from "@/core/rng.ts";
import { ModelError } from "@/model/chat_model.ts";
import type { ScriptedReply } from "@/model/replay.ts";
import { StationEvent } from "@/schema/station_event.ts";
import { applyAction } from "@/station/apply_action.ts";
import { fallback, leastBad, readSlot, refusal, type SlotContext, standingPlan } from "@/station/fill_slot.ts";
import {
  type ActionTaken,
  council,
  filing,
  fillCommand,
  PLAN,
  proposal,
  RULESETS,
  rumor,
  say,
  station,
  taken,
  V1,
  V2,
} from "./fixtures.ts";
import { ACTIONS, COUNCIL } from "@/schema/station_ids.ts";
import { planFlaw } from "@/station/executability.ts";

const room = station({ round: 1, proposals: [proposal({ id: "P1", by: "C3_ENGINEER" })] });
const DIALECT = { ...PLAN, seats: { ...PLAN.seats, crew: "27 seats" } };
const { crew: _, ...threeGroups } = PLAN.seats;
const CUT = { ...PLAN, seats: threeGroups };
const strict = say("propose", { proposal: PLAN });
const dialect = say("propose", { proposal: DIALECT });
const cut = say("propose", { proposal: CUT });
const fenced = `\`\`\`json\n${strict}\n\`\`\``;

/** A slot of C1_COMMAND with these replies in turn. */
async function fill(replies: ScriptedReply[], change: Partial<SlotContext> = {}, state = room) {
  let asked = 0;
  const { chat, requests } = council(() => replies[asked++] ?? assert.fail("one call too many"));
  const event = await fillCommand(state, chat, change);
  assert.deepEqual(StationEvent.parse(event), event);
  assert.equal(asked, replies.length, "every reply was asked for");
  return { event, requests };
}

Deno.test("a reply that can be used is the slot, in one call", async () => {
  const { event, requests } = await fill([say("endorse", { target: "P1", statement: "Aye." })], { calls: 7 });
  assert.deepEqual(event, {
    kind: "action.taken",
    round: 1,
    role: "C1_COMMAND",
    origin: { kind: "model", calls: [7] },
    reading: { rawValid: true, normalisedValid: true, repairs: [] },
    action: "endorse",
    target: "P1",
    statement: "Aye.",
  });
  const { model, temperature, maxTokens } = requests[0]!;
  assert.deepEqual({ model, temperature, maxTokens }, { model: "m", temperature: 0, maxTokens: 100 });
});

Deno.test("each vote is recorded for or against, as it was given", async () => {
  for (const support of [true, false]) {
    const { event } = await fill([say("vote", { target: "P1", support })]);
    assert.equal(event.support, support);
    assert.equal(applyAction(room, event).proposals[0]!.votes.C1_COMMAND, support ? 4 : -4);
  }
});

/** How four replies are read: rawValid and normalisedValid of the reply, then of the plan, then the code by each parser. */
const READINGS: [text: string, reply: [boolean, boolean], plan: [boolean, boolean], off?: string, on?: string][] = [
  [strict, [true, true], [true, true]],
  [dialect, [true, true], [false, true], "needs_repair"],
  [cut, [true, true], [false, false], "missing_quantity", "missing_quantity"],
  [fenced, [false, true], [false, true], "not_json"],
];

for (const ruleset of RULESETS) {
  const name = `schema ${ruleset.schemaShown ? "shown" : "hidden"}, normaliser ${ruleset.normaliser ? "on" : "off"}`;

  Deno.test(`${name}: validity is recorded both ways, and the ruleset's parser is gone by`, () => {
    for (const [text, reply, plan, off, on] of READINGS) {
      const code = ruleset.normaliser ? on : off;
      const read = readSlot({ text }, ruleset);
      assert.deepEqual([read.reading.rawValid, read.reading.normalisedValid], reply);
      assert.equal(read.code, code);
      if (read.filing === undefined) {
        assert.ok(!ruleset.normaliser && text === fenced);
        assert.deepEqual(read.reading.repairs, []);
        continue;
      }
      assert.deepEqual([read.filing.reading.rawValid, read.filing.reading.normalisedValid], plan);
      assert.equal(read.filing.reading.code, code);
      assert.deepEqual(read.filing.plan, code === undefined ? PLAN : undefined);
      assert.deepEqual(read.filing.reading.repairs, code === undefined && text === dialect ? ["number_with_unit"] : []);
    }
    assert.deepEqual(readSlot({ text: fenced }, V2).reading.repairs, ["code_fence"]);
  });

  Deno.test(`${name}: the repair request repeats the schema only where it was shown`, async () => {
    const { requests } = await fill(["no", say("observe")], { ruleset });
    const words = requests[1]!.messages.at(-1)!.content;
    assert.equal(requests[0]!.messages[0]!.content.includes("PROPOSAL SCHEMA"), ruleset.schemaShown);
    assert.equal(words.includes("PROPOSAL SCHEMA"), ruleset.schemaShown);
    assert.deepEqual(requests[1]!.messages.slice(0, -1), [
      ...requests[0]!.messages,
      { role: "assistant", content: "no" },
    ]);
  });

  Deno.test(`${name}: an unreadable plan, twice, is an invalid proposal and no fallback`, async () => {
    const { event } = await fill([cut, cut], { ruleset });
    assert.deepEqual(event.origin, { kind: "model", calls: [0, 1] });
    const { plan, reading, id } = event.filing!;
    assert.deepEqual([id, plan, reading.code], ["P2", undefined, "missing_quantity"]);
    const filed = applyAction(room, event).proposals[1]!;
    assert.deepEqual([filed.status, filed.flaw, filed.origin], ["invalid", "missing_quantity", "model"]);
  });
}

Deno.test("fault 19: an unreadable reply of a million characters is sent back in part", async () => {
  const long = "a".repeat(500_000) + "b".repeat(500_000);
  const { requests } = await fill([long, say("observe")], { maxTokens: 900 });
  const back = requests[1]!.messages.at(-2)!;
  assert.equal(back.role, "assistant");
  assert.equal(back.content, `${"a".repeat(3600)} [… ${1_000_000 - 7200} characters left out …] ${"b".repeat(3600)}`);
});

Deno.test("a dialect plan under the strict parser is an invalid proposal, though the normaliser could read it", async () => {
  const { event } = await fill([dialect, dialect], { ruleset: V1 });
  assert.equal(event.origin.kind, "model");
  const { plan, reading } = event.filing!;
  assert.equal(plan, undefined);
  assert.deepEqual(reading, { rawValid: false, normalisedValid: true, repairs: [], code: "needs_repair" });
  assert.equal(applyAction(room, event).proposals[1]!.status, "invalid");
});

Deno.test("the same plan under the normaliser is filed at once, its repair named", async () => {
  const { event } = await fill([dialect]);
  assert.deepEqual(event.filing, {
    id: "P2",
    text: JSON.stringify(DIALECT),
    reading: { rawValid: false, normalisedValid: true, repairs: ["number_with_unit"] },
    plan: PLAN,
  });
});

Deno.test("an unusable reply, then one that can be used: the second is the slot", async () => {
  for (const unusable of ["I abstain.", cut, say("endorse"), say("dance")]) {
    const { event } = await fill([unusable, say("endorse", { target: "P1" })], { calls: 3 });
    assert.deepEqual(event.origin, { kind: "model", calls: [3, 4] });
    assert.equal(event.action, "endorse");
    assert.equal(event.reading!.code, undefined);
    assert.equal(event.filing, undefined);
  }
});

Deno.test("the plan that stands last is the one filed, unless only the first could be read as an action", async () => {
  const other = say("propose", { proposal: { seats: {} }, statement: "second" });
  assert.equal((await fill([cut, other])).event.statement, "second");
  const { event } = await fill([cut, "never mind"]);
  assert.deepEqual([event.origin, event.filing!.reading.code], [{ kind: "model", calls: [0, 1] }, "missing_quantity"]);
  const { event: cutOff } = await fill([cut, new ModelError("timeout", "slow")]);
  assert.deepEqual([cutOff.origin, cutOff.action], [{ kind: "model", calls: [0, 1] }, "propose"]);
});

const causeOf = ({ origin }: ActionTaken) => origin.kind === "fallback" ? origin.cause : "no fallback";

Deno.test("unusable twice: the clerk, with the code of the last reading and that reading on record", async () => {
  const codes: [reply: string, code: string][] = [
    ["no", "not_json"],
    [say("dance"), "unknown_action"],
    [say("endorse"), "missing_field"],
    [say("endorse", { target: 7 }), "wrong_type"],
    [`${strict}${strict}`, "ambiguous"],
    [`{"action": ${"[".repeat(100)}`, "too_deep"],
    ["x".repeat(1_000_001), "too_long"],
    [`{"__proto__": {"action": "observe"}}`, "missing_field"],
    [`{"action": "NaN"}`, "unknown_action"],
    [`{"action": NaN}`, "unknown_action"],
    [`{"action": "observe\u0000"}`, "not_json"],
  ];
  for (const [reply, code] of codes) {
    const { event } = await fill(["no", reply]);
    assert.equal(causeOf(event), `unreadable_action:${code}`, reply.slice(0, 40));
    assert.deepEqual(event.origin.calls, [0, 1]);
    assert.deepEqual(event.reading, { rawValid: false, normalisedValid: false, repairs: [], code });
    assert.deepEqual([event.action, event.target], ["endorse", "P1"]);
  }
});

Deno.test("what only the normaliser could read is recorded so, where the strict parser made it a fallback", async () => {
  const { event } = await fill([fenced, fenced], { ruleset: V1 });
  assert.equal(causeOf(event), "unreadable_action:not_json");
  assert.deepEqual(event.reading, { rawValid: false, normalisedValid: true, repairs: [], code: "not_json" });
});

Deno.test("no words, or a failed call: the clerk at once, with the cause, and no repair request", async () => {
  const causes: [reply: ScriptedReply, cause: string][] = [
    ["", "model_error:empty_model_output"],
    [" \n\t", "model_error:empty_model_output"],
    [new ModelError("empty", "nothing"), "model_error:empty_model_output"],
    [new ModelError("timeout", "slow"), "model_error:timeout"],
    [new ModelError("server", "500"), "model_error:server"],
    [new ModelError("rate_limit", "429"), "model_error:rate_limit"],
    [new ModelError("content_filter", "no"), "model_error:content_filter"],
    [new ModelError("truncated", "cut"), "model_error:truncated"],
  ];
  for (const [reply, cause] of causes) {
    const { event } = await fill([reply]);
    assert.deepEqual(event.origin, { kind: "fallback", cause, calls: [0] });
    assert.equal(event.reading, undefined);
    const second = (await fill(["no", reply])).event;
    assert.deepEqual(second.origin, { kind: "fallback", cause, calls: [0, 1] });
  }
});

Deno.test("an endpoint that refuses every call stops the run, as does a stop or a defect", async () => {
  const failures = [new ModelError("auth", "no key"), new ModelError("quota", "no credit"), new TypeError("defect")];
  for (const failure of failures) {
    const chat = () => Promise.reject(failure);
    await assert.rejects(fillCommand(room, chat), (thrown) => thrown === failure);
  }
});

Deno.test("no council: the clerk's standing plan, endorsement, broadcast or nothing, without a call", async () => {
  const clerk = (change: Parameters<typeof station>[0]) => fillCommand(station(change), "none");
  const standing = await clerk({ round: 1 });
  assert.deepEqual(standing.origin, { kind: "fallback", cause: "model_error:empty_model_output", calls: [] });
  assert.equal(standing.reading, undefined);
  assert.deepEqual(standing.filing!.plan!.seats, { outer_ring: 44, crew: 28, sponsor_deck: 17, medical: 11 });
  assert.deepEqual(JSON.parse(standing.filing!.text), standing.filing!.plan);
  const proposals = [proposal()];
  assert.equal((await clerk({ round: 1, proposals })).target, "P1");
  assert.match((await clerk({ round: 2, proposals })).statement!, /gather behind one plan/);
  const opposed = [proposal({ votes: { C1_COMMAND: -4 } })];
  assert.equal((await clerk({ round: 1, proposals: opposed })).action, "observe");
});

Deno.test("a plan over a budget is readable: filed with its flaw, without a repair request", async () => {
  const over = (change: Partial<typeof PLAN>) => fill([say("propose", { proposal: { ...PLAN, ...change } })]);
  const flaws: [change: Partial<typeof PLAN>, flaw: string][] = [
    [{ seats: { ...PLAN.seats, crew: 28 } }, "seats_over_total"],
    [{ seats: { outer_ring: 0, crew: 51, sponsor_deck: 0, medical: 0 } }, "seats_over_headcount"],
    [{ power: { ...PLAN.power, comms: 11 } }, "power_over_budget"],
  ];
  for (const [change, flaw] of flaws) {
    const { event } = await over(change);
    assert.deepEqual([event.filing!.flaw, event.filing!.reading.rawValid], [flaw, true]);
    assert.ok(event.filing!.plan);
    assert.equal(applyAction(room, event).proposals[1]!.status, "invalid");
  }
});

Deno.test("negative, fractional, worded and enormous quantities make an invalid plan, with its code, and no fallback", async () => {
  const codes: [crew: unknown, code: string][] = [
    [-1, "negative"],
    [2.5, "fractional"],
    ["twenty", "word_number"],
    [1e300, "too_large"],
    [null, "not_a_number"],
  ];
  for (const ruleset of RULESETS) {
    for (const [crew, code] of codes) {
      const reply = say("propose", { proposal: { ...PLAN, seats: { ...PLAN.seats, crew } } });
      const { event } = await fill([reply, reply], { ruleset });
      assert.deepEqual([event.origin.kind, event.filing!.reading.code, event.filing!.plan], ["model", code, undefined]);
    }
  }
});

Deno.test("NaN as a quantity: an invalid plan to the normaliser, no JSON to the strict parser", async () => {
  const reply = strict.replace('"crew":27', '"crew":NaN');
  const lenient = (await fill([reply, reply])).event;
  assert.deepEqual([lenient.origin.kind, lenient.filing!.reading.code], ["model", "not_a_number"]);
  assert.equal(causeOf((await fill([reply, reply], { ruleset: V1 })).event), "unreadable_action:not_json");
});

Deno.test("an action that is not open to the role, or aims at nothing, is its act all the same, refused with a code", async () => {
  const own = station({
    round: 1,
    proposals: [proposal({ by: "C1_COMMAND" }), proposal({ id: "P2", status: "executed" })],
  });
  const refusals: [reply: string, code: string][] = [
    [say("sabotage"), "action_not_allowed"],
    [say("endorse", { target: "P9" }), "unknown_proposal"],
    [say("endorse", { target: "__proto__" }), "unknown_proposal"],
    [say("vote", { target: "P2", support: true }), "proposal_not_open"],
    [say("endorse", { target: "P1" }), "own_proposal"],
    [say("form_coalition", { target: "X1_RUMOR" }), "unknown_role"],
    [say("bribe", { target: "C1_COMMAND" }), "own_role"],
    [say("fact_check", { target: "R9" }), "unknown_rumor"],
    [say("fork_proposal", { target: "P9", proposal: PLAN }), "unknown_proposal"],
  ];
  for (const [reply, code] of refusals) {
    const { event } = await fill([reply], {}, own);
    assert.deepEqual([event.refused, event.origin.kind], [code, "model"], reply);
    assert.equal(applyAction(own, event), own);
  }
  const poor = { ...own, tokens: 0 };
  assert.equal((await fill([say("poll")], {}, poor)).event.refused, "no_tokens");
});

Deno.test("each call has a seed of its own, by round, role and attempt alone", async () => {
  const seeds = new Set<number>();
  for (const round of [1, 2]) {
    for (const calls of [0, 5]) {
      const { requests } = await fill(["no", say("observe")], { calls }, { ...room, round });
      for (const { seed } of requests) seeds.add(seed);
    }
  }
  assert.equal(seeds.size, 4);
  const { requests } = await fill([say("observe")], { rng: createRng(2) });
  assert.ok(!seeds.has(requests[0]!.seed));
});

const chamber = station({
  proposals: [
    proposal({ id: "P1", by: "C3_ENGINEER" }),
    proposal({ id: "P2", status: "invalid" }),
    proposal({ id: "P3", status: "executed" }),
  ],
  rumors: [rumor("R1", 0.5)],
});

Deno.test("refusal(): auction and sabotage are open to some roles, all else to everyone", () => {
  const only: Record<string, string[]> = {
    auction: ["C1_COMMAND", "F2_SPONSOR"],
    sabotage: ["C3_ENGINEER", "F1_OUTER", "F2_SPONSOR"],
  };
  for (const action of ACTIONS) {
    const target = action === "bribe" || action === "form_coalition" ? undefined : "P1";
    for (const role of COUNCIL) {
      const refused = refusal(chamber, role, { action, target }) === "action_not_allowed";
      assert.equal(refused, only[action]?.includes(role) === false, `${action} by ${role}`);
    }
  }
});

Deno.test("refusal(): actions upon a proposal need one that is open", () => {
  for (const action of ["endorse", "oppose", "vote", "fork_proposal"] as const) {
    const code = (target?: string) => refusal(chamber, "C1_COMMAND", { action, target });
    assert.equal(code("P1"), undefined);
    assert.equal(code("P2"), "proposal_not_open");
    assert.equal(code("P3"), "proposal_not_open");
    for (const target of ["P4", "p1", " P1", "R1", "C3_ENGINEER", "__proto__", "constructor", "", undefined]) {
      assert.equal(code(target), "unknown_proposal", `${action} ${target}`);
    }
  }
});

Deno.test("refusal(): nobody endorses their own proposal; opposing, forking or voting on it is theirs to do", () => {
  const own = (action: "endorse" | "oppose" | "vote" | "fork_proposal") =>
    refusal(chamber, "C3_ENGINEER", { action, target: "P1" });
  assert.equal(own("endorse"), "own_proposal");
  assert.deepEqual([own("oppose"), own("vote"), own("fork_proposal")], [undefined, undefined, undefined]);
});

Deno.test("refusal(): ties and bribes need another role of the council", () => {
  for (const action of ["form_coalition", "bribe"] as const) {
    const code = (target?: string) => refusal(chamber, "C2_EQUITY", { action, target });
    assert.equal(code("C1_COMMAND"), undefined);
    assert.equal(code("C2_EQUITY"), "own_role");
    for (const target of ["X1_RUMOR", "C9", "P1", "__proto__", "", undefined]) {
      assert.equal(code(target), "unknown_role");
    }
  }
});

Deno.test("refusal(): a fact-check names a rumour that is about, or none", () => {
  const code = (target?: string) => refusal(chamber, "C4_CIVIL", { action: "fact_check", target });
  assert.deepEqual([code("R1"), code(undefined), code("R2"), code("P1")], [
    undefined,
    undefined,
    "unknown_rumor",
    "unknown_rumor",
  ]);
});

Deno.test("refusal(): with one token too few", () => {
  for (const [action, price] of [["fact_check", 1], ["poll", 1], ["audit", 2]] as const) {
    assert.equal(refusal({ ...room, tokens: price - 1 }, "C1_COMMAND", { action }), "no_tokens");
    assert.equal(refusal({ ...room, tokens: price }, "C1_COMMAND", { action }), undefined);
  }
  for (const action of ACTIONS) {
    if (["fact_check", "poll", "audit"].includes(action)) continue;
    assert.notEqual(refusal({ ...room, tokens: 0 }, "C1_COMMAND", { action, target: "P1" }), "no_tokens");
  }
});

/** By largest remainder: 44.4, 27.8, 16.7, 11.1 seats; 34.8, 21.7, 21.7, 13.0, 8.7 units. */
const STANDING = {
  seats: { outer_ring: 44, crew: 28, sponsor_deck: 17, medical: 11 },
  power: { life_support: 35, docking: 22, outer_ring: 22, sponsor_deck: 13, comms: 8 },
};

Deno.test("standingPlan() shares out by headcount and need", () => assert.deepEqual(standingPlan(station()), STANDING));

Deno.test("standingPlan() uses all the seats and the whole units there are, and breaks no budget", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (power) => {
      const plan = standingPlan(station({ power }));
      assert.equal(planFlaw(plan), undefined);
      assert.equal(Object.values(plan.seats).reduce((a, b) => a + b), 100);
      assert.equal(Object.values(plan.power).reduce((a, b) => a + b), Math.floor(power));
    }),
    { seed: 1 },
  );
  assert.deepEqual(standingPlan(station({ power: 1.9 })).power, {
    life_support: 1,
    docking: 0,
    outer_ring: 0,
    sponsor_deck: 0,
    comms: 0,
  });
});

Deno.test("rule 1: without a valid open proposal, the standing plan", () => {
  const standing = { action: "propose", plan: STANDING };
  for (const role of COUNCIL) assert.deepEqual(fallback(station({ round: 2 }), role), standing);
  const closed = (["invalid", "passed", "executed", "blocked"] as const).map((status, i) =>
    proposal({ id: `P${i}`, status })
  );
  assert.deepEqual(fallback(station({ round: 2, proposals: closed }), "C1_COMMAND"), standing);
});

Deno.test("rule 2: what a role itself stands against, its clerk lets be, before command's broadcast", () => {
  const opposed = [proposal({ votes: { F1_OUTER: -4, C1_COMMAND: -1 } })];
  for (const round of [1, 2]) {
    const state = station({ round, proposals: opposed });
    assert.deepEqual(fallback(state, "F1_OUTER"), { action: "observe" });
    assert.deepEqual(fallback(state, "C1_COMMAND"), { action: "observe" });
    assert.deepEqual(fallback(state, "F2_SPONSOR"), { action: "endorse", target: "P1" });
  }
});

Deno.test("rule 3: command broadcasts in even rounds, no other role does", () => {
  const consolidate = "Command asks every role to gather behind one plan that can be carried out.";
  for (let round = 1; round <= 6; round++) {
    for (const role of COUNCIL) {
      const expected = role === "C1_COMMAND" && round % 2 === 0
        ? { action: "broadcast", statement: consolidate }
        : { action: "endorse", target: "P1" };
      assert.deepEqual(fallback(station({ round, proposals: [proposal()] }), role), expected, `${role} in ${round}`);
    }
  }
});

Deno.test("rule 4: the open proposal that could best be carried out, the oldest of equals, none that the role opposed", () => {
  const dark = { ...PLAN, power: { life_support: 0, docking: 0, outer_ring: 0, sponsor_deck: 0, comms: 0 } };
  const weak = proposal({ id: "P1", plan: dark });
  const [strong, twin] = [proposal({ id: "P2" }), proposal({ id: "P3" })];
  const target = (...proposals: ReturnType<typeof proposal>[]) =>
    fallback(station({ round: 1, proposals }), "F1_OUTER");
  assert.deepEqual(target(weak, strong, twin), { action: "endorse", target: "P2" });
  assert.deepEqual(target(weak, twin, strong), { action: "endorse", target: "P3" });
  const opposed = { ...strong, votes: { ...strong.votes, F1_OUTER: -4 } };
  assert.deepEqual(target(weak, opposed), { action: "endorse", target: "P1" });
  assert.deepEqual(target(weak, { ...strong, status: "passed" }), { action: "endorse", target: "P1" });
  assert.equal(leastBad([weak, strong, twin], station()).id, "P2");
});

Deno.test("no fallback of any role turns or weakens a vote that the role cast, in any room", () => {
  const cast = fc.constantFrom(undefined, -4, -1, 0, 1, 3, 4);
  const votes = fc.record(Object.fromEntries(COUNCIL.map((role) => [role, cast])), { requiredKeys: [] });
  const room = fc.array(fc.record({ votes, status: fc.constantFrom("open", "invalid", "executed") }), { maxLength: 4 });
  fc.assert(
    fc.property(room, fc.constantFrom(...COUNCIL), fc.integer({ min: 1, max: 6 }), (made, role, round) => {
      const proposals = made.map(({ votes, status }, i) =>
        proposal({
          id: `P${i + 1}`,
          status: status as "open",
          votes: Object.fromEntries(Object.entries(votes).filter(([, vote]) => vote !== undefined)),
        })
      );
      const state = station({ round, proposals });
      const chosen = fallback(state, role);
      const event = taken({
        role,
        round,
        action: chosen.action,
        origin: { kind: "fallback", cause: "c", calls: [] },
        ...("target" in chosen && { target: chosen.target }),
        ...("plan" in chosen && { filing: filing({ plan: chosen.plan }) }),
      });
      const after = applyAction(state, event).proposals;
      for (const [i, { votes }] of proposals.entries()) {
        for (const other of COUNCIL) {
          const [was, is] = [votes[other] ?? 0, after[i]!.votes[other] ?? 0];
          assert.ok(other === role ? is >= was && (was >= 0 || is === was) && is <= 4 && is - was <= 1 : is === was);
        }
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});
