import assert from "node:assert/strict";
import type { StationEvent } from "@/schema/station_event.ts";
import { applyEvent, initialState } from "@/station/apply_event.ts";
import { advanceProgress, nextStationStep, PROGRESS } from "@/station/next_station_step.ts";
import { weather } from "@/station/weather.ts";
import { lively, proposal, rumor, run, station } from "./fixtures.ts";

const card = weather(1);
const { shocks, order } = card.rounds[1]!;
/** In round 2, all six roles heard. */
const heard = { ...PROGRESS, opened: true, shocks: shocks.length, acted: 6 };

Deno.test("a run opens, then its first round", () => {
  assert.deepEqual(nextStationStep(station(), PROGRESS, undefined, 6), { kind: "open" });
  assert.deepEqual(nextStationStep(station(), { ...PROGRESS, opened: true }, card, 6), { kind: "round", round: 1 });
  assert.deepEqual(nextStationStep(station({ closed: true }), heard, card, 6), { kind: "done" });
});

Deno.test("a round: shocks, background roles, the six in the weather's order", () => {
  const state = station({
    round: 2,
    scandals: [{ id: "S1", load: 0.06, text: "Old news." }, { id: "S2", load: 0.05, text: "" }],
    proposals: [proposal({ id: "P1" }), proposal({ id: "P2", status: "invalid" }), proposal({ id: "P3" })],
  });
  const step = (done: Partial<typeof PROGRESS>) =>
    nextStationStep(state, { ...PROGRESS, opened: true, ...done }, card, 6);
  shocks.forEach((shock, i) => assert.deepEqual(step({ shocks: i }), { kind: "shock", shock }));
  const lines = [
    { bot: "X3_JOURNALIST", act: "report", text: "Still unanswered: Old news." },
    { bot: "X5_AUDIT", act: "account", text: "Compute tokens left: 12." },
    { bot: "X6_FORECAST", act: "forecast", text: "Before the gate: P1, P3." },
  ];
  lines.forEach((line, bots) => assert.deepEqual(step({ shocks: shocks.length, bots }), { kind: "bot", line }));
  order.forEach((role, acted) =>
    assert.deepEqual(step({ shocks: shocks.length, bots: 3, acted }), { kind: "slot", role })
  );
});

Deno.test("without scandals and proposals only the accounts are read out", () => {
  const state = station({ round: 2, scandals: [{ id: "S1", load: 0.05, text: "" }] });
  const step = (bots: number) => nextStationStep(state, { ...heard, acted: 0, bots }, card, 6);
  assert.deepEqual(step(0), {
    kind: "bot",
    line: { bot: "X5_AUDIT", act: "account", text: "Compute tokens left: 12." },
  });
  assert.deepEqual(step(1), { kind: "slot", role: order[0] });
});

Deno.test("the gate sees every open proposal once, and what passes is carried out before the next is judged", () => {
  const proposals = [
    proposal({ id: "P1", status: "invalid" }),
    proposal({ id: "P2", status: "executed" }),
    proposal({ id: "P3" }),
    proposal({ id: "P4" }),
  ];
  const state = station({ round: 2, proposals });
  assert.deepEqual(nextStationStep(state, heard, card, 6), { kind: "judge", proposal: "P3" });
  const judged = { ...heard, judged: ["P3"] };
  assert.deepEqual(nextStationStep(state, judged, card, 6), { kind: "judge", proposal: "P4" });
  const passed = { ...state, proposals: proposals.with(2, proposal({ id: "P3", status: "passed" })) };
  assert.deepEqual(nextStationStep(passed, judged, card, 6), { kind: "execute", proposal: "P3" });
  const all = { ...heard, judged: ["P3", "P4"] };
  assert.deepEqual(nextStationStep(state, all, card, 6), { kind: "close round", degraded: false });
  assert.deepEqual(nextStationStep(state, { ...all, fallbacks: 5 }, card, 6), { kind: "close round", degraded: false });
  assert.deepEqual(nextStationStep(state, { ...all, fallbacks: 6 }, card, 6), { kind: "close round", degraded: true });
});

Deno.test("after the close the hottest rumour is cooled, then comes the next round, after the last the end", () => {
  const closed = { ...heard, roundClosed: true };
  const hot = station({ round: 2, rumors: [rumor("R1", 0.3), rumor("R2", 0.6), rumor("R3", 0.6)] });
  assert.deepEqual(nextStationStep(hot, closed, card, 6), { kind: "cool", rumor: "R2" });
  assert.deepEqual(nextStationStep(hot, { ...closed, cooled: true }, card, 6), { kind: "round", round: 3 });
  assert.deepEqual(nextStationStep(station({ round: 2 }), closed, card, 6), { kind: "round", round: 3 });
  const last = { ...closed, shocks: card.rounds[5]!.shocks.length };
  assert.deepEqual(nextStationStep(station({ round: 6 }), last, card, 6), { kind: "close run" });
});

/** The kind of event that a step leads to. */
const KIND: Record<string, StationEvent["kind"]> = {
  open: "run.opened",
  round: "round.opened",
  shock: "shock.struck",
  bot: "bot.acted",
  slot: "action.taken",
  judge: "gate.judged",
  execute: "plan.executed",
  "close round": "round.closed",
  cool: "bot.acted",
  "close run": "run.closed",
};

Deno.test("the events of a run alone lead to its next event, at every point", async () => {
  for (const council of ["none", lively().chat] as const) {
    const events = await run({ seed: 4, council });
    let [state, progress] = [initialState(), PROGRESS];
    for (const event of events) {
      const step = nextStationStep(state, progress, progress.opened ? weather(4) : undefined, 6);
      assert.equal(KIND[step.kind], event.kind);
      if (step.kind === "slot") assert.equal(event.kind === "action.taken" && event.role, step.role);
      [state, progress] = [applyEvent(state, event), advanceProgress(progress, event)];
    }
    assert.deepEqual(nextStationStep(state, progress, weather(4), 6), { kind: "done" });
  }
});
