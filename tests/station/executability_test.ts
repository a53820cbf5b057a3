import fc from "fast-check";
import assert from "node:assert/strict";
import type { Plan } from "@/schema/station_ids.ts";
import { executability, finalPlan, netVotes, planFlaw, powerScore } from "@/station/executability.ts";
import { near, PLAN, proposal, station } from "./fixtures.ts";

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
