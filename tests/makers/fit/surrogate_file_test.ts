import assert from "node:assert/strict";
import { mean } from "simple-statistics";
import { createRng } from "@/core/rng.ts";
import { fitTargets, landscapeTargets, modelTargets } from "./fit_targets.ts";
import { packetWording } from "@/lab/paper/surrogate/simulate_condition.ts";
import { simulatedLambda } from "./committees.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { listScenarios, loadLineups, loadScenario, loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import { fitScenario, LANDSCAPE_SEARCH, surrogateStart } from "./fit.ts";

/** The committed parameters, `scenarios/surrogate.json`, against what they were fitted to and the files beside them. */

const parameters = await loadSurrogateParameters();

Deno.test("every scenario on file has fitted parameters for as many options as its packet", async () => {
  for (const { id } of await listScenarios()) {
    const scenario = parameters.scenarios[id];
    assert.ok(scenario?.fitted, id);
    const { options } = await loadScenario(id);
    assert.equal(scenario.prior.length, options.length, id);
    for (const weights of Object.values(scenario.anchors)) assert.equal(weights.length, options.length, id);
  }
});

Deno.test("the file holds what the fit's start sets, and what each search was for", async () => {
  const start = await surrogateStart();
  assert.deepEqual(parameters.models, start.models);
  const { uniform, mixed } = (await loadLineups()).lineups;
  const reference = uniform!.models.Chair;
  const centredOver = Object.values(mixed!.models).filter((model) => model !== reference);
  assert.deepEqual(
    start.models,
    { seed: 1, reference, centredOver },
    "the line-ups have changed: data/surrogate/start.json",
  );
  for (const name of ["noiseShare", "temperatureNoise", "wordingSpread"] as const) {
    assert.equal(parameters.mechanism[name], start.mechanism[name], name);
  }
  for (const [id, { anchors }] of Object.entries(start.scenarios)) {
    const { Security: _, ...fixed } = anchors;
    const { Security: __, ...found } = parameters.scenarios[id]!.anchors;
    assert.deepEqual(found, fixed, id);
  }
  // Stage 1: eleven λ̂, seven flips, seven times, three switches, three outcomes, five signs, Γ̂ and the Chair's fall, and
  // nine readings. Stage 2: two slopes each of ten scenarios and four models, and three falls.
  assert.equal(parameters.fit!.reduce((sum, { targets }) => sum + targets, 0), 38 + 9 + 20 + 8 + 3);
});

Deno.test("a scenario's numbers are those that its search finds from the first stage's, as the file says", async () => {
  const { scenarios: begun } = await surrogateStart();
  const start = structuredClone({ ...parameters, scenarios: { ...parameters.scenarios, "IM-02": begun["IM-02"]! } });
  const targets = (await landscapeTargets()).get("IM-02")!;
  const { parameters: found, loss } = await fitScenario(start, "IM-02", targets, { seed: 3, ...LANDSCAPE_SEARCH });
  assert.deepEqual(found.scenarios["IM-02"], parameters.scenarios["IM-02"]);
  const search = parameters.fit!.find(({ stage }) => stage === "IM-02")!;
  assert.equal(Number(loss.toFixed(3)), search.loss);
  assert.equal(search.command, "deno task dev fit --seed 3 --landscape-only");
});

Deno.test("IM-01's prior belongs to the canonical packet as it stands", async () => {
  const wording = packetWording(await loadCondition({ scenario: "IM-01" }));
  assert.equal(
    parameters.scenarios["IM-01"]!.wording,
    wording,
    "the packet has changed: deno task dev fit --landscape-only",
  );
});

// R = 20 scatters by 0.01 to 0.02; the mean of six ensembles by some 0.007. CL-04 without roles is missed by 0.018.
Deno.test("fresh ensembles meet the fitted λ̂ within what is said of the fit", async () => {
  const later = [await landscapeTargets(), await modelTargets()].flatMap((map) => [...map.values()].flat());
  const targets = [...await fitTargets(), ...later];
  assert.equal(targets.length, 11 + 24 + 8);
  const misses = targets.map(({ name, lambda, n = 20, spec }) => {
    const seeds = Array.from({ length: 6 }, (_, e) => createRng(5).fork(name).fork(e).key);
    return Math.abs(mean(seeds.map((seed) => simulatedLambda(spec, parameters, seed, n)!)) - lambda);
  });
  assert.ok(Math.max(...misses) < 0.03, `${Math.max(...misses)}`);
  const rmse = Math.sqrt(misses.reduce((sum, miss) => sum + miss ** 2, 0) / misses.length);
  assert.ok(rmse < 0.012, `${rmse}`);
});
