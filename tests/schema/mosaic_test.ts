import assert from "node:assert/strict";
import { Mosaic, rulesHash } from "@/schema/mosaic.ts";
import { executability } from "@/station/executability.ts";
import { near, PLAN, proposal, station } from "../station/fixtures.ts";
import file from "../../scenarios/mosaic-9.json" with { type: "json" };

/** Hash of the rules on file before the parts of executability were declared in it; runs of that time carry it. */
const BEFORE = "8a1503271aa3f1c9e512a02d07d61badcd78c08d89c2e87e3a9390eda639b27f";
const PARTS = { seatsUsed: 0.7, seatsFair: 0.3, fairShare: 0.5, lifeSupport: 0.5, docking: 0.3, otherPower: 0.2 };
const { seats, power, command, votes } = file.executability;
const without = { seats, power, command, votes };
const rules = (change: Partial<typeof PARTS> = {}) =>
  Mosaic.parse({ ...file, executability: { ...file.executability, ...change } });

Deno.test("rulesHash() of the rules on file is that of the runs made before, with the parts written or absent", () => {
  assert.equal(rulesHash(rules()), BEFORE);
  const old = Mosaic.parse({ ...file, executability: without });
  assert.equal(rulesHash(old), BEFORE);
  assert.deepEqual(old.executability, { ...without, ...PARTS }, "an absent key means the constant of that time");
});

Deno.test("rulesHash() changes with every part that differs from its default", () => {
  const names = Object.keys(PARTS) as (keyof typeof PARTS)[];
  const hashes = names.map((name) => rulesHash(rules({ [name]: 0.1 })));
  assert.equal(new Set([BEFORE, ...hashes]).size, names.length + 1);
});

Deno.test("executability() reads its parts from the rules", () => {
  const none = { seatsUsed: 0, seatsFair: 0, lifeSupport: 0, docking: 0, otherPower: 0 };
  const e = (change: Partial<typeof PARTS>) =>
    executability(proposal({ plan: PLAN, votes: {} }), station(), rules({ ...none, ...change }));
  const used = Object.values(PLAN.seats).reduce((sum, seats) => sum + seats, 0) / 100;
  near(e({ seatsUsed: 0.5 }), 0.4 * 0.5 * used);
  near(e({ lifeSupport: 0.5 }), 0.35 * 0.5 * PLAN.power.life_support / 40);
  near(e({ docking: 0.5 }), 0.35 * 0.5 * PLAN.power.docking / 25);
});
