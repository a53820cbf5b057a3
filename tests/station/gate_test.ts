import assert from "node:assert/strict";
import {
  gateOutcome,
  hasFactionBacking,
  hasMargin,
  hasSupport,
  holdsThresholds,
  isExecutable,
  isStabilized,
} from "@/station/gate.ts";
import { powerScore } from "@/station/executability.ts";
import type { StationProposal, StationState } from "@/station/state.ts";
import { near, PLAN, proposal, station } from "./fixtures.ts";

type Votes = StationProposal["votes"];

/** The next double below and above. */
function neighbours(value: number): [below: number, above: number] {
  const bits = new BigInt64Array(new Float64Array([value]).buffer)[0]!;
  const [below, above] = new Float64Array(new BigInt64Array([bits - 1n, bits + 1n]).buffer);
  return [below!, above!];
}

Deno.test("hasSupport(): 4 whole votes, in quarters", () => {
  const for15: Votes = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 3 };
  assert.equal(hasSupport(for15), false);
  assert.equal(hasSupport({ ...for15, F1_OUTER: 4 }), true);
  assert.equal(hasSupport({ ...for15, F2_SPONSOR: 1 }), true);
  assert.equal(hasSupport({ ...for15, F2_SPONSOR: 1, C4_CIVIL: -4 }), true, "votes against are no lack of support");
  assert.equal(hasSupport({ ...for15, C4_CIVIL: -4 }), false);
  assert.equal(hasSupport({}), false);
});

Deno.test("hasMargin(): 2 whole votes more for than against, in quarters", () => {
  assert.equal(hasMargin({ C1_COMMAND: 4, C2_EQUITY: 4 }), true);
  assert.equal(hasMargin({ C1_COMMAND: 4, C2_EQUITY: 3 }), false);
  const four: Votes = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4 };
  assert.equal(hasMargin({ ...four, C4_CIVIL: -4, F2_SPONSOR: -4 }), true, "16 − 8 = 8");
  assert.equal(hasMargin({ ...four, C3_ENGINEER: 3, C4_CIVIL: -4, F2_SPONSOR: -4 }), false, "15 − 8 = 7");
});

Deno.test("hasFactionBacking(): either faction, with any part of a vote for it", () => {
  assert.equal(hasFactionBacking({ C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, C4_CIVIL: 4 }), false);
  assert.equal(hasFactionBacking({ F1_OUTER: 1 }), true);
  assert.equal(hasFactionBacking({ F2_SPONSOR: 4, F1_OUTER: -4 }), true);
  assert.equal(hasFactionBacking({ F1_OUTER: -4, F2_SPONSOR: -4 }), false);
  assert.equal(hasFactionBacking({ F1_OUTER: 0 }), false);
});

Deno.test("isExecutable(): from 0.58 on", () => {
  const [below, above] = neighbours(0.58);
  assert.deepEqual([below, 0.58, above].map((e) => isExecutable(e)), [false, true, true]);
});

Deno.test("holdsThresholds(): each of the three at its threshold and a bit either side", () => {
  const at = { e: 0.58, order: 0.35, info: 0.4 };
  assert.equal(holdsThresholds(at), true);
  for (const name of ["e", "order", "info"] as const) {
    const [below, above] = neighbours(at[name]);
    assert.equal(holdsThresholds({ ...at, [name]: below }), false, `${name} below`);
    assert.equal(holdsThresholds({ ...at, [name]: above }), true, `${name} above`);
    assert.equal(holdsThresholds({ e: 1, order: 1, info: 1, [name]: below }), false, `${name} alone below`);
  }
});

/** Passes: 16 for, 8 against, F1 behind it. */
const votes: Votes = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4, C4_CIVIL: -4, F2_SPONSOR: -4 };

Deno.test("gateOutcome() passes what clears all four, and says what it saw", () => {
  // Seats 1; power 0.5 + 0.3 + 0.2 · (0.6 + 2/3 + 1)/3; command 0.6 · 8/16.
  const e = 0.4 + 0.35 * (0.8 + 0.2 * (0.6 + 2 / 3 + 1) / 3) + 0.25 * 0.3;
  const { executability, ...rest } = gateOutcome(proposal({ votes }), station());
  near(executability, e);
  assert.deepEqual(rest, { support: 4, against: 2, factionBacked: true, passed: true });
});

Deno.test("gateOutcome(): seats, power and command have one threshold together, so a weak part can be made up for", () => {
  // PLAN has all seats at their fair shares; half of what it asks in power is there: 0.50 · (0.5 + 0.3) + 0.2 · … < 0.58.
  const votes = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4 };
  const dark = station({ authority: 1, power: 50 });
  assert.ok(powerScore(PLAN, 50) < 0.58);
  const { executability: e, passed } = gateOutcome(proposal({ votes }), dark);
  near(e, 0.4 + 0.35 * powerScore(PLAN, 50) + 0.25);
  assert.equal(passed, true);
});

Deno.test("gateOutcome() blocks where any one of the four is missing", () => {
  const passes = (cast: Votes, state: StationState = station(), plan = PLAN) =>
    gateOutcome(proposal({ votes: cast, plan }), state).passed;
  const clear: Votes = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4 };
  assert.equal(passes(clear), true);
  assert.equal(passes({ ...clear, F1_OUTER: 3 }), false, "support 3.75");
  assert.equal(passes({ ...votes, C1_COMMAND: 3, C4_CIVIL: -3 }), false, "support 3.75, margin 2");
  assert.equal(passes({ ...clear, F1_OUTER: 3, F2_SPONSOR: 1 }), true, "support 4.00 in quarters");
  const five: Votes = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4, C4_CIVIL: -8, F2_SPONSOR: -1 };
  assert.equal(passes(five), false, "margin 1.75");
  assert.equal(passes({ C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, C4_CIVIL: 4 }), false, "no faction");
  assert.equal(passes(clear, station({ power: 0, authority: 0 })), false, "executability 0.4");
  const seats = { outer_ring: 0, crew: 0, sponsor_deck: 0, medical: 0 };
  assert.equal(passes(clear, station(), { ...PLAN, seats }), false, "no seats");
});

const executed = proposal({ votes, status: "executed" });

Deno.test("isStabilized(): a plan was executed, and the thresholds hold now", () => {
  assert.equal(isStabilized(station({ proposals: [executed] })), true);
  assert.equal(isStabilized(station()), false);
  for (const status of ["open", "passed", "blocked", "invalid"] as const) {
    assert.equal(isStabilized(station({ proposals: [{ ...executed, status }] })), false, status);
  }
  const at = { order: 0.35, info: 0.4, proposals: [executed] };
  assert.equal(isStabilized(station(at)), true);
  assert.equal(isStabilized(station({ ...at, order: neighbours(0.35)[0] })), false);
  assert.equal(isStabilized(station({ ...at, info: neighbours(0.4)[0] })), false);
  assert.equal(isStabilized(station({ proposals: [executed], power: 0, authority: 0 })), false, "executability 0.4");
});

Deno.test("isStabilized() goes by the plan that was executed, however good an open one is", () => {
  const power = { life_support: 0, docking: 0, outer_ring: 0, sponsor_deck: 0, comms: 0 };
  const poor = proposal({ id: "P1", votes, status: "executed", plan: { ...PLAN, power } });
  assert.equal(isStabilized(station({ proposals: [poor, proposal({ id: "P2", votes })] })), false);
});
