import assert from "node:assert/strict";
import type { Shock } from "@/schema/station_event.ts";
import { applyAction } from "@/station/apply_action.ts";
import { applyEvent, closeRound, initialState, moderateHottest } from "@/station/apply_event.ts";
import type { StationState } from "@/station/state.ts";
import { assertMoved, near, PLAN, proposal, rumor, station, taken } from "./fixtures.ts";

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

const heats = [rumor("R1", 0.5, 1.1), rumor("R2", 0.25, 0.7)];
const outer = { sentiment: 0.8, panic: 0.4, trust: 0.65 };
const sponsor = { sentiment: 0.8, panic: 0.2, trust: 0.65 };

/** H = 0.75, X = 1, M = 0.5, N = 0.3, K = 4/8, a tenth of the power gone. */
const room = station({
  round: 3,
  order: 0.8,
  trust: 0.6,
  info: 0.7,
  authority: 0.5,
  power: 90,
  manipulation: 1,
  rumors: heats,
  scandals: [{ id: "S1", load: 1, text: "" }],
  offers: [{ id: "M1", pressure: 0.5, text: "" }],
  factions: { outer, sponsor },
  edges: ["C1_COMMAND|C2_EQUITY", "C1_COMMAND|C3_ENGINEER", "C1_COMMAND|C4_CIVIL", "C1_COMMAND|F1_OUTER"],
});

/** The same close on paper, without a plan. */
const closed = {
  order: 0.8 - 0.011325 - 0.0155 - 0.01525 - 0.009 - 0.004,
  info: 0.7 - 0.009 - 0.006 + 0.03,
  trust: 0.6 - 0.005 + 0.0075,
  manipulation: 0.5 + (0.075 + 0.1) * (1 - 0.665),
  rumors: [{ ...heats[0]!, heat: 0.55 }],
  offers: [{ id: "M1", pressure: 0.4, text: "" }],
  scandals: [{ id: "S1", load: 0.896, text: "" }],
  factions: {
    outer: { sentiment: 0.8 + 0.2 * (0.4 - 0.8), panic: 0.32, trust: 0.65 + 0.2 * (0.36 - 0.65) },
    sponsor: { sentiment: 0.8 + 0.2 * (0.6 - 0.8), panic: 0.16, trust: 0.65 + 0.2 * (0.48 - 0.65) },
  },
};

Deno.test("closeRound() of a small station worked out on paper", () => assertMoved(closeRound(room), room, closed));

/** Seats 1; power 0.9 of 40, 25, 15, 10, 10 given; command 0.5 · 1. */
const e = 0.4 + 0.35 * 0.9 * (0.5 + 0.3 + 0.2 * (0.6 + 2 / 3 + 1) / 3) + 0.125;
const four = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4 };

Deno.test("closeRound(): a passed plan lifts order, information, trust and authority by its executability", () => {
  for (const status of ["passed", "executed"] as const) {
    const passed = { ...room, proposals: [proposal({ status, votes: four })] };
    assertMoved(closeRound(passed), passed, {
      ...closed,
      order: closed.order + 0.012 * e,
      info: closed.info + 0.025 * e,
      trust: closed.trust + 0.015 * e,
      authority: 0.5 + 0.07 * e,
    });
  }
});

Deno.test("closeRound(): an open or blocked plan lifts nothing, nor one that cannot be carried out any more", () => {
  for (const status of ["open", "blocked", "invalid"] as const) {
    const idle = { ...room, proposals: [proposal({ status, votes: four })] };
    assertMoved(closeRound(idle), idle, closed);
  }
  const power = { life_support: 0, docking: 0, outer_ring: 0, sponsor_deck: 0, comms: 0 };
  const dark = { ...room, proposals: [proposal({ status: "executed", votes: four, plan: { ...PLAN, power } })] };
  // Executability 0.525.
  assertMoved(closeRound(dark), dark, closed);
});

Deno.test("closeRound(): levels stay in [0, 1], growth stops at heat 1", () => {
  const worst = closeRound(station({ order: 0.001, trust: 0, info: 0, power: 0, rumors: [rumor("R1", 0.95, 1.1)] }));
  assert.deepEqual([worst.order, worst.trust, worst.rumors[0]!.heat], [0, 0, 1]);
  const best = closeRound({
    ...station({
      order: 1,
      trust: 1,
      info: 1,
      authority: 1,
      proposals: [proposal({ status: "executed", votes: four })],
    }),
    factions: { outer: { ...outer, panic: 0 }, sponsor: { ...sponsor, panic: 0 } },
  });
  assert.deepEqual([best.order, best.trust, best.info, best.authority], [1, 1, 1, 1]);
});

Deno.test("closeRound(): more panic than order pulls a faction's sentiment to 0, not below", () => {
  near(closeRound({ ...room, order: 0.1 }).factions.outer.sentiment, 0.8 * 0.8);
});

Deno.test("closeRound(): ties count up to eight", () => {
  const calm = { ...room, scandals: [] };
  const trust = (ties: number) => closeRound({ ...calm, edges: Array.from({ length: ties }, (_, i) => `${i}`) }).trust;
  near(trust(0), 0.6);
  near(trust(7), 0.6 + 0.015 * 7 / 8);
  near(trust(8), 0.615);
  near(trust(15), 0.615);
});

Deno.test("closeRound(): manipulation fades by half, and gains nothing where information is whole", () => {
  near(closeRound({ ...room, info: 1, rumors: [], offers: [] }).manipulation, 0.5);
  near(closeRound({ ...room, info: 1 }).manipulation, 0.5 + 0.175 * 0.05);
});

Deno.test("closeRound(): a rumour lives from heat 0.2 on", () => {
  const left = closeRound({ ...room, rumors: [rumor("R1", 0.2), rumor("R2", 0.1999)] }).rumors;
  assert.deepEqual(left.map(({ id }) => id), ["R1"]);
});

Deno.test("moderateHottest() cools the named rumour by a tenth, which may end it", () => {
  const before = { ...room, rumors: [rumor("R1", 0.5), rumor("R2", 0.21)] };
  assertMoved(moderateHottest(before, "R1"), before, { rumors: [rumor("R1", 0.45), rumor("R2", 0.21)] });
  assertMoved(moderateHottest(before, "R2"), before, { rumors: [rumor("R1", 0.5)] });
  assertMoved(moderateHottest(before, "R9"), before, {});
});

Deno.test("the station starts as the rules say", () => {
  const faction = { sentiment: 0.855, panic: 0.3, trust: 0.65 };
  assert.deepEqual(initialState(), {
    round: 0,
    order: 0.855,
    trust: 0.65,
    info: 0.75,
    authority: 0.6,
    factions: { outer: faction, sponsor: faction },
    power: 100,
    tokens: 12,
    rumors: [],
    offers: [],
    scandals: [],
    manipulation: 0,
    edges: [],
    proposals: [],
    closed: false,
    stabilized: false,
  });
});
