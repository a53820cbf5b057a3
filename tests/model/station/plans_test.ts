import fc from "fast-check";
import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { CAMPS, PARAMETERS } from "@/model/station/parameters.ts";
import { draftPlan } from "@/model/station/plans.ts";
import { readSeat, readSight } from "@/model/station/read_sight.ts";
import {
  BREAKS,
  garble,
  inDialect,
  inSchema,
  NEAR_MISSES,
  planIn,
  readOwnReply,
  writeReply,
} from "@/model/station/write_reply.ts";
import { COUNCIL } from "@/schema/station_ids.ts";
import { Plan } from "@/schema/station_reply.ts";
import { planFlaw } from "@/station/executability.ts";
import { parseProposal } from "@/station/parse_proposal.ts";
import { parseReply } from "@/station/parse_reply.ts";
import { PLAN, request, stateOf } from "./requests.ts";

const LEANINGS = [
  PARAMETERS.triage.leaning,
  PARAMETERS.coalition.leaning,
  PARAMETERS.auditor.leaning,
  PARAMETERS.broadcaster.leaning,
  PARAMETERS.chaser.leaning,
  CAMPS.ring.leaning,
  CAMPS.docks.leaning,
];

Deno.test("every plan keeps its budgets, fills the seats, and whoever knows the power keeps to it", () => {
  for (const power of [100, 83.7, 40]) {
    for (const role of COUNCIL) {
      const [system, user] = request(role, { state: stateOf({ power }) }).messages;
      const sight = readSight(user!.content, readSeat(system!.content));
      for (const leaning of LEANINGS) {
        for (let seed = 0; seed < 10; seed++) {
          const plan = Plan.parse(draftPlan(sight, leaning, createRng(seed)));
          assert.equal(planFlaw(plan), undefined);
          const seats = Object.values(plan.seats).reduce((a, b) => a + b);
          const units = Object.values(plan.power).reduce((a, b) => a + b);
          assert.deepEqual([seats, units], [100, role === "C3_ENGINEER" ? Math.floor(power) : 100]);
        }
      }
    }
  }
});

const amount = fc.nat(99);
const plain = { noNullPrototype: true };
const anyPlan = fc.record({
  seats: fc.record({ outer_ring: amount, crew: amount, sponsor_deck: amount, medical: amount }, plain),
  power: fc.record(
    { life_support: amount, docking: amount, outer_ring: amount, sponsor_deck: amount, comms: amount },
    plain,
  ),
}, plain);

Deno.test("the schema's shape is read strictly; no near miss is, but the normaliser reads each without moving a number", () => {
  fc.assert(fc.property(anyPlan, (plan) => {
    const strict = parseProposal(JSON.stringify(inSchema(plan)), { normaliser: false });
    assert.ok(strict.ok);
    assert.deepEqual(strict.value.plan, plan);
    for (const write of NEAR_MISSES) {
      const text = JSON.stringify(write(plan));
      assert.ok(!parseProposal(text, { normaliser: false }).ok, text);
      const lenient = parseProposal(text, { normaliser: true });
      assert.ok(lenient.ok, text);
      assert.deepEqual(lenient.value.plan, plan);
      assert.ok(lenient.value.repairs.length > 0);
    }
  }));
});

Deno.test("the dialect in full, by hand", () => {
  assert.deepEqual(inDialect(PLAN), {
    evacuation: [
      { group: "Outer Ring", seats: "44 seats" },
      { group: "Crew", seats: "28 seats" },
      { group: "Sponsor Deck", seats: "17 seats" },
      { group: "Medical", seats: "11 seats" },
    ],
    energy: {
      lifeSupport: "40 units",
      docking: "25 units",
      outerRing: "17 units",
      sponsorDeck: "10 units",
      comms: "8 units",
    },
  });
});

Deno.test("its own reply gives back the deed it meant, in whatever dialect", () => {
  fc.assert(fc.property(anyPlan, (plan) => {
    for (const write of [inSchema, ...NEAR_MISSES]) {
      const deed = { action: "fork_proposal", target: "P12", plan } as const;
      assert.deepEqual(readOwnReply(writeReply(deed, "So be it.", write)), { deed, statement: "So be it." });
    }
  }));
  assert.deepEqual(planIn({ seats: { crew: 1 } }), undefined, "too few amounts");
  for (const broken of ["", "null", "[]", '{"action":"dance"}', '{"action":"speak"']) {
    assert.equal(readOwnReply(broken), undefined);
  }
});

Deno.test("a garbled reply can be read by no parser", () => {
  const replies = [
    writeReply({ action: "propose", plan: PLAN }, "A plan, at last.", inSchema),
    writeReply({ action: "speak" }, "Nothing to add.", inSchema),
    writeReply({ action: "fact_check", target: "R1" }, undefined, inSchema),
  ];
  for (const reply of replies) {
    assert.ok(parseReply(reply, { normaliser: false }).ok);
    for (let seed = 0; seed < 60; seed++) {
      for (const spoil of [...BREAKS, garble]) {
        const text = spoil(reply, createRng(seed));
        assert.ok(!parseReply(text, { normaliser: true }).ok, text);
        assert.ok(!parseReply(text, { normaliser: false }).ok, text);
      }
    }
  }
});
