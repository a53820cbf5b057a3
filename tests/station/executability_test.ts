import fc from "fast-check";
import assert from "node:assert/strict";
import type { Plan } from "@/schema/station_ids.ts";
import {
  executability,
  finalPlan,
  gateOutcome,
  hasFactionBacking,
  hasMargin,
  hasSupport,
  holdsThresholds,
  isExecutable,
  isStabilized,
  netVotes,
  planFlaw,
  powerScore,
} from "@/station/executability.ts";
import { near, PLAN, proposal, station } from "./fixtures.ts";
import type { StationProposal, StationState } from "@/station/state.ts";

/**
 * On paper: 70 seats used; half the fair shares are 22.2, 13.9, 8.3 and 5.6, so three groups have theirs and medical has
 * nothing: 0.7 · 0.7 + 0.3 · 0.75 = 0.715. Life support and docking have all they need, the rest nothing: 0.8.
 */
const plan: Plan = {
  seats: { outer_ring: 40, crew: 20, sponsor_deck: 10, medical: 0 },
  power: { life_support: 40, docking: 25, outer_ring: 0, sponsor_deck: 0, comms: 0 },
};
const votes = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: -4 };

Deno.test("executability() of a plan worked out on paper", () => {
  // Command: 0.6 · 8/16 = 0.3. 0.4 · 0.715 + 0.35 · 0.8 + 0.25 · 0.3 = 0.286 + 0.28 + 0.075.
  near(executability(proposal({ plan, votes }), station()), 0.641);
});

Deno.test("executability() in a brown-out: half the power asked covers half of each need", () => {
  // 65 units asked, 32.5 there: power 0.4, so 0.286 + 0.14 + 0.075.
  near(executability(proposal({ plan, votes }), station({ power: 32.5 })), 0.501);
  near(powerScore(plan, 32.5), 0.4);
  near(powerScore(plan, 65), 0.8);
  near(powerScore(plan, 0), 0);
});

Deno.test("executability(): part of a fair share, and part of a need", () => {
  const part: Plan = {
    seats: { outer_ring: 10, crew: 0, sponsor_deck: 0, medical: 0 },
    power: { life_support: 10, docking: 5, outer_ring: 5, sponsor_deck: 3, comms: 1 },
  };
  // 10 of half of 44.4 is 0.45: seats 0.7 · 0.1 + 0.3 · 0.45/4 = 0.10375.
  // Power 0.5 · 0.25 + 0.3 · 0.2 + 0.2 · (0.2 + 0.2 + 0.1)/3 = 0.125 + 0.06 + 0.1/3.
  const power = 0.185 + 0.1 / 3;
  near(powerScore(part, 100), power);
  near(executability(proposal({ plan: part, votes: {} }), station()), 0.4 * 0.10375 + 0.35 * power);
});

Deno.test("executability() of the best there is: all seats, all needs, everyone for it, full authority", () => {
  const all = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, C4_CIVIL: 4, F1_OUTER: 4, F2_SPONSOR: 4 };
  const power = { life_support: 40, docking: 25, outer_ring: 25, sponsor_deck: 15, comms: 10 };
  near(executability(proposal({ plan: { ...PLAN, power }, votes: all }), station({ authority: 1, power: 115 })), 1);
});

Deno.test("executability(): power asked above a need is wasted, none asked is none", () => {
  const greedy = { ...plan, power: { ...plan.power, life_support: 75 } };
  near(powerScore(greedy, 100), 0.8);
  const idle = { ...plan, power: { life_support: 0, docking: 0, outer_ring: 0, sponsor_deck: 0, comms: 0 } };
  assert.equal(powerScore(idle, 0), 0);
});

Deno.test("executability(): command counts net votes, no less than none and no more than four", () => {
  const e = (cast: Parameters<typeof proposal>[0]) => executability(proposal({ plan, ...cast }), station());
  near(e({ votes: { F1_OUTER: -4 } }), 0.566);
  near(e({ votes: {} }), 0.566);
  near(e({ votes: { C1_COMMAND: 1 } }), 0.566 + 0.25 * 0.6 / 16);
  const four = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, C4_CIVIL: 4 } as const;
  near(e({ votes: four }), 0.716);
  near(e({ votes: { ...four, F1_OUTER: 4 } }), 0.716);
  assert.equal(netVotes(proposal({ votes: { C1_COMMAND: 4, C2_EQUITY: 1, F1_OUTER: -4 } })), 0.25);
});

Deno.test("executability() of words that were not read is nothing", () => {
  const { plan: _, ...unread } = proposal({ status: "invalid" });
  assert.equal(executability(unread, station()), 0);
});

Deno.test("planFlaw() names the first budget that is broken, and none at the budget itself", () => {
  const seats = (change: Partial<Plan["seats"]>) => planFlaw({ ...PLAN, seats: { ...PLAN.seats, ...change } });
  const power = (change: Partial<Plan["power"]>) => planFlaw({ ...PLAN, power: { ...PLAN.power, ...change } });
  assert.equal(planFlaw(PLAN), undefined);
  assert.equal(seats({ crew: 28 }), "seats_over_total");
  const none = { outer_ring: 0, crew: 0, sponsor_deck: 0, medical: 0 };
  for (const [group, people] of [["outer_ring", 80], ["crew", 50], ["sponsor_deck", 30], ["medical", 20]] as const) {
    assert.equal(seats({ ...none, [group]: people }), undefined);
    assert.equal(seats({ ...none, [group]: people + 1 }), "seats_over_headcount");
  }
  assert.equal(power({ comms: 11 }), "power_over_budget");
  assert.equal(power({ comms: 10, life_support: 41 }), "power_over_budget");
  assert.equal(power({ comms: 9, life_support: 41 }), undefined);
  const everything = { ...PLAN, seats: { ...none, outer_ring: 101 }, power: { ...PLAN.power, comms: 99 } };
  assert.equal(planFlaw(everything), "seats_over_total");
});

Deno.test("planFlaw() at numbers as large as they come", () => {
  const most = Number.MAX_SAFE_INTEGER;
  assert.equal(
    planFlaw({ ...PLAN, seats: { outer_ring: most, crew: most, sponsor_deck: 1, medical: 1 } }),
    "seats_over_total",
  );
});

Deno.test("finalPlan() is the best of the passed, else the best valid one, the older of equals", () => {
  const weak = proposal({ id: "P1", plan, votes: {} });
  const strong = proposal({ id: "P2", plan, votes });
  const twin = proposal({ id: "P3", plan, votes });
  const invalid = proposal({ id: "P4", plan: PLAN, votes, status: "invalid" });
  const id = (...proposals: ReturnType<typeof proposal>[]) => finalPlan(station({ proposals }))?.proposal.id;
  assert.equal(id(), undefined);
  assert.equal(id(invalid), undefined);
  assert.equal(id(weak, strong, twin, invalid), "P2");
  assert.equal(id({ ...weak, status: "executed" }, strong), "P1");
  assert.equal(id({ ...weak, status: "executed" }, { ...strong, status: "passed" }), "P2");
  assert.equal(id({ ...weak, status: "blocked" }, invalid), "P1");
  near(finalPlan(station({ proposals: [weak, strong] }))!.e, 0.641);
});

Deno.test("executability() stays in [0, 1] and no vote for a plan lowers it", () => {
  const amount = fc.nat(20);
  const seats = fc.record({ outer_ring: amount, crew: amount, sponsor_deck: amount, medical: amount });
  const power = fc.record({
    life_support: amount,
    docking: amount,
    outer_ring: amount,
    sponsor_deck: amount,
    comms: amount,
  });
  const level = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.record({ seats, power }),
      level,
      level,
      fc.integer({ min: -4, max: 4 }),
      (plan, authority, share, cast) => {
        const state = station({ authority, power: 100 * share });
        assert.equal(planFlaw(plan), undefined);
        const before = executability(proposal({ plan, votes: { C1_COMMAND: cast, C2_EQUITY: 4 } }), state);
        const after = executability(proposal({ plan, votes: { C1_COMMAND: 4, C2_EQUITY: 4 } }), state);
        assert.ok(before >= 0 && before <= 1 + 1e-12 && after >= before);
      },
    ),
    { numRuns: 200, seed: 1 },
  );
});

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
const passing: Votes = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4, C4_CIVIL: -4, F2_SPONSOR: -4 };

Deno.test("gateOutcome() passes what clears all four, and says what it saw", () => {
  // Seats 1; power 0.5 + 0.3 + 0.2 · (0.6 + 2/3 + 1)/3; command 0.6 · 8/16.
  const e = 0.4 + 0.35 * (0.8 + 0.2 * (0.6 + 2 / 3 + 1) / 3) + 0.25 * 0.3;
  const { executability, ...rest } = gateOutcome(proposal({ votes: passing }), station());
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
  assert.equal(passes({ ...passing, C1_COMMAND: 3, C4_CIVIL: -3 }), false, "support 3.75, margin 2");
  assert.equal(passes({ ...clear, F1_OUTER: 3, F2_SPONSOR: 1 }), true, "support 4.00 in quarters");
  const five: Votes = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4, C4_CIVIL: -8, F2_SPONSOR: -1 };
  assert.equal(passes(five), false, "margin 1.75");
  assert.equal(passes({ C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, C4_CIVIL: 4 }), false, "no faction");
  assert.equal(passes(clear, station({ power: 0, authority: 0 })), false, "executability 0.4");
  const seats = { outer_ring: 0, crew: 0, sponsor_deck: 0, medical: 0 };
  assert.equal(passes(clear, station(), { ...PLAN, seats }), false, "no seats");
});

const executed = proposal({ votes: passing, status: "executed" });

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
  const poor = proposal({ id: "P1", votes: passing, status: "executed", plan: { ...PLAN, power } });
  assert.equal(isStabilized(station({ proposals: [poor, proposal({ id: "P2", votes: passing })] })), false);
});
