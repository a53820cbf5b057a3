import assert from "node:assert/strict";
import { planStation } from "@/lab/live/plan_station.ts";
import type { RoleModels } from "@/schema/station_ids.ts";

/** Runs of the station of which nothing is on record. */
const fresh = (runs: number, ...models: RoleModels[]) =>
  models.flatMap((model) => Array.from({ length: runs }, () => ({ model, filled: 0 })));

const stationPrices = { m: { input: 1, output: 10 } };

Deno.test("planStation() counts 36 calls a run and prices them", async () => {
  const plan = await planStation(fresh(5, "m"), { ruleset: "v2", prices: stationPrices });
  assert.equal(plan.calls, 5 * 36);
  assert.equal(plan.completionTokens, 5 * 36 * 200);
  assert.ok(Math.abs(plan.usd! - (plan.promptTokens * 1 + plan.completionTokens * 10) / 1e6) < 1e-9);
  const hidden = await planStation(fresh(5, "m"), { ruleset: "v1", prices: stationPrices });
  assert.ok(hidden.promptTokens < plan.promptTokens, "the schema that is not shown is not paid for");
});

Deno.test("planStation() leaves out the slots of each run that are filled on record", async () => {
  const plan = await planStation([{ model: "m", filled: 36 }, { model: "m", filled: 30 }, ...fresh(1, "m")], {
    ruleset: "v2",
    prices: stationPrices,
  });
  assert.equal(plan.calls, 0 + 6 + 36);
});

Deno.test("planStation() says which model has no price instead of leaving it out of the sum", async () => {
  const { usd, unpriced, calls } = await planStation(fresh(1, "m", "other"), { ruleset: "v2", prices: stationPrices });
  assert.deepEqual([usd, unpriced, calls], [undefined, ["other"], 72]);
});

Deno.test("planStation() prices each role's calls by its own model", async () => {
  const one = await planStation(fresh(1, "m"), { ruleset: "v2", prices: stationPrices });
  const both = { ...stationPrices, dear: { input: 2, output: 20 } };
  const dear = await planStation(fresh(1, { C1_COMMAND: "dear", default: "m" }), { ruleset: "v2", prices: both });
  assert.deepEqual([dear.calls, dear.promptTokens], [one.calls, one.promptTokens]);
  // Six of the 36 calls cost twice as much, at prompts of much the same length.
  const share = dear.usd! / one.usd! - 1;
  assert.ok(share > 0.15 && share < 0.18, String(share));
});
