import assert from "node:assert/strict";
import { parameters } from "../../model/surrogate/parameters.ts";
import { fitCharacter, fitLandscape, fitScenario } from "@/paper/surrogate/fit.ts";
import { landscapeTargets, modelTargets } from "@/paper/surrogate/fit_targets.ts";
import { simulatedLambda } from "@/paper/surrogate/simulated_facts.ts";
import { SurrogateParameters } from "@/schema/surrogate_parameters.ts";

const options = { seed: 1, generations: 2, replicates: 6 };
const [scenarios, models] = await Promise.all([landscapeTargets(), modelTargets()]);
const cl04 = scenarios.get("CL-04")!;
const MODEL = "google/gemini-2.5-flash";

/** Parameters with some places blanked, to compare what is left. */
function without(of: SurrogateParameters, blank: (copy: SurrogateParameters) => void): SurrogateParameters {
  const copy = structuredClone(of);
  blank(copy);
  return copy;
}

Deno.test("fitScenario() lowers the loss, deterministically, and moves option A's prior, spread and contestability alone", async () => {
  const before = structuredClone(parameters);
  const { parameters: fitted, loss } = await fitScenario(parameters, "CL-04", cl04, options);
  const none = await fitScenario(parameters, "CL-04", cl04, { ...options, generations: 0 });
  assert.ok(loss < none.loss, `${loss} is not below ${none.loss}`);
  assert.deepEqual(await fitScenario(parameters, "CL-04", cl04, options), { parameters: fitted, loss });
  assert.deepEqual(parameters, before, "the start is left as it was");
  assert.deepEqual(SurrogateParameters.parse(fitted), fitted);

  const blank = ({ scenarios }: SurrogateParameters) => {
    const of = scenarios["CL-04"]!;
    Object.assign(of, { prior: [0, ...of.prior.slice(1)], roleSpread: 0, contestability: 0, fitted: true });
  };
  assert.deepEqual(without(fitted, blank), without(parameters, blank));
  const [now, then] = [fitted, parameters].map(({ scenarios }) => scenarios["CL-04"]!);
  assert.ok(now!.fitted);
  assert.ok(now!.prior[0] !== then!.prior[0] && now!.roleSpread !== then!.roleSpread);
  assert.notEqual(now!.contestability, then!.contestability);
});

Deno.test("fitScenario() without generations has the squared misfit in units of 0.01 for its loss", async () => {
  const { loss } = await fitScenario(parameters, "CL-04", cl04, { ...options, generations: 0 });
  const misfit = cl04.reduce(
    (sum, { spec, lambda }, i) => sum + ((simulatedLambda(spec, parameters, 1 + i, 6)! - lambda) / 0.01) ** 2,
    0,
  );
  assert.ok(Math.abs(loss - misfit) < 1e-9 * misfit);
});

Deno.test("fitCharacter() lowers the loss and moves one model's two numbers in one scenario alone", async () => {
  const fit = (generations: number) =>
    fitCharacter(parameters, "IM-01", MODEL, models.get(MODEL)!, { ...options, generations });
  const [none, some] = await Promise.all([fit(0), fit(3)]);
  assert.deepEqual(none.parameters.scenarios["IM-01"]!.characters, { [MODEL]: { conviction: 1, responsiveness: 1 } });
  assert.ok(some.loss < none.loss, `${some.loss} is not below ${none.loss}`);
  const { conviction, responsiveness } = some.parameters.scenarios["IM-01"]!.characters![MODEL]!;
  assert.ok(conviction !== 1 && responsiveness !== 1);
  const blank = ({ scenarios }: SurrogateParameters) => delete scenarios["IM-01"]!.characters;
  assert.deepEqual(without(some.parameters, blank), parameters);
});

Deno.test("fitCharacter() starts a model anew, whatever it had, and leaves the others'", async () => {
  const given = structuredClone(parameters);
  const other = { conviction: 2, responsiveness: 2 };
  given.scenarios["IM-01"]!.characters = { [MODEL]: { conviction: 9, responsiveness: 9 }, other };
  const { parameters: fitted } = await fitCharacter(given, "IM-01", MODEL, models.get(MODEL)!, {
    ...options,
    generations: 0,
  });
  assert.deepEqual(fitted.scenarios["IM-01"]!.characters, { [MODEL]: { conviction: 1, responsiveness: 1 }, other });
});

Deno.test("fitLandscape() is its searches one after another, each told as it ends", async () => {
  const told: string[] = [];
  const { parameters: fitted, fits } = await fitLandscape(
    parameters,
    { scenarios: new Map([["CL-04", cl04]]), models: new Map([[MODEL, models.get(MODEL)!]]) },
    { ...options, onFit: ({ stage }) => told.push(stage) },
  );
  const first = await fitScenario(parameters, "CL-04", cl04, options);
  const second = await fitCharacter(first.parameters, "IM-01", MODEL, models.get(MODEL)!, options);
  assert.deepEqual(fitted, second.parameters);
  assert.deepEqual(fits.map(({ loss }) => loss), [first.loss, second.loss]);
  assert.deepEqual(told, ["CL-04", `IM-01 ${MODEL}`]);
});
