import assert from "node:assert/strict";
import { loadCondition } from "@/runs/load_condition.ts";
import { measureConditions } from "@/runs/measure_runs.ts";
import type { ConditionRuns } from "@/runs/run_experiment.ts";

const [A, B, C] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** Runs whose committee mean leaves the middle along two directions, e^(0.1 t) apart. */
async function ensemble(rounds: number, agents: number, decisions: (string | undefined)[], tops: number[][][]) {
  const condition = await loadCondition({ scenario: "HL-01", rounds, agents });
  const runs = decisions.map((decision, replicate) => ({
    ...{ replicate, decision, preferences: tops.map((round) => round) },
    means: Array.from({ length: rounds }, (_, t) => {
      const step = 0.01 * (replicate + 1) * Math.exp(0.1 * (t + 1));
      return [1 / 3 + step, 1 / 3 - step, 1 / 3];
    }),
  }));
  const accounting = { name: "x", target: runs.length, realised: runs.length, deficit: 0, causes: {} };
  return { name: "x", condition, accounting, runs } as unknown as ConditionRuns;
}

Deno.test("measureConditions() gives slope, flip rate and time to majority of each condition", async () => {
  const split = Array.from({ length: 20 }, (_, t) => t < 4 ? [A!, B!, C!, A!, B!] : [A!, B!, C!, A!, A!]);
  const [cell] = measureConditions([await ensemble(20, 5, ["A", "A", "B", undefined], split)], { seed: 3 });
  assert.ok(Math.abs(cell!.lambda! - 0.1) < 1e-12);
  assert.equal(cell!.flip, 1 / 3, "one of three decisions");
  assert.equal(cell!.undecided, 1);
  assert.deepEqual(cell!.times, [5, 5, 5, 5]);
  assert.equal(cell!.majority, 5);
  assert.equal(cell!.means.length, 4);
});

Deno.test("a majority is more than half of the agents; never counts as the round after the last", async () => {
  const three = Array.from({ length: 10 }, () => [A!, A!, A!, B!, B!, C!, C!]);
  const [of7] = measureConditions([await ensemble(10, 7, ["A", "A"], three)]);
  assert.deepEqual([of7!.times, of7!.majority], [[undefined, undefined], 11]);
  const [of3] = measureConditions([await ensemble(10, 3, ["A", "A"], Array.from({ length: 10 }, () => [A!, A!, B!]))]);
  assert.equal(of3!.majority, 1);
});

Deno.test("a run shorter than the window is fitted to its end, a longer one to round 20 unless told", async () => {
  const flat = (rounds: number) => Array.from({ length: rounds }, () => [A!, A!, A!, A!, A!]);
  const conditions = [await ensemble(10, 5, ["A", "A"], flat(10)), await ensemble(40, 5, ["A", "A"], flat(40))];
  assert.deepEqual(measureConditions(conditions).map(({ used }) => used.at(-1)), [10, 20]);
  assert.deepEqual(measureConditions(conditions, { to: 40 }).map(({ used }) => used.at(-1)), [10, 40]);
});

Deno.test("a condition without runs has no rate and no median", async () => {
  const [cell] = measureConditions([await ensemble(20, 5, [], [])]);
  assert.deepEqual([cell!.reason, cell!.flip, cell!.majority], ["too-few-replicates", undefined, undefined]);
});
