import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { loadCondition } from "@/live/load_condition.ts";
import { loadLineups } from "@/live/scenarios.ts";
import { planCalls } from "@/live/plan_calls.ts";
import { planSequential } from "@/runs/plan_sequential.ts";
import { sequentialSlope } from "@/stats/sequential.ts";
import { slopeError } from "@/stats/weighted_slopes.ts";
import { growing } from "../stats/ensembles.ts";

const looks = [10, 20, 30];

Deno.test("the planned chances are those of simulated studies, and the runs to be expected too", async () => {
  const lambda = 0.02, studies = 300;
  const many = growing(createRng(1), lambda, { replicates: 400 });
  const spread = slopeError(many).error! * Math.sqrt(400);
  const plan = await planSequential({ looks, lambda, spread });
  const counts = looks.map(() => 0);
  let runs = 0;
  for (let i = 0; i < studies; i++) {
    const drawn = growing(createRng(2).fork(i), lambda, { replicates: 30 });
    const { stoppedAt, looks: seen } = sequentialSlope(drawn, { looks, rng: createRng(i), resamples: 400 });
    if (stoppedAt) counts[stoppedAt - 1]!++;
    runs += seen.at(-1)!.n / studies;
  }
  const power = counts.reduce((sum, count) => sum + count, 0) / studies;
  assert.ok(Math.abs(power - plan.power!) < 0.09, `${power} against ${plan.power}`);
  assert.ok(Math.abs(runs - plan.runs!.expected) < 2.5, `${runs} against ${plan.runs!.expected}`);
  assert.ok(plan.power! > 0.2 && plan.power! < 0.95, "a plan that cannot err shows nothing");
});

Deno.test("against a walk a walk's slope has the chance that no slope has otherwise: about α", async () => {
  const { power } = await planSequential({ looks, lambda: 0.0509056, spread: 0.1, against: "walk" });
  const zero = await planSequential({ looks, lambda: 0, spread: 0.1 });
  assert.ok(Math.abs(power! - zero.power!) < 1e-4 && Math.abs(power! - 0.05) < 0.004);
});

Deno.test("a pilot gives what is not assumed, and calls and dollars are those of so many runs", async () => {
  const pilot = growing(createRng(3), 0.05, { replicates: 10 }), { lambda, error } = slopeError(pilot);
  const condition = await loadCondition({ scenario: "HL-01", agents: 2, rounds: 5 }), { prices } = await loadLineups();
  const plan = await planSequential({ looks, pilot, condition, prices });
  const same = await planSequential({ looks, lambda: lambda!, spread: error! * Math.sqrt(10) });
  assert.deepEqual(plan.looks, same.looks);
  const { total } = await planCalls([condition], { replicates: 1, prices });
  assert.deepEqual(plan.calls, { expected: plan.runs!.expected * total.calls, most: 30 * total.calls });
  assert.deepEqual(plan.usd, { expected: plan.runs!.expected * total.usd!, most: 30 * total.usd! });
});

Deno.test("a pilot without a slope plans nothing and says why; nothing assumed is refused", async () => {
  const equal = Array.from({ length: 8 }, () => Array.from({ length: 20 }, () => [0.5, 0.5]));
  assert.deepEqual(await planSequential({ looks, pilot: equal }), { looks: [], reason: "no-divergence" });
  await assert.rejects(planSequential({ looks, lambda: 0.1 }), /needs a pilot, or both lambda and spread/);
  await assert.rejects(planSequential({ looks, lambda: 0.1, spread: 0 }), /spread is 0: must be positive/);
});
