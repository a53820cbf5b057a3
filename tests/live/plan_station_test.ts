import assert from "node:assert/strict";
import { planStation, stationRequests } from "@/live/plan_station.ts";
import type { RoleModels } from "@/schema/station_ids.ts";
import { stationPlan } from "@/station/run_station.ts";
import { withFiles } from "../runs/with_files.ts";

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

Deno.test("fault 09: a preflight that told a usage that cannot be true is planned on as if it had told none", async () => {
  const { request } = (await stationRequests(stationPlan({ council: "none", ruleset: "v2" })))[0]!;
  const planned = async (usage: object) => {
    const told = { at: "2026-01-01T00:00:00Z", council: "live:a", request: { ...request, model: "m" } };
    const line = JSON.stringify({ schema: "preflight/1", ...told, reply: { text: "{}", usage } });
    let estimate: unknown;
    await withFiles({ "preflight/calls.jsonl": `${line}\n` }, async (out) => {
      estimate = await planStation(fresh(2, "m"), { ruleset: "v2", prices: {}, out: [out] });
    });
    return estimate;
  };
  const untold = await planStation(fresh(2, "m"), { ruleset: "v2", prices: {} });
  assert.deepEqual(await planned({ promptTokens: 9e15, completionTokens: 9e15 }), untold);
  assert.notDeepEqual(await planned({ promptTokens: 900, completionTokens: 90 }), untold);
});
