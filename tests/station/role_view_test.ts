import assert from "node:assert/strict";
import type { StationEvent } from "@/schema/station_event.ts";
import { COUNCIL, type CouncilRole } from "@/schema/station_ids.ts";
import { roleView } from "@/station/role_view.ts";
import { stationPrompt } from "@/station/station_prompt.ts";
import { weather } from "@/station/weather.ts";
import { filing, lively, proposal, roleOf, roundOf, rumor, run, station, taken } from "./fixtures.ts";

const enough = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4 };
const faction = (panic: number) => ({ sentiment: 0.111, panic, trust: 0.222 });
const room = station({
  round: 2,
  order: 0.8449,
  trust: 0.66,
  info: 0.7,
  authority: 0.5678,
  power: 92.5,
  tokens: 7,
  rumors: [rumor("R1", 0.4321)],
  scandals: [{ id: "S1", load: 1.2345, text: "" }],
  offers: [{ id: "M1", pressure: 0.3333, text: "" }],
  factions: { outer: faction(0.4444), sponsor: faction(0.5555) },
  proposals: [
    proposal({ id: "P1", votes: enough }),
    proposal({ id: "P2", status: "invalid" }),
    proposal({ id: "P3", status: "executed", votes: enough }),
  ],
});

/** What each office knows; the engineer's share is 0.8 + 0.2 · (0.6 + 2/3 + 1)/3, all of it times 0.925. */
const PRIVATE: Record<CouncilRole, string[]> = {
  C1_COMMAND: ["command authority: 0.57", "proposals with enough votes: 1"],
  C2_EQUITY: ["scandal S1: load 1.23"],
  C3_ENGINEER: ["power available: 92.50", "P1 covers 0.88 of the power needs"],
  C4_CIVIL: ["rumour R1: heat 0.43"],
  F1_OUTER: ["Outer Ring: sentiment 0.11, panic 0.44, trust 0.22"],
  F2_SPONSOR: ["sponsor deck: sentiment 0.11, panic 0.56, trust 0.22", "offer M1: pressure 0.33"],
};

for (const role of COUNCIL) {
  Deno.test(`roleView(): ${role} is told what its office knows, and nothing of the others'`, () => {
    const seen = roleView(room, role, []);
    assert.deepEqual(seen.privately, PRIVATE[role]);
    const prompt = stationPrompt(seen, { schemaShown: true }).map(({ content }) => content).join("\n");
    for (const other of COUNCIL) {
      for (const line of PRIVATE[other]) assert.equal(prompt.includes(line), other === role, line);
    }
  });
}

Deno.test("roleView(): what all roles see", () => {
  const { privately: _, role: __, ...common } = roleView(room, "C4_CIVIL", []);
  assert.deepEqual(common, {
    round: 2,
    hoursLeft: 10,
    levels: { order: 0.8, trust: 0.7, info: 0.7, authority: 0.6 },
    tokens: 7,
    proposals: [room.proposals[0]],
    passed: [room.proposals[2]],
    rumors: [{ id: "R1", text: "text of R1" }],
    edges: [],
    events: [],
    last: undefined,
    withoutEffect: undefined,
  });
  assert.deepEqual([1, 6].map((round) => roleView({ ...room, round }, "C4_CIVIL", []).hoursLeft), [12, 2]);
});

const opened = (round: number): StationEvent => ({ kind: "round.opened", round, order: [] });

Deno.test("roleView(): events of this round alone", () => {
  const [before, now] = [taken({ action: "speak", round: 1 }), taken({ action: "broadcast", round: 2 })];
  assert.deepEqual(roleView(room, "C2_EQUITY", [opened(1), before, opened(2), now]).events, [now]);
  assert.deepEqual(roleView(room, "C2_EQUITY", [opened(1), before, opened(2)]).events, []);
});

Deno.test("roleView(): a poll gives its caller exact numbers, at the caller's next turn", () => {
  const poll = taken({ action: "poll", role: "C2_EQUITY", round: 1 });
  const exact = "poll: public order 0.845, trust 0.660, information 0.700, authority 0.568";
  const lines = (role: CouncilRole, past: StationEvent[]) => roleView(room, role, past).privately;
  assert.deepEqual(lines("C2_EQUITY", [poll]), [...PRIVATE.C2_EQUITY, exact]);
  assert.deepEqual(lines("C4_CIVIL", [poll]), PRIVATE.C4_CIVIL);
  assert.deepEqual(lines("C2_EQUITY", [poll, taken({ action: "speak", role: "C2_EQUITY" })]), PRIVATE.C2_EQUITY);
});

Deno.test("roleView(): a poll that could not be paid for tells nothing", () => {
  const refused = taken({ action: "poll", role: "C2_EQUITY", round: 1, refused: "no_tokens" });
  assert.deepEqual(roleView(room, "C2_EQUITY", [refused]).privately, PRIVATE.C2_EQUITY);
});

Deno.test("roleView(): how the role's own last reply was read, the plan's reading before the reply's", () => {
  const reply = { rawValid: false, normalisedValid: true, repairs: ["code_fence"] };
  const plan = { rawValid: false, normalisedValid: false, repairs: [], code: "missing_quantity" };
  const last = (...past: StationEvent[]) => roleView(room, "C1_COMMAND", past).last;
  const spoke = taken({ action: "speak", reading: reply });
  assert.deepEqual(last(spoke), reply);
  assert.deepEqual(last(spoke, taken({ action: "speak", role: "C2_EQUITY" })), reply);
  assert.deepEqual(last(taken({ action: "propose", reading: reply, filing: filing({ reading: plan }) })), plan);
});

Deno.test("roleView(): the clerk's paper is not taken for the role's own reply", () => {
  const origin = { kind: "fallback" as const, cause: "model_error:timeout", calls: [0] };
  const { reading: _, ...silent } = taken({ action: "propose", filing: filing(), origin });
  const last = (event: StationEvent) => roleView(room, "C1_COMMAND", [event]).last;
  assert.equal(last(silent)?.code, "model_error:timeout");
  const reading = { rawValid: false, normalisedValid: false, repairs: [], code: "not_json" };
  assert.deepEqual(last({ ...silent, reading }), reading);
});

Deno.test("no prompt of a run shows a severity, a growth or a shock to come, nor another office's numbers", async () => {
  const OFFICE: Record<CouncilRole, RegExp> = {
    C1_COMMAND: /command authority: |proposals with enough votes/,
    C2_EQUITY: /scandal \S+: load/,
    C3_ENGINEER: /power available:|of the power needs/,
    C4_CIVIL: /rumour \S+: heat/,
    F1_OUTER: /Outer Ring: sentiment/,
    F2_SPONSOR: /sponsor deck: sentiment|offer \S+: pressure/,
  };
  const told = new Set<CouncilRole>();
  for (const seed of [1, 2, 3]) {
    const { chat, requests } = lively();
    await run({ seed, council: chat });
    const { rounds } = weather(seed);
    for (const request of requests) {
      const [role, round] = [roleOf(request), roundOf(request)];
      const prompt = request.messages.map(({ content }) => content).join("\n");
      for (const shocks of rounds) {
        for (const { severity, growth, text } of shocks.shocks) {
          if (severity !== 1) assert.ok(!prompt.includes(`${severity}`), `severity ${severity}`);
          if (growth !== undefined) assert.ok(!prompt.includes(`${growth}`), `growth ${growth}`);
          if (shocks.round > round) assert.ok(!prompt.includes(text), `in round ${round}: ${text}`);
          if (shocks.round === round) assert.ok(prompt.includes(text), `not in round ${round}: ${text}`);
        }
      }
      for (const other of COUNCIL) {
        if (other !== role) assert.doesNotMatch(prompt, OFFICE[other], `${role} sees what ${other} knows`);
        else if (OFFICE[other].test(prompt)) told.add(role);
      }
      assert.doesNotMatch(prompt, /severity|growth|quality.of.survival|turbulence|manipulation pressure/i);
    }
  }
  assert.equal(told.size, 6);
});
