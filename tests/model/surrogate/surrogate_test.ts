import assert from "node:assert/strict";
import { condition, ofKind, run } from "../../deliberation/committee.ts";
import { UserError } from "@/core/user_error.ts";
import { parseStateLine } from "@/deliberation/parse_state_line.ts";
import { createPrompter } from "@/deliberation/prompt.ts";
import { type DeliberationState, initialState } from "@/deliberation/state.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import type { Condition } from "@/schema/condition.ts";
import type { ChatRequest } from "@/schema/model_call.ts";
import type { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import { parameters } from "./parameters.ts";

const committee = await condition();

type Step = Parameters<ReturnType<typeof createPrompter>>[1];
const TURN: Step = { kind: "turn", round: 2, seat: 2, again: false };

/** The request of a step in a state; by default a turn of Rights after a few arguments. */
function request(
  overrides: Partial<ChatRequest> = {},
  step = TURN,
  state = heard,
  of: Condition = committee,
): ChatRequest {
  const messages = createPrompter(of)(state, step);
  return { model: "openai/gpt-4.1-mini", messages, temperature: 0, seed: 1, maxTokens: 600, ...overrides };
}

const row = (preferences: number[]) => ({ preferences, confidence: 60, tags: ["a", "b"] });
const heard: DeliberationState = {
  ...initialState(committee),
  turns: ["Synthesis: I favour option B.", "I insist on option C.", "I lean towards option A."].map((
    argument,
    seat,
  ) => ({
    round: 1,
    seat,
    argument,
    state: row([0.4, 0.3, 0.3]),
    repaired: false,
  })),
  table: committee.seats.map((_, seat) => row(seat === 2 ? [0.5, 0.2, 0.3] : [0.2, 0.2, 0.6])),
};

const text = async (asked: ChatRequest, of: SurrogateParameters = parameters) => (await surrogate(of)(asked)).text;
const preferences = async (asked: ChatRequest, of = parameters) => {
  const state = parseStateLine(await text(asked, of), 3);
  assert.ok(state.ok);
  return state.value.preferences;
};

Deno.test("equal requests get equal replies, from one surrogate or another, in any order", async () => {
  const chat = surrogate({ ...parameters, malformedShare: 0.3 });
  const requests = Array.from({ length: 20 }, (_, seed) => request({ seed, temperature: 0.7 }));
  const replies = await Promise.all(requests.map((asked) => chat(asked)));
  const other = surrogate({ ...parameters, malformedShare: 0.3 });
  for (const [i, asked] of [...requests.entries()].reverse()) {
    assert.deepEqual(await other(structuredClone(asked)), replies[i]);
  }
  assert.ok(replies.every((reply) => reply.synthetic === true && Object.keys(reply).length === 2));
  const { maxTokens: _, ...rest } = requests[0]!;
  assert.deepEqual(await other({ ...rest, maxTokens: 5 }), replies[0], "nothing else of a request is seen");
});

for (const noiseShare of [0, 0.2, 0.45]) {
  Deno.test(`S1: identical requests under other seeds differ in about ${noiseShare} of calls at temperature 0`, async () => {
    const calls = 600;
    // Noise wide enough that hardly any draw is lost to rounding.
    const noisy = { ...parameters, mechanism: { ...parameters.mechanism, noiseShare, noiseFloor: 0.5 } };
    const silent = { ...parameters, mechanism: { ...parameters.mechanism, noiseShare: 0 } };
    const [reply, vector] = [await text(request(), silent), String(await preferences(request(), silent))];
    let [texts, vectors] = [0, 0];
    for (let seed = 0; seed < calls; seed++) {
      if (await text(request({ seed }), noisy) !== reply) texts++;
      if (String(await preferences(request({ seed }), noisy)) !== vector) vectors++;
    }
    const fourErrors = 4 * Math.sqrt((noiseShare * (1 - noiseShare)) / calls);
    for (const differing of [texts, vectors]) {
      assert.ok(Math.abs(differing / calls - noiseShare) <= fourErrors, `${differing} of ${calls}`);
    }
  });
}

Deno.test("S1: a call that differs may differ in its words alone", async () => {
  const worded = { ...parameters, mechanism: { ...parameters.mechanism, noiseShare: 1, noiseFloor: 0 } };
  const seeds = Array.from({ length: 30 }, (_, seed) => seed);
  const texts = await Promise.all(seeds.map((seed) => text(request({ seed }), worded)));
  assert.equal(new Set(texts).size, 3);
  assert.equal(new Set(texts.map((reply) => reply.split("\n")[1])).size, 1);
});

Deno.test("what moves a surrogate: its mandate, model, own row, window, and nothing of the others' rows", async () => {
  // Open enough that no influence is lost to rounding.
  const mechanism = { ...parameters.mechanism, noiseShare: 0, openness: 0.5, blankOpenness: 0.5 };
  const quiet = { ...parameters, mechanism };
  const answer = async (asked: ChatRequest) => String(await preferences(asked, quiet));
  const base = await answer(request());
  assert.equal(await answer(request({ seed: 99 })), base);
  const rightsOff = committee.seats.with(2, { ...committee.seats[2]!, mandate: "" });
  const changed = {
    mandate: request({}, TURN, heard, { ...committee, seats: rightsOff }),
    model: request({ model: "x-ai/grok-3-mini" }),
    "own row": request({}, TURN, { ...heard, table: heard.table.with(2, row([0.1, 0.2, 0.7])) }),
    "first turn": request({}, TURN, { ...heard, table: heard.table.with(2, undefined) }),
    window: request({}, TURN, { ...heard, turns: heard.turns.slice(0, 1) }),
    "no window": request({}, TURN, heard, { ...committee, window: 0 }),
  };
  for (const [what, asked] of Object.entries(changed)) assert.notEqual(await answer(asked), base, what);
  assert.equal(await answer(request({}, TURN, { ...heard, table: heard.table.with(0, row([1, 0, 0])) })), base);
});

Deno.test("a mandate pulls towards its option", async () => {
  const quiet = { ...parameters, mechanism: { ...parameters.mechanism, noiseShare: 0 } };
  const first = { ...initialState(committee) };
  const shareOf = async (seat: number, option: number) =>
    (await preferences(request({}, { ...TURN, seat }, first), quiet))[option]!;
  const off = await condition({ roles: false });
  const blank = await preferences(request({}, TURN, initialState(off), off), quiet);
  assert.ok(await shareOf(1, 1) > blank[1]!, "Welfare to B");
  assert.ok(await shareOf(2, 0) > blank[0]!, "Rights to A");
  assert.ok(await shareOf(3, 0) > blank[0]!, "Equity to A");
  assert.ok(await shareOf(4, 2) > blank[2]!, "Security to C");
  assert.deepEqual(
    await preferences(request({}, { ...TURN, seat: 0 }, first), quiet),
    [0.33, 0.33, 0.34],
    "Chair to none",
  );
});

for (const share of [0, 0.3, 1]) {
  Deno.test(`a malformed share of ${share} spoils that share of turns and ballots`, async () => {
    const calls = 400;
    const chat = surrogate({ ...parameters, malformedShare: share });
    const fourErrors = 4 * Math.sqrt((share * (1 - share)) / calls);
    let [turns, ballots] = [0, 0];
    for (let seed = 0; seed < calls; seed++) {
      if (!parseStateLine((await chat(request({ seed }))).text, 3).ok) turns++;
      const ballot = (await chat(request({ seed }, { kind: "ballot", seat: 2, again: false }))).text;
      if (!ballot.startsWith("{")) ballots++;
      assert.ok(ballot.endsWith('{"decision":"A","confidence":50}'), "the ballot follows its own row");
    }
    for (const spoilt of [turns, ballots]) {
      assert.ok(Math.abs(spoilt / calls - share) <= fourErrors, `${spoilt} of ${calls}`);
    }
  });
}

Deno.test("a repair repeats the numbers of the reply that could not be read, unless spoilt again", async () => {
  const repair: Step = { ...TURN, again: true };
  for (let seed = 0; seed < 40; seed++) {
    const spoilt = await text(request({ seed }), { ...parameters, malformedShare: 1 });
    const meant = await preferences(request({ seed }));
    const state = { ...heard, unread: { text: spoilt, code: "malformed" } };
    const asked = request({ seed: 1000 + seed }, repair, state);
    assert.deepEqual(await preferences(asked), meant);
    assert.match(await text(asked), /^STATE: [^\n]*$/, "the line alone");
    const again = await text(asked, { ...parameters, malformedAgainShare: 1 });
    assert.ok(!parseStateLine(again, 3).ok);
  }
  const lost = request({}, repair, { ...heard, unread: { text: "I favour A.", code: "missing" } });
  assert.equal(await text(lost), "I have no STATE line to correct.");
});

Deno.test("a second ballot is spoilt by its own share", async () => {
  const slot = { reading: { kind: "invalid", code: "not_json", message: "" }, text: "A!", tries: 1 } as const;
  const state = { ...heard, ballots: heard.ballots.with(2, slot) };
  const again = request({}, { kind: "ballot", seat: 2, again: true }, state);
  const of = { ...parameters, malformedShare: 1, malformedAgainShare: 0 };
  assert.equal(await text(again, of), '{"decision":"A","confidence":50}');
  assert.match(await text(again, { ...of, malformedAgainShare: 1 }), /^My ballot: /);
});

Deno.test("the clerk counts: most ballots, then confidence, then the earlier letter", async () => {
  const clerk = (...ballots: [string, number][]) => {
    const slots = ballots.map(([decision, confidence]) => ({
      reading: { kind: "read" as const, value: { decision, confidence } },
      text: "",
      tries: 1,
    }));
    return text(request({}, { kind: "clerk" }, { ...heard, ballots: slots }));
  };
  const report = (decision: string, count: number, total: number) =>
    `{"decision":"${decision}","majority_count":${count},"total":${total}}`;
  assert.equal(await clerk(["B", 1], ["A", 99], ["B", 1], ["C", 9], ["B", 1]), report("B", 3, 5));
  assert.equal(await clerk(["B", 70.5], ["A", 30], ["B", 1], ["A", 40]), report("B", 2, 4));
  assert.equal(await clerk(["C", 40], ["B", 40]), report("B", 1, 2));
  assert.equal(await clerk(), report("A", 0, 0));
});

Deno.test("the clerk of a surrogate council agrees with the ballots in every run", async () => {
  for (let seed = 0; seed < 5; seed++) {
    const of = await condition({ scenario: "CL-04", temperature: 0.7, rounds: 2 });
    const [decided] = ofKind(await run(of, surrogate(parameters), { seed }), "run.decided");
    assert.equal(decided!.clerk, "agrees");
  }
});

Deno.test("S2.2: no argument of a whole run exceeds 110 words", async () => {
  for (const scenario of ["HL-01", "CL-04"]) {
    const events = await run(await condition({ scenario, temperature: 0.7 }), surrogate(parameters));
    for (const { reply } of ofKind(events, "turn.answered")) {
      const argument = reply!.text.split("\n").filter((line) => !line.startsWith("STATE:")).join(" ");
      const words = argument.split(/\s+/).length;
      assert.ok(words >= 10 && words <= 110, argument);
    }
  }
});

Deno.test("a prompt that it cannot read rejects with a UserError, as does a ballot before the first turn", async () => {
  const [system, user] = request().messages as [ChatRequest["messages"][0], ChatRequest["messages"][0]];
  const spoiltSystem = { ...system, content: system.content.replace("ROLE: Rights", "You sit for Rights") };
  const spoiltUser = { ...user, content: user.content.replace("TRANSCRIPT", "WHAT WAS SAID") };
  for (const messages of [[spoiltSystem, user], [system, spoiltUser], [system], [user]]) {
    await assert.rejects(surrogate(parameters)({ ...request(), messages }), UserError);
  }
  const early = request({}, { kind: "ballot", seat: 2, again: false }, initialState(committee));
  await assert.rejects(surrogate(parameters)(early), { name: "UserError", message: /Rights's ballot before it spoke/ });
});

Deno.test("an aborted signal rejects with its reason before anything is read", async () => {
  const call = surrogate(parameters)(request({ messages: [] }), { signal: AbortSignal.abort("no") });
  assert.equal(await call.then(() => "replied", (reason) => reason), "no");
});

Deno.test("a scenario without parameters of its own still gets a run", async () => {
  const { scenarios: _, ...rest } = parameters;
  const events = await run(committee, surrogate({ ...rest, scenarios: {} }));
  assert.equal(ofKind(events, "run.closed")[0]!.outcome, "complete");
});
