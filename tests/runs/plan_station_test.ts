import assert from "node:assert/strict";
import { planStation } from "@/runs/plan_calls.ts";

const prices = { m: { input: 1, output: 10 } };

Deno.test("planStation() counts 36 calls a run and prices them", async () => {
  const plan = await planStation(["m"], { ruleset: "v2", runs: 5, prices });
  assert.equal(plan.calls, 5 * 36);
  assert.equal(plan.completionTokens, 5 * 36 * 200);
  assert.ok(Math.abs(plan.usd! - (plan.promptTokens * 1 + plan.completionTokens * 10) / 1e6) < 1e-9);
  const hidden = await planStation(["m"], { ruleset: "v1", runs: 5, prices });
  assert.ok(hidden.promptTokens < plan.promptTokens, "the schema that is not shown is not paid for");
});

Deno.test("planStation() says which model has no price instead of leaving it out of the sum", async () => {
  const { usd, unpriced, calls } = await planStation(["m", "other"], { ruleset: "v2", runs: 1, prices });
  assert.deepEqual([usd, unpriced, calls], [undefined, ["other"], 72]);
});
