import assert from "node:assert/strict";
import { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import { parameters } from "../../model/surrogate/parameters.ts";
import { atPoint, fitSurrogate, pointOf, STAGE_ONE_KNOBS } from "./fit.ts";
import { stageOneLoss, stageOneTerms } from "./loss.ts";
import { stageOneSimulation } from "./simulations.ts";

const terms = await stageOneTerms();

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
      { prior, fitted },
    ) => [prior.at(-1), fitted]),
    "CL-04": scenarios["CL-04"],
    "IM-01": [scenarios["IM-01"]!.roleSpread, scenarios["IM-01"]!.contestability],
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
