import fc from "fast-check";
import assert from "node:assert/strict";
import { COUNCIL } from "@/schema/station_ids.ts";
import { applyAction } from "@/station/apply_action.ts";
import { planFlaw } from "@/station/executability.ts";
import { fallback, leastBad, standingPlan } from "@/station/fallback.ts";
import { filing, PLAN, proposal, station, taken } from "./fixtures.ts";

/** By largest remainder: 44.4, 27.8, 16.7, 11.1 seats; 34.8, 21.7, 21.7, 13.0, 8.7 units. */
const STANDING = {
  seats: { outer_ring: 44, crew: 28, sponsor_deck: 17, medical: 11 },
  power: { life_support: 35, docking: 22, outer_ring: 22, sponsor_deck: 13, comms: 8 },
};

Deno.test("standingPlan() shares out by headcount and need", () => assert.deepEqual(standingPlan(station()), STANDING));

Deno.test("standingPlan() uses all the seats and the whole units there are, and breaks no budget", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (power) => {
      const plan = standingPlan(station({ power }));
      assert.equal(planFlaw(plan), undefined);
      assert.equal(Object.values(plan.seats).reduce((a, b) => a + b), 100);
      assert.equal(Object.values(plan.power).reduce((a, b) => a + b), Math.floor(power));
    }),
    { seed: 1 },
  );
  assert.deepEqual(standingPlan(station({ power: 1.9 })).power, {
    life_support: 1,
    docking: 0,
    outer_ring: 0,
    sponsor_deck: 0,
    comms: 0,
  });
});

Deno.test("rule 1: without a valid open proposal, the standing plan", () => {
  const standing = { action: "propose", plan: STANDING };
  for (const role of COUNCIL) assert.deepEqual(fallback(station({ round: 2 }), role), standing);
  const closed = (["invalid", "passed", "executed", "blocked"] as const).map((status, i) =>
    proposal({ id: `P${i}`, status })
  );
  assert.deepEqual(fallback(station({ round: 2, proposals: closed }), "C1_COMMAND"), standing);
});

Deno.test("rule 2: what a role itself stands against, its clerk lets be, before command's broadcast", () => {
  const opposed = [proposal({ votes: { F1_OUTER: -4, C1_COMMAND: -1 } })];
  for (const round of [1, 2]) {
    const state = station({ round, proposals: opposed });
    assert.deepEqual(fallback(state, "F1_OUTER"), { action: "observe" });
    assert.deepEqual(fallback(state, "C1_COMMAND"), { action: "observe" });
    assert.deepEqual(fallback(state, "F2_SPONSOR"), { action: "endorse", target: "P1" });
  }
});

Deno.test("rule 3: command broadcasts in even rounds, no other role does", () => {
  const consolidate = "Command asks every role to gather behind one plan that can be carried out.";
  for (let round = 1; round <= 6; round++) {
    for (const role of COUNCIL) {
      const expected = role === "C1_COMMAND" && round % 2 === 0
        ? { action: "broadcast", statement: consolidate }
        : { action: "endorse", target: "P1" };
      assert.deepEqual(fallback(station({ round, proposals: [proposal()] }), role), expected, `${role} in ${round}`);
    }
  }
});

Deno.test("rule 4: the open proposal that could best be carried out, the oldest of equals, none that the role opposed", () => {
  const dark = { ...PLAN, power: { life_support: 0, docking: 0, outer_ring: 0, sponsor_deck: 0, comms: 0 } };
  const weak = proposal({ id: "P1", plan: dark });
  const [strong, twin] = [proposal({ id: "P2" }), proposal({ id: "P3" })];
  const target = (...proposals: ReturnType<typeof proposal>[]) =>
    fallback(station({ round: 1, proposals }), "F1_OUTER");
  assert.deepEqual(target(weak, strong, twin), { action: "endorse", target: "P2" });
  assert.deepEqual(target(weak, twin, strong), { action: "endorse", target: "P3" });
  const opposed = { ...strong, votes: { ...strong.votes, F1_OUTER: -4 } };
  assert.deepEqual(target(weak, opposed), { action: "endorse", target: "P1" });
  assert.deepEqual(target(weak, { ...strong, status: "passed" }), { action: "endorse", target: "P1" });
  assert.equal(leastBad([weak, strong, twin], station()).id, "P2");
});

Deno.test("no fallback of any role turns or weakens a vote that the role cast, in any room", () => {
  const cast = fc.constantFrom(undefined, -4, -1, 0, 1, 3, 4);
  const votes = fc.record(Object.fromEntries(COUNCIL.map((role) => [role, cast])), { requiredKeys: [] });
  const room = fc.array(fc.record({ votes, status: fc.constantFrom("open", "invalid", "executed") }), { maxLength: 4 });
  fc.assert(
    fc.property(room, fc.constantFrom(...COUNCIL), fc.integer({ min: 1, max: 6 }), (made, role, round) => {
      const proposals = made.map(({ votes, status }, i) =>
        proposal({
          id: `P${i + 1}`,
          status: status as "open",
          votes: Object.fromEntries(Object.entries(votes).filter(([, vote]) => vote !== undefined)),
        })
      );
      const state = station({ round, proposals });
      const chosen = fallback(state, role);
      const event = taken({
        role,
        round,
        action: chosen.action,
        origin: { kind: "fallback", cause: "c", calls: [] },
        ...("target" in chosen && { target: chosen.target }),
        ...("plan" in chosen && { filing: filing({ plan: chosen.plan }) }),
      });
      const after = applyAction(state, event).proposals;
      for (const [i, { votes }] of proposals.entries()) {
        for (const other of COUNCIL) {
          const [was, is] = [votes[other] ?? 0, after[i]!.votes[other] ?? 0];
          assert.ok(other === role ? is >= was && (was >= 0 || is === was) && is <= 4 && is - was <= 1 : is === was);
        }
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});
