import assert from "node:assert/strict";
import { landscapeTargets } from "@/paper/surrogate/fit_targets.ts";
import { LANDSCAPE_CHECKS, type LandscapeFacts, landscapeFacts } from "@/paper/surrogate/landscape_predictions.ts";
import { loadLandscapePredictions } from "@/paper/surrogate/predictions.ts";
import { loadSurrogateParameters } from "@/runs/scenarios.ts";

const branching = Array.from(
  { length: 5 },
  () => ({ gamma: 0.05, entropy: 0.05, initial: 0, cosIn: 0.99, cosOut: 0.98 }),
);
const changes = { k15: 0.05, k3: 0.02, k1: 0.01, noChair: 0.03 };
/** Facts under which every statement holds. */
const holding: LandscapeFacts = {
  hot: [0.01, 0.02, 0.03, 0.04].map((lambda, i) => ({ roles: i > 1, published: 2 * lambda, lambda })),
  coldRoles: [0.02, 0.02],
  sweep: [0, 1e-5, 0.01, 0.7].flatMap((temperature) => [
    { temperature, roles: true, lambda: 0.08 },
    { temperature, roles: false, lambda: 0.01 },
  ]),
  changed: { "HL-01": changes, "CL-01": changes, "SP-03": changes, "AI-01": changes },
  models: new Map([["google/gemini-2.5-flash", 0.1], ["openai/gpt-4.1", 0.05]]),
  branching,
  wordings: 0.03,
  oneWording: 0.08,
};
const changed = (scenario: string, change: Partial<typeof changes>): Partial<LandscapeFacts> => ({
  changed: { ...holding.changed, [scenario]: { ...changes, ...change } },
});
/** What breaks each statement, and it alone or those that follow from it. */
const BREAKING: Readonly<Record<string, Partial<LandscapeFacts>>> = {
  "hot-landscape-ranked": { hot: holding.hot.map((cell) => ({ ...cell, published: -cell.published })) },
  "hot-landscape-well-ranked": { hot: holding.hot.map((cell, i) => ({ ...cell, published: [1, 3, 4, 2][i]! })) },
  "roles-above-on-average": { hot: holding.hot.map((cell) => ({ ...cell, roles: !cell.roles })) },
  "sweep-roles-above": { sweep: holding.sweep.map((cell) => ({ ...cell, roles: !cell.roles })) },
  "hl-k3-below": changed("HL-01", { k3: 0.05 }),
  "gemini-above-gpt": { models: new Map([["google/gemini-2.5-flash", 0.1], ["openai/gpt-4.1", 0.1]]) },
  "branching-positive": { branching: branching.with(4, { ...branching[4]!, gamma: 0 }) },
  "branching-structured": { branching: branching.with(4, { ...branching[4]!, cosOut: 0.99 }) },
  "sweep-flat": {
    sweep: holding.sweep.map((cell) => (cell.temperature >= 0.01 ? { ...cell, lambda: cell.lambda + 0.02 } : cell)),
  },
  "cl-k3-below": changed("CL-01", { k3: 0.06 }),
  "cl-k1-below": changed("CL-01", { k1: 0.06 }),
  "sp-k3-below": changed("SP-03", { k3: 0.06 }),
  "ai-k3-below": changed("AI-01", { k3: 0.06 }),
  "no-chair-below": changed("SP-03", { noChair: 0.06 }),
  "roles-rise-with-heat": { coldRoles: [0.03, 0.03] },
  "wordings-below-replicates": { wordings: 0.08 },
};

Deno.test("every prediction of the landscape has a check, and every check a prediction", async () => {
  const { predictions } = await loadLandscapePredictions();
  assert.deepEqual(predictions.map(({ id }) => id).toSorted(), Object.keys(LANDSCAPE_CHECKS).toSorted());
  assert.deepEqual(Object.keys(BREAKING).toSorted(), Object.keys(LANDSCAPE_CHECKS).toSorted());
});

for (const [id, check] of Object.entries(LANDSCAPE_CHECKS)) {
  Deno.test(`the check of ${id} can hold and fail`, () => {
    assert.equal(check(holding), true);
    assert.equal(check({ ...holding, ...BREAKING[id] }), false);
  });
}

Deno.test("landscapeFacts() has every condition, is a function of its seed, and finds only what exists", async () => {
  const parameters = await loadSurrogateParameters();
  const few = { seed: 11, replicates: 4 };
  const facts = await landscapeFacts(parameters, few);
  assert.deepEqual(await landscapeFacts(parameters, few), facts);
  const cells = [...(await landscapeTargets(0.1)).values()].flat();
  assert.deepEqual(facts.hot.map(({ published }) => published), cells.map(({ lambda }) => lambda));
  assert.deepEqual([facts.coldRoles.length, facts.sweep.length, facts.models.size, facts.branching.length], [
    12,
    16,
    4,
    5,
  ]);
  assert.deepEqual(facts.hot.filter(({ roles }) => roles).length, 12);
  const numbers = [facts.wordings, facts.oneWording, ...facts.coldRoles, ...facts.sweep.map(({ lambda }) => lambda)];
  assert.ok(numbers.every(Number.isFinite));
  assert.notEqual(facts.changed["HL-01"]!.k3, facts.changed["HL-01"]!.k15);
});
