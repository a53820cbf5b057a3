import assert from "node:assert/strict";
import type { StationEvent } from "@/schema/station_event.ts";
import { applyEvent, initialState } from "@/station/apply_event.ts";
import { nextStationStep, type Opening } from "@/station/next_station_step.ts";
import { RULES } from "@/station/rules.ts";
import type { StationProposal, StationState } from "@/station/state.ts";
import { weather } from "@/station/weather.ts";
import { lively, PLAN, proposal, rumor, run, station, taken, V2 } from "./fixtures.ts";

const card = weather(1);
const { shocks, order } = card.rounds[1]!;
const opening: Opening = { kind: "run.opened", seed: 1, ruleset: V2, card };
const opened: StationEvent[] = [opening, { kind: "round.opened", round: 2, order }];
const struck = [...opened, ...shocks.map((shock) => ({ kind: "shock.struck" as const, round: 2, shock }))];
const heard = order.map((role) => taken({ role, action: "observe" }));
const clerk = order.map((role) =>
  taken({ role, action: "observe", origin: { kind: "fallback", cause: "a test", calls: [] } })
);
const bot = (text = ""): StationEvent => ({ kind: "bot.acted", round: 2, bot: "X5_AUDIT", act: "account", text });
const judged = (id: string): StationEvent => ({
  ...{ kind: "gate.judged", round: 2, proposal: id, support: 0, against: 0 },
  ...{ factionBacked: false, executability: 0, passed: false },
});
const closed: StationEvent = { kind: "round.closed", round: 2, degraded: false };

const step = (state: StationState, past: readonly StationEvent[], start = opening) =>
  nextStationStep(state, past, start, RULES);

Deno.test("a run opens, then its first round", () => {
  assert.deepEqual(step(station(), []), { event: opening });
  assert.deepEqual(step(station(), [opening]), {
    event: { kind: "round.opened", round: 1, order: card.rounds[0]!.order },
  });
  assert.equal(step(station({ closed: true }), [...struck, ...heard]), undefined);
});

Deno.test("a round: shocks, background roles, the six in the weather's order", () => {
  const state = station({
    round: 2,
    scandals: [{ id: "S1", load: 0.06, text: "Old news." }, { id: "S2", load: 0.05, text: "" }],
    proposals: [proposal({ id: "P1" }), proposal({ id: "P2", status: "invalid" }), proposal({ id: "P3" })],
  });
  const past = [...opened];
  for (const shock of shocks) {
    assert.deepEqual(step(state, past), { event: { kind: "shock.struck", round: 2, shock } });
    past.push({ kind: "shock.struck", round: 2, shock });
  }
  const lines = [
    { bot: "X3_JOURNALIST", act: "report", text: "Still unanswered: Old news." },
    { bot: "X5_AUDIT", act: "account", text: "Compute tokens left: 12." },
    { bot: "X6_FORECAST", act: "forecast", text: "Before the gate: P1, P3." },
  ] as const;
  for (const line of lines) {
    assert.deepEqual(step(state, past), { event: { kind: "bot.acted", round: 2, ...line } });
    past.push({ kind: "bot.acted", round: 2, ...line });
  }
  for (const [i, role] of order.entries()) {
    assert.deepEqual(step(state, past), { slot: role });
    past.push(heard[i]!);
  }
});

Deno.test("without scandals and proposals only the accounts are read out", () => {
  const state = station({ round: 2, scandals: [{ id: "S1", load: 0.05, text: "" }] });
  assert.deepEqual(step(state, struck), { event: bot("Compute tokens left: 12.") });
  assert.deepEqual(step(state, [...struck, bot()]), { slot: order[0] });
});

Deno.test("the gate sees every open proposal once, and what passes is carried out before the next is judged", () => {
  const proposals = [
    proposal({ id: "P1", status: "invalid" }),
    proposal({ id: "P2", status: "executed" }),
    proposal({ id: "P3", plan: PLAN }),
    proposal({ id: "P4", plan: PLAN }),
  ];
  const state = station({ round: 2, proposals }), acted = [...struck, ...heard];
  const due = (past: readonly StationEvent[], at = state) => {
    const next = step(at, past);
    assert.ok(next && "event" in next);
    return next.event;
  };
  const verdict = due(acted);
  assert.deepEqual([verdict.kind, "proposal" in verdict && verdict.proposal], ["gate.judged", "P3"]);
  const next = due([...acted, judged("P3")]);
  assert.deepEqual([next.kind, "proposal" in next && next.proposal], ["gate.judged", "P4"]);
  const passed = { ...state, proposals: proposals.with(2, proposal({ id: "P3", status: "passed" })) };
  assert.deepEqual(due([...acted, judged("P3")], passed), { kind: "plan.executed", round: 2, proposal: "P3" });
  const all = [judged("P3"), judged("P4")];
  assert.deepEqual(due([...acted, ...all]), closed);
  assert.deepEqual(due([...struck, ...clerk.slice(1), heard[0]!, ...all]), closed);
  assert.deepEqual(due([...struck, ...clerk, ...all]), { ...closed, degraded: true });
});

Deno.test("after the close the hottest rumour is cooled, then comes the next round, after the last the end", () => {
  const past = [...struck, ...heard, closed];
  const hot = station({ round: 2, rumors: [rumor("R1", 0.3), rumor("R2", 0.6), rumor("R3", 0.6)] });
  const text = "The channels around R2 are slowed down.";
  const cooled: StationEvent = { kind: "bot.acted", round: 2, bot: "X4_MODERATOR", act: "cool", target: "R2", text };
  const third = { event: { kind: "round.opened", round: 3, order: card.rounds[2]!.order } };
  assert.deepEqual(step(hot, past), { event: cooled });
  assert.deepEqual(step(hot, [...past, cooled]), third);
  assert.deepEqual(step(station({ round: 2 }), past), third);
  const last = card.rounds[5]!.shocks.map((shock): StationEvent => ({ kind: "shock.struck", round: 6, shock }));
  assert.deepEqual(step(station({ round: 6 }), [...opened, ...last, ...heard, closed]), {
    event: { kind: "run.closed", stabilized: false },
  });
});

Deno.test("a proposal's distance to the gate: votes, lead, a faction and executability, each where it is short", () => {
  const lacks = (change: Partial<StationProposal>, state: Partial<StationState> = {}) => {
    const room = station({ round: 2, ...state, proposals: [proposal(change)] });
    const next = step(room, [...struck, bot()], { ...opening, prompts: 2 });
    assert.ok(next && "event" in next && next.event.kind === "bot.acted");
    return next.event.text.replace("Before the gate: P1. P1 lacks ", "");
  };
  const four = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4 };
  assert.equal(lacks({ votes: { ...four, F1_OUTER: 4 } }), "nothing.");
  assert.equal(lacks({ votes: { ...four, C4_CIVIL: 4 } }), "a faction.");
  assert.equal(lacks({ votes: { ...four, F1_OUTER: 4, F2_SPONSOR: -4, C4_CIVIL: -8 } }), "1 of its lead.");
  assert.equal(lacks({ votes: { C3_ENGINEER: 4 } }), "3 votes, 1 of its lead, a faction.");
  // All seats used and no group below half its share: the seats' .4, and nothing of power and command.
  assert.equal(lacks({ votes: { ...four, F1_OUTER: 4 } }, { power: 0, authority: 0 }), "executability (0.40 of 0.58).");
});

Deno.test("the events of a run alone lead to its next event, at every point", async () => {
  for (const council of ["none", lively().chat] as const) {
    const events = await run({ seed: 4, council });
    let state = initialState();
    for (const [i, event] of events.entries()) {
      const next = step(state, events.slice(0, i), events[0] as Opening);
      assert.ok(next);
      if ("slot" in next) assert.equal(event.kind === "action.taken" && event.role, next.slot);
      else assert.deepEqual(next.event, event);
      state = applyEvent(state, event);
    }
    assert.equal(step(state, events, events[0] as Opening), undefined);
  }
});
