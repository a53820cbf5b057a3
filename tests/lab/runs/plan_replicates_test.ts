import assert from "node:assert/strict";
import { close, growing } from "../../stats/ensembles.ts";
import { createRng } from "@/core/rng.ts";
import { planContrast, planReplicates } from "@/lab/runs/plan_replicates.ts";
import { slopeError } from "@/stats/weighted_slopes.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { loadLineups } from "@/lab/live/scenarios.ts";
import { parameters } from "./councils.ts";

const rng = createRng(8);
/** Populations of two conditions that grow by 0.08 and 0.03 nats per round. */
const fast = growing(rng.fork("fast"), 0.08, { replicates: 300 });
const slow = growing(rng.fork("slow"), 0.03, { replicates: 300 });

Deno.test("planReplicates() plans what fresh ensembles then show: power 0.8 within 0.1", () => {
  const effect = 0.02;
  const { replicates, error } = planReplicates([fast, slow], { effect });
  assert.ok(close(error! * (1.959963984540054 + 0.8416212335729143), effect, effect * 0.05));
  const ensembles = 250;
  const shown = Array.from({ length: ensembles }, (_, i) => {
    const draw = (name: string, lambda: number) =>
      slopeError(growing(rng.fork(`${name} ${i}`), lambda, { replicates: replicates! }));
    const [a, b] = [draw("a", 0.05), draw("b", 0.03)];
    return Math.abs(a.lambda! - b.lambda!) > 1.96 * Math.hypot(a.error!, b.error!);
  }).filter(Boolean).length;
  assert.ok(Math.abs(shown / ensembles - 0.8) < 0.1, `${shown / ensembles} with ${replicates} runs`);
});

Deno.test("planReplicates() by hand: (1.96 + 0.8416)² times the sum of the pilots' variances over the effect squared", () => {
  const pilots = [fast.slice(0, 10), slow.slice(0, 15), fast.slice(10, 20), slow.slice(15, 30)];
  const variance = pilots.reduce((sum, pilot) => sum + pilot.length * slopeError(pilot).error! ** 2, 0);
  const byHand = Math.ceil(((1.95996398 + 0.84162123) ** 2 * variance) / 0.015 ** 2);
  assert.equal(planReplicates(pilots, { effect: -0.015 }).replicates, byHand);
  const strict = planReplicates(pilots, { effect: 0.015, power: 0.9, level: 0.99 }).replicates;
  assert.equal(strict, Math.ceil(((2.57582930 + 1.28155157) ** 2 * variance) / 0.015 ** 2));
  assert.equal(planReplicates(pilots, { effect: 9 }).replicates, 3, "fewer have no interval");
});

Deno.test("planReplicates() without a usable pilot says why, and refuses what cannot be planned", () => {
  assert.deepEqual(planReplicates([fast, fast.slice(0, 2)], { effect: 0.01 }), { reason: "too-few-replicates" });
  for (const effect of [0, NaN, Infinity]) {
    assert.throws(() => planReplicates([fast], { effect }), {
      name: "RangeError",
      message: new RegExp(`effect is ${effect}`),
    });
  }
  assert.throws(() => planReplicates([fast], { effect: 1, power: 1 }), { name: "RangeError", message: /power is 1/ });
  assert.throws(() => planReplicates([fast], { effect: 1, level: 0 }), { name: "RangeError", message: /level is 0/ });
});

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
