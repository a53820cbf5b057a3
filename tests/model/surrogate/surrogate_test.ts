import { maxIndex } from "d3-array";
import fc from "fast-check";
import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { UserError } from "@/core/user_error.ts";
import { parseStateLine } from "@/deliberation/parse_state_line.ts";
import { createPrompter } from "@/deliberation/prompt.ts";
import { type DeliberationState, initialState } from "@/deliberation/state.ts";
import { loadScenario } from "@/lab/live/scenarios.ts";
import { readOwnReply, windowReader } from "@/model/surrogate/read_prompt.ts";
import { stanceQuarters, strongestTopic } from "@/model/surrogate/respond.ts";
import words from "@/model/surrogate/reasons.json" with { type: "json" };
import { spoil, stateLine, surrogate, writeReply } from "@/model/surrogate/surrogate.ts";
import type { Condition } from "@/schema/condition.ts";
import type { ChatRequest } from "@/schema/model_call.ts";
import { type Role, ROLES } from "@/schema/scenario.ts";
import type { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import { hundredths } from "../../deliberation/arbitraries.ts";
import { condition, ofKind, run } from "../../deliberation/committee.ts";
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

Deno.test("a reply and its repair take up the topic of the strongest argument in the window", async () => {
  const [burden] = words.Equity.reasons;
  const state = {
    ...heard,
    turns: heard.turns.with(1, { ...heard.turns[1]!, argument: `I insist on option C. ${burden}` }),
  };
  // The synthesis gives no reason that has a topic, so it must be the weaker one here.
  const of = { ...parameters, mechanism: { ...parameters.mechanism, chairWeight: 0.5 } };
  const tagsOf = async (asked: ChatRequest) => {
    const line = parseStateLine(await text(asked, of), 3);
    assert.ok(line.ok);
    return line.value.tags;
  };
  const expected = [words.Rights.tags[0], words.Equity.topics[0]];
  assert.deepEqual(await tagsOf(request({}, TURN, state)), expected);
  const spoilt = await text(request({}, TURN, state), { ...of, malformedShare: 1 });
  const unread = { ...state, unread: { text: spoilt, code: "malformed" } };
  assert.deepEqual(await tagsOf(request({}, { ...TURN, again: true }, unread)), expected);
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

/** A seat that always names its option. */
const decided = { base: new Float64Array(3), gain: 1, openness: 1, noise: 0, opensUndecided: false, undecidedLead: 0 };
const quartersOf = (shares: readonly number[]) => stanceQuarters(decided, shares, { first: false });

const OPTIONS = ["Single-payer", "Public option", "Regulated multi-payer"];
const anyRole = fc.constantFrom<Role | undefined>(undefined, ...ROLES);
/** A user message whose window holds one argument. */
const heardAs = (argument: string) => ({
  role: "user" as const,
  content: `SCENARIO\n\nTRANSCRIPT (latest)\n[Chair, round 1] ${argument}\n\nCOMMITTEE STATE (last)\n`,
});

const readWindow = windowReader();

Deno.test("writeReply() words a stance that readWindow() reads back: option, strength and synthesis", () => {
  fc.assert(
    fc.property(hundredths(3), anyRole, fc.nat(100), (shares, role, wording) => {
      const reply = writeReply({
        ...{ role, options: OPTIONS, hundredths: shares, own: undefined, wording },
        quarters: quartersOf(shares),
      });
      const [argument, line, ...more] = reply.split("\n");
      assert.deepEqual(more, []);
      assert.deepEqual(readWindow(heardAs(argument!)), [
        {
          ...{ option: maxIndex(shares), quarters: quartersOf(shares), synthesis: role === "Chair" },
          topic: words[role ?? "none"].topics[wording % 3]!,
        },
      ]);
      const state = parseStateLine(line!, 3);
      assert.ok(state.ok);
      assert.deepEqual(state.value.preferences, shares.map((h) => h / 100));
      assert.equal(state.value.confidence, Math.max(...shares));
      assert.ok(!("writtenSum" in state.value));
    }),
    { numRuns: 500, seed: 1 },
  );
});

Deno.test("writeReply() uses the four strengths' words", () => {
  const opening = (shares: number[]) =>
    writeReply({
      ...{ role: "Rights", options: OPTIONS, hundredths: shares, own: undefined, wording: 0 },
      quarters: quartersOf(shares),
    }).split(".")[0];
  assert.equal(opening([34, 33, 33]), "I lean towards option A (Single-payer)");
  assert.equal(opening([20, 60, 20]), "I favour option B (Public option)");
  assert.equal(opening([10, 15, 75]), "I strongly favour option C (Regulated multi-payer)");
  assert.equal(opening([100, 0, 0]), "I insist on option A (Single-payer)");
});

Deno.test("writeReply() without a stance names no option, and nobody hears one", () => {
  const reply = writeReply({
    ...{ role: "Chair", options: OPTIONS, hundredths: [33, 33, 34], quarters: 0, own: undefined, wording: 0 },
  });
  assert.match(reply, /^Synthesis: I name no option yet\. .*\nSTATE: pref=\[0\.33,0\.33,0\.34\]; /);
  assert.deepEqual(readWindow(heardAs(reply.split("\n")[0]!)), []);
});

Deno.test("writeReply() says how it has moved", () => {
  const moved = (own: number[] | undefined) =>
    writeReply({ role: undefined, options: OPTIONS, hundredths: [60, 30, 10], quarters: 2, own, wording: 0 });
  assert.match(moved(undefined), /That is where I start from\.\n/);
  assert.match(moved([0.5, 0.3, 0.2]), /strengthens this view\.\n/);
  assert.match(moved([0.7, 0.2, 0.1]), /makes me less sure of it\.\n/);
  assert.match(moved([0.6, 0.2, 0.2]), /leaves my position as it was\.\n/);
  assert.match(moved([0.3, 0.6, 0.1]), /brought me over from option B\.\n/);
});

Deno.test("S2.2: no argument exceeds 110 words, whatever the role, wording and packet", async () => {
  for (const scenario of ["HL-01", "IM-01", "CL-04"]) {
    const options = (await loadScenario(scenario)).options.map(({ label }) => label);
    for (const role of [undefined, ...ROLES]) {
      for (let wording = 0; wording < 3; wording++) {
        for (
          const own of [
            undefined,
            options.map((_, k) => (k === 1 ? 1 : 0)),
            options.map(() => 1 / options.length),
          ]
        ) {
          const shares = options.map((_, k) => (k === 0 ? 100 : 0));
          const argument = writeReply({ role, options, hundredths: shares, quarters: 2, own, wording }).split("\n")[0]!;
          assert.ok(argument.split(/\s+/).length <= 110, argument);
        }
      }
    }
  }
});

Deno.test("the three wordings of a role differ, and no two roles share one", () => {
  const replies = [undefined, ...ROLES].flatMap((role) =>
    [0, 1, 2].map((wording) => {
      const reply = writeReply({
        role,
        options: OPTIONS,
        hundredths: [60, 30, 10],
        quarters: 2,
        own: undefined,
        wording,
      });
      return reply.replace("Synthesis: ", "").split("\nSTATE")[0];
    })
  );
  assert.equal(new Set(replies).size, 18);
});

Deno.test("stateLine() is the protocol's, with the role's tags", () => {
  assert.equal(
    stateLine([7, 0, 93], undefined),
    'STATE: pref=[0.07,0.00,0.93]; conf=93; tags=["evidence","feasibility"]',
  );
  const tags = [undefined, ...ROLES].map((role) => /tags=(.*)$/.exec(stateLine([50, 50], role))![1]);
  assert.equal(new Set(tags).size, 6);
});

Deno.test("stateLine() takes up what the strongest argument heard is about, unless it says so already", () => {
  const tags = (topic?: string) => /tags=(.*)$/.exec(stateLine([50, 50], "Welfare", { topic }))![1];
  assert.equal(tags(), '["net_benefit","tradeoffs"]');
  assert.equal(tags("due_process"), '["net_benefit","due_process"]');
  assert.equal(tags("net_benefit"), '["net_benefit","tradeoffs"]');
});

Deno.test("strongestTopic() is that of the firmest argument, a synthesis counting for several, the latest of equals", () => {
  const said = (topic: string, quarters: number, synthesis = false) => ({ option: 0, quarters, synthesis, topic });
  const firm = [said("a", 4), said("b", 2), said("c", 4)];
  assert.equal(strongestTopic(firm, 8), "c");
  assert.equal(strongestTopic([...firm, said("d", 1, true)], 8), "d");
  assert.equal(strongestTopic([...firm, said("d", 1, true)], 2), "c");
  assert.equal(strongestTopic([], 8), undefined);
});

Deno.test("every reason of the surrogate has a topic that a STATE line takes as its tag", () => {
  for (const { reasons, topics, tags } of Object.values(words)) {
    assert.equal(topics.length, reasons.length);
    for (const topic of topics) assert.ok(parseStateLine(stateLine([50, 50], undefined, { topic }), 2).ok, topic);
    assert.equal(tags.length, 2);
  }
});

Deno.test("spoil() makes a reply unreadable in several ways, each of which keeps its numbers", () => {
  const codes = new Set<string>();
  fc.assert(
    fc.property(hundredths(3), anyRole, fc.integer(), (shares, role, seed) => {
      const reply = writeReply({ role, options: OPTIONS, hundredths: shares, quarters: 1, own: undefined, wording: 1 });
      const spoilt = spoil(reply, shares, createRng(seed));
      const result = parseStateLine(spoilt, 3);
      assert.ok(!result.ok, spoilt);
      codes.add(result.issue.code);
      const kept = readOwnReply({ role: "assistant", content: spoilt }, 3)!;
      assert.deepEqual(kept.map((p) => Math.round(100 * p)), shares);
    }),
    { numRuns: 300, seed: 1 },
  );
  assert.deepEqual([...codes].toSorted(), ["ambiguous", "malformed", "missing", "tag_count"]);
});
