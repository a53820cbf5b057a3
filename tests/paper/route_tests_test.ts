import assert from "node:assert/strict";
import { growing } from "../stats/ensembles.ts";
import { createRng } from "@/core/rng.ts";
import { type RoutedCondition, routeGroups, routeTests } from "@/paper/route_tests.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import { benjaminiHochberg, holm, labelPermutation } from "@/stats/mod.ts";

const rng = createRng(6);

/** Runs of a condition that grow at a rate of their own. */
async function cell(spec: ConditionSpec, lambda: number): Promise<RoutedCondition> {
  const condition = await loadCondition(spec);
  const runs = growing(rng.fork(JSON.stringify(spec)), lambda, { replicates: 8 }).map((means) => ({ means }));
  return { condition, runs };
}

const conditions = await Promise.all(["IM-01", "HL-01"].flatMap((scenario) => [
  cell({ scenario, roles: true, temperature: 0.1 }, 0.2),
  cell({ scenario, roles: true, window: 3 }, 0.2),
  cell({ scenario, ablate: "Chair" }, 0.2),
  cell({ scenario, roles: false }, 0.02),
  cell({ scenario, roles: true }, 0.02),
  cell({ scenario, roles: false, lineup: "mixed" }, scenario === "HL-01" ? 0.12 : 0.02),
  cell({ scenario, roles: true, lineup: "mixed" }, 0.05),
]));

Deno.test("routeGroups() takes the four plain cells of each scenario and none of the others", () => {
  const groups = routeGroups([...conditions, conditions[0]!]);
  assert.deepEqual(groups.map(({ scenario }) => scenario), ["IM-01", "HL-01"]);
  const means = (i: number) => conditions[i]!.runs.map((run) => run.means);
  assert.deepEqual(groups[1], {
    ...{ scenario: "HL-01", neither: means(10), first: means(11), second: means(12), both: means(13) },
  });
  const three = conditions.filter(({ condition }) => condition.lineup !== "mixed" || condition.roles);
  assert.throws(() => routeGroups(three), { name: "UserError", message: /^no scenario has roles on and off crossed/ });
});

Deno.test("routeTests() adjusts over all scenarios and routes together, and finds the one difference there is", () => {
  const groups = routeGroups(conditions);
  const tests = routeTests(groups, { rng, permutations: 499 });
  assert.deepEqual(tests.map(({ scenario, route }) => [scenario, route]), [
    ["IM-01", "roles"],
    ["IM-01", "mixed line-up"],
    ["HL-01", "roles"],
    ["HL-01", "mixed line-up"],
  ]);
  const ps = tests.map(({ p }) => p);
  assert.deepEqual(tests.map((test) => test.holm), holm(ps));
  assert.deepEqual(tests.map((test) => test.benjaminiHochberg), benjaminiHochberg(ps));
  assert.deepEqual(tests.map((test) => test.holm! <= 0.05), [false, false, false, true]);
  const { second, neither } = groups[1]!;
  const own = labelPermutation(second, neither, { rng: rng.fork("HL-01").fork("mixed line-up"), permutations: 499 });
  assert.deepEqual([tests[3]!.delta, tests[3]!.p], [own.delta, own.p]);
  assert.ok(tests[3]!.delta! > 0.05);
});

Deno.test("routeTests() counts a test without a p, and says why it has none", () => {
  const [im, hl] = routeGroups(conditions);
  const tests = routeTests([im!, { ...hl!, first: hl!.first.slice(0, 2) }], { rng, permutations: 99 });
  const { p, holm: adjusted, delta, reason } = tests[2]!;
  assert.deepEqual([p, adjusted, reason], [undefined, undefined, "too-few-replicates"]);
  assert.ok(delta !== undefined);
  assert.equal(tests[3]!.holm, Math.min(1, 4 * tests[3]!.p!), "the smallest of four");
});
