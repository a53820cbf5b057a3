import type { SurrogateParameters, SurrogateScenario } from "../schema/surrogate_parameters.ts";
import { fitKnobs, type FitOptions, type Knob } from "./fit_knobs.ts";
import type { FitTarget } from "./fit_targets.ts";

/** A population of eight that starts wide: two cells pin down three numbers poorly, so the search has to look around. */
const SEARCH = { population: 8, step: 0.5 };

/**
 * Second stage, one scenario: option A's prior, how far the mandates stand apart, and how strongly the transcript moves
 * opinions, fitted to the scenario's cells with everything else as it is. Three numbers for two cells: the scenario
 * can be matched whatever the mechanism is worth.
 */
export async function fitScenario(
  start: SurrogateParameters,
  scenario: string,
  targets: readonly FitTarget[],
  options: FitOptions,
): Promise<{ parameters: SurrogateParameters; loss: number }> {
  const of = ({ scenarios }: SurrogateParameters): SurrogateScenario => scenarios[scenario]!;
  const knobs: Knob[] = [
    { get: (p) => of(p).prior[0]!, set: (p, value) => of(p).prior[0] = value, scale: "linear" },
    { get: (p) => of(p).roleSpread, set: (p, value) => of(p).roleSpread = value, scale: "log" },
    { get: (p) => of(p).contestability, set: (p, value) => of(p).contestability = value, scale: "log" },
  ];
  const { parameters, loss } = await fitKnobs(start, knobs, targets, { ...options, ...SEARCH });
  of(parameters).fitted = true;
  return { parameters, loss };
}

/**
 * Second stage, one model: how firmly it holds its views in a scenario and how strongly the transcript moves it, fitted
 * to the committee that has it in all five seats. Two numbers for two cells.
 */
export async function fitCharacter(
  start: SurrogateParameters,
  scenario: string,
  model: string,
  targets: readonly FitTarget[],
  options: FitOptions,
): Promise<{ parameters: SurrogateParameters; loss: number }> {
  const neutral = structuredClone(start);
  const { characters } = neutral.scenarios[scenario]!;
  neutral.scenarios[scenario]!.characters = { ...characters, [model]: { conviction: 1, responsiveness: 1 } };
  const of = ({ scenarios }: SurrogateParameters) => scenarios[scenario]!.characters![model]!;
  const knobs: Knob[] = [
    { get: (p) => of(p).conviction, set: (p, value) => of(p).conviction = value, scale: "log" },
    { get: (p) => of(p).responsiveness, set: (p, value) => of(p).responsiveness = value, scale: "log" },
  ];
  return await fitKnobs(neutral, knobs, targets, { ...options, ...SEARCH });
}

/** One search of the second stage, and what it left. */
export interface LandscapeFit {
  readonly stage: string;
  readonly loss: number;
  readonly targets: readonly FitTarget[];
}

/**
 * Second stage: every scenario and every model with targets of its own, one small search after another. The first
 * stage's numbers stay.
 *
 * @param start the first stage's parameters with the scenarios to be fitted as they begin.
 * @param targets by scenario and by model id (in `modelScenario`), such as `landscapeTargets` and `modelTargets` give.
 * @param options `onFit` is told each search as it ends.
 */
export async function fitLandscape(
  start: SurrogateParameters,
  { scenarios, models, modelScenario = "IM-01" }: {
    scenarios: ReadonlyMap<string, readonly FitTarget[]>;
    models: ReadonlyMap<string, readonly FitTarget[]>;
    modelScenario?: string;
  },
  { onFit, ...options }: FitOptions & { onFit?: (fit: LandscapeFit, parameters: SurrogateParameters) => void },
): Promise<{ parameters: SurrogateParameters; fits: LandscapeFit[] }> {
  let parameters = start;
  const fits: LandscapeFit[] = [];
  const keep = (
    stage: string,
    targets: readonly FitTarget[],
    fit: { parameters: SurrogateParameters; loss: number },
  ) => {
    parameters = fit.parameters;
    fits.push({ stage, targets, loss: fit.loss });
    onFit?.(fits.at(-1)!, parameters);
  };
  for (const [id, targets] of scenarios) keep(id, targets, await fitScenario(parameters, id, targets, options));
  for (const [model, targets] of models) {
    keep(`${modelScenario} ${model}`, targets, await fitCharacter(parameters, modelScenario, model, targets, options));
  }
  return { parameters, fits };
}
