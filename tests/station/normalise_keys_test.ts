import assert from "node:assert/strict";
import { findFlatKey, findMember, findPlanKey, isPlanKey } from "@/station/normalise_keys.ts";

Deno.test("keys of the wording that models use are known", () => {
  for (const key of ["seats", "evacuation_seats", "evac", "evacSeats", "groups", "allocation.seats"]) {
    assert.equal(findPlanKey(key)?.name, "seats", key);
  }
  for (const key of ["power", "power_units", "energy", "Energy Units", "systems"]) {
    assert.equal(findPlanKey(key)?.name, "power", key);
  }
  assert.equal(findMember.power("Communications")?.name, "comms");
  assert.equal(findMember.seats("outerRing")?.name, "outer_ring");
  assert.equal(findMember.seats("docking"), undefined, "people do not travel in a dock");
});

Deno.test("flat keys name their table, and a bare member names none", () => {
  assert.deepEqual(findFlatKey("seats_outer_ring"), { table: "seats", place: "seats.outer_ring", repairs: [] });
  assert.deepEqual(findFlatKey("outer_ring_seats"), { table: "seats", place: "seats.outer_ring", repairs: [] });
  assert.deepEqual(findFlatKey("outer_ring_power"), { table: "power", place: "power.outer_ring", repairs: [] });
  assert.deepEqual(findFlatKey("lifeSupportUnits")?.repairs, [
    "key_synonym:life_support_units->power_life_support",
    "key_case",
  ]);
  assert.equal(findFlatKey("outer_ring"), undefined);
  assert.deepEqual(["crew_seats", "energy", "rationale", "crew"].map(isPlanKey), [true, true, false, false]);
});
