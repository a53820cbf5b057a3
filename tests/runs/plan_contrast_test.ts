import assert from "node:assert/strict";
import { growing } from "../stats/ensembles.ts";
import { createRng } from "@/core/rng.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { planContrast, planReplicates } from "@/runs/plan_replicates.ts";
import { loadLineups } from "@/runs/scenarios.ts";
import { parameters } from "./councils.ts";

Deno.test("planContrast() counts 106 calls for each run that it asks for, in both conditions, and prices them", async () => {
  const [{ prices }, on, off] = await Promise.all([
    loadLineups(),
    loadCondition({ scenario: "HL-01" }),
    loadCondition({ scenario: "HL-01", roles: false }),
  ]);
  const pilots = [0.08, 0.03].map((lambda) => growing(createRng(5), lambda, { replicates: 10 }));
  const conditions = [{ condition: on, pilot: pilots[0]! }, { condition: off, pilot: pilots[1]! }];
  const { replicates, error, calls } = await planContrast(conditions, { effect: 0.03, prices, parameters });
  assert.deepEqual({ replicates, error }, planReplicates(pilots, { effect: 0.03 }));
  assert.deepEqual(calls!.conditions.map(({ calls }) => calls), [106 * replicates!, 106 * replicates!]);
  assert.equal(calls!.total.calls, 212 * replicates!);
  assert.ok(calls!.total.usd! > 0);
  const none = await planContrast(conditions.with(1, { condition: off, pilot: [] }), {
    effect: 0.03,
    prices,
    parameters,
  });
  assert.deepEqual(none, { reason: "too-few-replicates" });
});
