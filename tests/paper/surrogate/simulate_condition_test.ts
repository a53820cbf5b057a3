import assert from "node:assert/strict";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import { simulateCondition } from "@/paper/surrogate/simulated_facts.ts";
import { collectRuns } from "@/runs/collect_runs.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { loadSurrogateParameters } from "@/runs/scenarios.ts";
import type { ConditionSpec } from "@/schema/condition.ts";

const parameters = { ...await loadSurrogateParameters(), malformedShare: 0 };
const CONDITIONS: readonly ConditionSpec[] = [
  { scenario: "IM-01", rounds: 3, variant: "formal", ablate: "Rights" },
  { scenario: "CL-04", rounds: 3, lineup: "mixed", roles: false, temperature: 0.7, agents: 7, window: 2 },
];

for (const spec of CONDITIONS) {
  Deno.test(`simulateCondition() gives the numbers of the council's own runs: ${JSON.stringify(spec)}`, async () => {
    const condition = await loadCondition(spec);
    const [options, chat] = [{ replicates: 4, seed: 3 }, surrogate(parameters)];
    const { runs } = await collectRuns(condition, { ...options, chat });
    const facts = runs.map(({ preferences, means, decision }) => ({ preferences, means, decision }));
    assert.deepEqual(simulateCondition(condition, parameters, options), facts);
  });
}

Deno.test("simulateCondition() gives one run a replicate, the same for the same seed and others for another", async () => {
  const condition = await loadCondition({ scenario: "CL-04", agents: 3, rounds: 4, temperature: 0.7 });
  const runs = simulateCondition(condition, parameters, { replicates: 3, seed: 1 });
  assert.deepEqual(runs.map(({ preferences }) => [preferences.length, preferences[0]!.length]), Array(3).fill([4, 3]));
  assert.deepEqual(runs.map(({ means }) => means[3]!.length), [5, 5, 5]);
  // More replicates are added to those there are.
  assert.deepEqual(simulateCondition(condition, parameters, { replicates: 5, seed: 1 }).slice(0, 3), runs);
  assert.notDeepEqual(simulateCondition(condition, parameters, { replicates: 3, seed: 2 }), runs);
  const means = runs[0]!.preferences[0]![0]!.map((_, k) =>
    runs[0]!.preferences[0]!.reduce((sum, agent) => sum + agent[k]!, 0) / 3
  );
  assert.deepEqual(runs[0]!.means[0], means);
});
