import assert from "node:assert/strict";
import { fitTargets } from "@/paper/surrogate/fit_targets.ts";
import { simulatedLambda } from "@/paper/surrogate/simulated_facts.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import { parameters } from "../../model/surrogate/parameters.ts";
import { atPoint, fitSurrogate, pointOf, STAGE_ONE_KNOBS } from "./fit.ts";
import { stageOneLoss, stageOneTerms } from "./loss.ts";
import { stageOneSimulation } from "./simulations.ts";

const targets = await fitTargets();
const terms = await stageOneTerms();

// Deliberation paper, Fig. 1B for HL-01 and Table S5 for IM-01, at T = 0.
const PUBLISHED: readonly [ConditionSpec, number][] = [
  [{ scenario: "HL-01", roles: false }, 0.0221],
  [{ scenario: "HL-01" }, 0.0541],
  [{ scenario: "HL-01", roles: false, lineup: "mixed" }, 0.0947],
  [{ scenario: "HL-01", lineup: "mixed" }, 0.0519],
  [{ scenario: "IM-01" }, 0.0838],
  [{ scenario: "IM-01", roles: false }, 0.0045],
  [{ scenario: "IM-01", ablate: "Chair" }, 0.0304],
  [{ scenario: "IM-01", ablate: "Welfare" }, 0.0680],
  [{ scenario: "IM-01", ablate: "Rights" }, 0.0711],
  [{ scenario: "IM-01", ablate: "Equity" }, 0.0413],
  [{ scenario: "IM-01", ablate: "Security" }, 0.0822],
];

Deno.test("fitTargets() gives the eleven published λ̂ at T = 0, each with its own committee", async () => {
  const expected = await Promise.all(PUBLISHED.map(async ([spec, lambda]) => {
    const { packet, seats, order, temperature, window, rounds } = await loadCondition(spec);
    const mechanical = seats.map(({ model, role, mandate }) => ({ model, mandate: mandate === "" ? undefined : role }));
    const optionCount = packet.options.length;
    return {
      lambda,
      spec: { scenario: packet.id, optionCount, seats: mechanical, order, temperature, window, rounds },
    };
  }));
  const found = targets.map(({ lambda, spec }) => ({ lambda, spec }));
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  assert.deepEqual(found.toSorted(byText), expected.toSorted(byText));
  assert.equal(new Set(targets.map(({ name }) => name)).size, 11);
  for (const { name, spec: { seats } } of targets) {
    const ablated = /without (\w+)'s mandate/.exec(name)?.[1];
    assert.equal(
      seats.filter(({ mandate }) => mandate === undefined).length,
      ablated ? 1 : name.endsWith("off") ? 5 : 0,
    );
  }
});

Deno.test("simulatedLambda() is a function of its seed, and undefined where runs do not differ", () => {
  const { spec } = targets[0]!;
  const lambda = simulatedLambda(spec, parameters, 1, 10);
  assert.equal(typeof lambda, "number");
  assert.equal(simulatedLambda(spec, parameters, 1, 10), lambda);
  assert.notEqual(simulatedLambda(spec, parameters, 2, 10), lambda);
  const silent = { ...parameters, mechanism: { ...parameters.mechanism, noiseShare: 0 } };
  assert.equal(simulatedLambda(spec, silent, 1, 10), undefined);
});

const options = { seed: 1, replicates: 6 };
const fit = (generations: number, seed = 1) => fitSurrogate(parameters, terms, { ...options, seed, generations });

Deno.test("fitSurrogate() lowers the loss, deterministically, and moves only what is fitted", async () => {
  const before = structuredClone(parameters);
  const [none, two, again] = await Promise.all([fit(0), fit(2), fit(2)]);
  assert.ok(two.loss < none.loss, `${two.loss} is not below ${none.loss}`);
  assert.deepEqual(again, two);
  assert.deepEqual(parameters, before, "the start is left as it was");

  assert.deepEqual(SurrogateParameters.parse(two.parameters), two.parameters);
  const fixed = ({ mechanism, anchors: _, scenarios, ...rest }: SurrogateParameters) => ({
    ...rest,
    mechanism: [mechanism.noiseShare, mechanism.temperatureNoise, mechanism.wordingSpread],
    scenarios: Object.values(scenarios).map((
      { prior, contestability, fitted },
    ) => [prior.at(-1), contestability, fitted]),
    "CL-04": scenarios["CL-04"],
    "IM-01": scenarios["IM-01"]!.roleSpread,
    mandates: ["IM-01", "HL-01"].map((id) => ({ ...scenarios[id]!.anchors, Security: undefined })),
  });
  assert.deepEqual(fixed(two.parameters), fixed(parameters));
  assert.notEqual(two.parameters.mechanism.openness, parameters.mechanism.openness);
});

Deno.test("fitSurrogate() without generations gives its start back, with the loss of its definition", async () => {
  const { parameters: same, loss } = await fit(0);
  const rounded = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (_, part) => (typeof part === "number" ? Number(part.toPrecision(4)) : part));
  assert.deepEqual(rounded(same), rounded(parameters));
  // The ridge is zero where nothing has moved, and the Chair's weight of 5 is below its cap.
  const { noiseShare } = parameters.mechanism;
  const simulate = await stageOneSimulation({ seed: 1, runs: options.replicates, noiseShare });
  // Through the knobs' scales and back, which moves a last digit and with it, now and then, a rounded share.
  const start = atPoint(parameters, STAGE_ONE_KNOBS, pointOf(parameters, STAGE_ONE_KNOBS));
  assert.ok(Math.abs(loss - stageOneLoss(terms, simulate(start))) < 1e-9 * loss);
});
