import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { seatCommittee } from "@/lab/paper/surrogate/simulate_condition.ts";
import { landscapeTargets, modelTargets } from "./fit_targets.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import { lyapunovSlope } from "@/stats/lyapunov_slope.ts";
import { parameters } from "../../model/surrogate/parameters.ts";
import { committeeSums, drawRuns, ensembleDivergence, runEnsemble } from "./ensemble.ts";
import { fitCharacter, fitLandscape, fitScenario, scenarioMisfit } from "./fit.ts";
import { lambdaSimulation } from "./simulations.ts";

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
  const { noiseShare } = parameters.mechanism;
  const simulated = lambdaSimulation(cl04, { seed: 1, runs: 6, noiseShare })(parameters);
  const misfit = cl04.reduce((sum, { lambda }, i) => sum + ((simulated[i]! - lambda) / 0.01) ** 2, 0);
  assert.ok(Math.abs(loss - misfit) < 1e-9 * misfit);
});

Deno.test("scenarioMisfit() asks SP-03 for a fall of 0.025 without the Chair's mandate, and for a prior within 3.5", async () => {
  const start = await loadSurrogateParameters(), targets = scenarios.get("SP-03")!;
  const full = targets.find(({ spec }) => spec.seats[0]!.mandate)!;
  const seats = full.spec.seats.map((seat) => (seat.mandate === "Chair" ? { ...seat, mandate: undefined } : seat));
  const ablated = { ...full, name: `${full.name} without the Chair's mandate`, spec: { ...full.spec, seats } };
  const misfit = scenarioMisfit("SP-03", targets, start, options);
  const { noiseShare } = start.mechanism;
  const simulate = lambdaSimulation([...targets, ablated], { seed: 1, runs: 6, noiseShare });
  for (const [prior, penalty] of [[1, 0], [4, 10 * 0.5 ** 2], [-4, 10 * 0.5 ** 2]] as const) {
    const at = structuredClone(start);
    at.scenarios["SP-03"]!.prior[0] = prior;
    const [one, two, without] = simulate(at) as [number, number, number];
    const short = 0.025 - ((full === targets[0] ? one : two) - without);
    const expected = [one, two].reduce((sum, lambda, i) => sum + ((lambda - targets[i]!.lambda) / 0.01) ** 2, penalty) +
      (Math.max(0, short) / 0.01) ** 2;
    const found = misfit(at);
    assert.ok(Object.is(found, expected) || Math.abs(found - expected) < 1e-9 * expected, `${found}, ${expected}`);
  }
});

Deno.test("lambdaSimulation() gives the λ̂ of each target's committee, from draws that stay", () => {
  const simulate = lambdaSimulation(cl04, { seed: 2, runs: 8, noiseShare: 0.45 });
  assert.deepEqual(simulate(parameters), simulate(parameters));
  cl04.forEach(({ name, spec }, i) => {
    const committee = seatCommittee(spec, parameters);
    const draws = drawRuns(spec, { runs: 8, noiseShare: 0.45, rng: createRng(2).fork(name) });
    const sums = committeeSums(committee, runEnsemble(committee, draws));
    assert.equal(simulate(parameters)[i], lyapunovSlope(ensembleDivergence(committee, sums)).lambda);
  });
});

Deno.test("fitCharacter() lowers the loss and moves one model's two numbers in one scenario alone", async () => {
  const fit = (generations: number) =>
    fitCharacter(parameters, "IM-01", MODEL, models.get(MODEL)!, { ...options, generations });
  const [none, some] = await Promise.all([fit(0), fit(3)]);
  assert.ok(some.loss < none.loss, `${some.loss} is not below ${none.loss}`);
  const { responsiveness, noise } = some.parameters.scenarios["IM-01"]!.characters![MODEL]!;
  assert.ok(responsiveness !== 1 && noise !== 1);
  const blank = ({ scenarios }: SurrogateParameters) => delete scenarios["IM-01"]!.characters;
  assert.deepEqual(without(some.parameters, blank), parameters);
});

Deno.test("fitCharacter() starts a model anew, whatever it had, and leaves the others'", async () => {
  const given = structuredClone(parameters);
  const other = { responsiveness: 2, noise: 2 };
  given.scenarios["IM-01"]!.characters = { [MODEL]: { responsiveness: 9, noise: 9 }, other };
  const fit = (of: SurrogateParameters) =>
    fitCharacter(of, "IM-01", MODEL, models.get(MODEL)!, { ...options, generations: 0 });
  const [fitted, fresh] = await Promise.all([fit(given), fit(parameters)]);
  const character = fresh.parameters.scenarios["IM-01"]!.characters![MODEL]!;
  assert.deepEqual(fitted.parameters.scenarios["IM-01"]!.characters, { [MODEL]: character, other });
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
