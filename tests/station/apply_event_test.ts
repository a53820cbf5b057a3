import assert from "node:assert/strict";
import type { Shock } from "@/schema/station_event.ts";
import { applyAction } from "@/station/apply_action.ts";
import { applyEvent } from "@/station/apply_event.ts";
import { closeRound } from "@/station/close_round.ts";
import type { StationState } from "@/station/state.ts";
import { assertMoved, proposal, rumor, station, taken } from "./fixtures.ts";

const struck = (shock: Pick<Shock, "kind" | "severity"> & Partial<Shock>) =>
  ({ kind: "shock.struck", round: 1, shock: { id: "X", by: "X0_ENVIRONMENT", text: "t", ...shock } }) as const;

const start = station();
const faction = (panic: number) => ({ ...start.factions.outer, panic });

/** Each shock at severity 1.5, by the rules' coefficients on paper. */
const EFFECTS: [shock: Pick<Shock, "kind"> & Partial<Shock>, change: Partial<StationState>][] = [
  [{ kind: "rumor", by: "X1_RUMOR", growth: 0.8 }, {
    rumors: [{ id: "X", text: "t", heat: 0.7365, growth: 0.8, from: "X1_RUMOR" }],
  }],
  [{ kind: "power_fault" }, { power: 92.5 }],
  [{ kind: "market_offer" }, { offers: [{ id: "X", pressure: 0.45, text: "t" }] }],
  [{ kind: "scandal" }, { scandals: [{ id: "X", load: 1.5, text: "t" }] }],
  [{ kind: "leak" }, { scandals: [{ id: "X", load: 0.75, text: "t" }], info: 0.675 }],
  [{ kind: "panic_outer" }, { factions: { outer: faction(0.6), sponsor: faction(0.3) } }],
  [{ kind: "panic_sponsor" }, { factions: { outer: faction(0.3), sponsor: faction(0.6) } }],
];

for (const [shock, change] of EFFECTS) {
  Deno.test(`applyEvent(): ${shock.kind} strikes by its severity`, () => {
    assertMoved(applyEvent(start, struck({ severity: 1.5, ...shock })), start, change);
  });
}

Deno.test("applyEvent(): shocks leave levels in range", () => {
  const low = station({ power: 3, info: 0.01, factions: { outer: faction(0.95), sponsor: faction(0.95) } });
  const after = (["power_fault", "leak", "panic_outer", "panic_sponsor"] as const)
    .reduce((state, kind) => applyEvent(state, struck({ kind, severity: 1.8 })), low);
  assert.deepEqual([after.power, after.info, after.factions.outer.panic, after.factions.sponsor.panic], [0, 0, 1, 1]);
  assert.equal(applyEvent(start, struck({ kind: "rumor", severity: 9 })).rumors[0]!.heat, 1);
});

Deno.test("applyEvent(): the round's opening sets the round, its close is closeRound(), an action is applyAction()", () => {
  assertMoved(applyEvent(start, { kind: "round.opened", round: 4, order: [] }), start, { round: 4 });
  const room = station({ rumors: [rumor("R1", 0.6, 0.9)] });
  assert.deepEqual(applyEvent(room, { kind: "round.closed", round: 1, degraded: true }), closeRound(room));
  const event = taken({ action: "broadcast" });
  assert.deepEqual(applyEvent(room, event), applyAction(room, event));
});

Deno.test("applyEvent(): only the gate passes, only what passed is named executed, the close blocks what is open", () => {
  const proposals = [proposal({ id: "P1" }), proposal({ id: "P2" }), proposal({ id: "P3", status: "invalid" })];
  const statuses = (state: StationState) => state.proposals.map(({ status }) => status);
  const judged = {
    kind: "gate.judged",
    round: 1,
    support: 4,
    against: 0,
    factionBacked: true,
    executability: 1,
  } as const;
  const open = station({ proposals });
  assert.equal(applyEvent(open, { ...judged, proposal: "P2", passed: false }), open);
  const passed = applyEvent(open, { ...judged, proposal: "P2", passed: true });
  assert.deepEqual(statuses(passed), ["open", "passed", "invalid"]);
  const executed = applyEvent(passed, { kind: "plan.executed", round: 1, proposal: "P2" });
  assert.deepEqual(statuses(executed), ["open", "executed", "invalid"]);
  const closed = applyEvent(executed, { kind: "run.closed", stabilized: true, finalPlan: "P2" });
  assert.deepEqual(statuses(closed), ["blocked", "executed", "invalid"]);
  assert.deepEqual([closed.closed, closed.stabilized], [true, true]);
  assert.equal(applyEvent(executed, { kind: "run.closed", stabilized: false }).stabilized, false);
});

Deno.test("applyEvent(): background roles move nothing, but for the moderator who cools", () => {
  const room = station({ rumors: [rumor("R1", 0.6)] });
  const said = { kind: "bot.acted", round: 1, bot: "X3_JOURNALIST", act: "report", text: "t" } as const;
  assert.equal(applyEvent(room, said), room);
  const cooled = applyEvent(room, { ...said, bot: "X4_MODERATOR", act: "cool", target: "R1" });
  assertMoved(cooled, room, { rumors: [rumor("R1", 0.54)] });
});

Deno.test("applyEvent() leaves the state it was given as it was", () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const room = freeze(station({ rumors: [rumor("R1", 0.6)], proposals: [proposal()] }));
  applyEvent(room, struck({ kind: "rumor", severity: 1 }));
  applyEvent(room, taken({ action: "endorse", role: "F1_OUTER", target: "P1" }));
  applyEvent(room, { kind: "round.closed", round: 1, degraded: false });
});
