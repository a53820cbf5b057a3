import { createRng } from "@/core/rng.ts";
import type { FitTarget } from "./fit_targets.ts";
import { readJson } from "@/record/read_json.ts";
import { OPTION_LETTERS } from "@/schema/scenario.ts";
import { SurrogateParameters, type SurrogateScenario } from "@/schema/surrogate_parameters.ts";
import { evolve } from "./evolve.ts";
import { FALLS_ELSEWHERE, LOSS_UNITS, type LossTerm, stageOneLoss } from "./loss.ts";
import { lambdaSimulation, stageOneSimulation } from "./simulations.ts";

const START = new URL("../../../data/surrogate/start.json", import.meta.url);

/**
 * Where the fit begins: which option each mandate favours in a scenario (read from what the options say, Table S4, before
 * fitting, and not moved by it but for Security's share), the shares of noisy and malformed replies, and for all that is
 * fitted the numbers at which searches before this one ended, to four digits.
 *
 * Most of those searches (some two dozen, by covariance matrix adaptation, most in C) began at an earlier study's numbers,
 * used the loss without its readings and none of the held-out numbers. HL-01's numbers and `modelSpread` come from a later
 * study of the readings, searched on from for 60 generations with the loss as it is; `deno task dev fit` continues from there.
 * The refits (`refits`) show what the targets leave open.
 *
 * `noiseShare` is the middle of the published 40-50 % of identical calls that differ (S1); `temperatureNoise` is small
 * because the published λ̂ hardly depends on temperature; `wordingSpread` is about one noisy call's worth. None is fitted.
 */
export async function surrogateStart(): Promise<SurrogateParameters> {
  return await readJson(START, SurrogateParameters);
}

/** A number that a fit moves, on a scale where steps of one size are alike everywhere. */
export interface Knob {
  readonly name: string;
  readonly get: (parameters: SurrogateParameters) => number;
  readonly set: (parameters: SurrogateParameters, value: number) => void;
  readonly scale: "log" | "logit" | "linear";
}

/** What every search of the fit is told. */
export interface FitOptions {
  readonly seed: number;
  readonly generations: number;
  /** Runs in each simulated ensemble; their draws are fixed, so the loss is a function. */
  readonly replicates: number;
  readonly onGeneration?: ((generation: number, loss: number) => void) | undefined;
}

const toScale = { log: Math.log, logit: (x: number) => Math.log(x / (1 - x)), linear: (x: number) => x };
const fromScale = { log: Math.exp, logit: (x: number) => 1 / (1 + Math.exp(-x)), linear: (x: number) => x };

/** Keeps numbers that the targets do not determine near where they started. */
const RIDGE = 0.02;

/**
 * Moves some numbers of a parameter set until a misfit is small.
 *
 * @param start parameters to begin at; what has no knob is kept from them.
 * @param misfit of a parameter set; NaN counts as infinite.
 * @param options `population`, `step`: of the search.
 * @returns the parameters, what was moved rounded to four digits, and their loss (misfit and ridge) before rounding.
 */
async function fitKnobs(
  start: SurrogateParameters,
  knobs: readonly Knob[],
  misfit: (parameters: SurrogateParameters) => number,
  { seed, generations, population, step, onGeneration }: FitOptions & { population: number; step: number },
): Promise<Fitted> {
  const origin = pointOf(start, knobs);
  const loss = (point: readonly number[]): number => {
    const ridge = point.reduce((sum, value, i) => sum + RIDGE * (value - origin[i]!) ** 2, 0);
    const total = misfit(atPoint(start, knobs, point)) + ridge;
    return Number.isNaN(total) ? Infinity : total;
  };
  const { best, loss: reached } = await evolve(loss, origin, {
    rng: createRng(seed).fork("evolve"),
    generations,
    population,
    step,
    ...(onGeneration && { onGeneration }),
  });
  return { parameters: SurrogateParameters.parse(atPoint(start, knobs, best, 4)), loss: reached };
}

/** What a search found. */
export interface Fitted {
  readonly parameters: SurrogateParameters;
  readonly loss: number;
}

/** Where a parameter set stands on its knobs' scales. */
export function pointOf(parameters: SurrogateParameters, knobs: readonly Knob[]): number[] {
  return knobs.map(({ get, scale }) => toScale[scale](get(parameters)));
}

/** A parameter set moved to a point; what is not fitted stays. */
export function atPoint(
  parameters: SurrogateParameters,
  knobs: readonly Knob[],
  point: readonly number[],
  digits?: number,
): SurrogateParameters {
  const moved = structuredClone(parameters);
  knobs.forEach(({ set, scale }, i) => {
    const value = fromScale[scale](point[i]!);
    set(moved, digits === undefined ? value : Number(value.toPrecision(digits)));
  });
  return moved;
}

/** A number in some part of the parameters. */
const knob = <Key extends string | number>(
  name: string,
  scale: Knob["scale"],
  part: (parameters: SurrogateParameters) => Record<Key, number>,
  key: Key,
): Knob => ({ name, scale, get: (p) => part(p)[key], set: (p, value) => part(p)[key] = value });

const mechanism = (name: keyof SurrogateParameters["mechanism"], scale: Knob["scale"] = "log"): Knob =>
  knob(name, scale, (p) => p.mechanism, name);
const anchor = (role: keyof SurrogateParameters["anchors"]): Knob =>
  knob(`anchor of ${role}`, "log", (p) => p.anchors, role);
/** Only differences between options count, so the last option's prior stays 0. */
const prior = (scenario: string, option: number): Knob =>
  knob(`prior of ${scenario}, option ${OPTION_LETTERS[option]}`, "linear", (p) => p.scenarios[scenario]!.prior, option);
/** How much of Security's weight goes to the most cautious option C rather than to B, in both scenarios alike. */
const precaution: Knob = {
  name: "Security's share on option C",
  get: (p) => p.scenarios["IM-01"]!.anchors.Security[2]!,
  set: (p, value) =>
    ["IM-01", "HL-01"].forEach((id) => p.scenarios[id]!.anchors.Security = [0, Number((1 - value).toFixed(12)), value]),
  scale: "logit",
};
const ofHl01 = (key: "roleSpread" | "contestability", name: string): Knob =>
  knob(`${name} of HL-01`, "log", (p) => p.scenarios["HL-01"]!, key);

/** The twenty-three numbers of stage 1; as many conditions hold some forty numbers and signs, most of them seen before. */
export const STAGE_ONE_KNOBS: readonly Knob[] = [
  mechanism("openness", "logit"),
  mechanism("chairOpenness", "logit"),
  mechanism("blankOpenness", "logit"),
  mechanism("otherModelOpenness"),
  mechanism("memoryGain"),
  mechanism("chairWeight"),
  mechanism("chairGain"),
  mechanism("undecidedLead", "logit"),
  mechanism("receptiveness"),
  mechanism("noiseFloor"),
  mechanism("chairNoise"),
  mechanism("modelSpread"),
  anchor("Welfare"),
  anchor("Rights"),
  anchor("Equity"),
  anchor("Security"),
  precaution,
  prior("IM-01", 0),
  prior("IM-01", 1),
  prior("HL-01", 0),
  prior("HL-01", 1),
  ofHl01("roleSpread", "role spread"),
  ofHl01("contestability", "contestability"),
];

/** A synthesis may count for several arguments, but not for a whole window of them. */
const CHAIR_WEIGHT_CAP = 8;

/**
 * First stage: the mechanism, the anchors, and the priors of IM-01 and HL-01, fitted to the terms of `stageOneTerms`.
 *
 * @param start parameters to begin at; everything that is not fitted is kept from them.
 * @returns the fitted parameters, rounded to four digits, and their loss.
 */
export async function fitSurrogate(
  start: SurrogateParameters,
  terms: readonly LossTerm[],
  { population = 12, step = 0.01, ...options }: FitOptions & { population?: number; step?: number },
): Promise<Fitted> {
  const { noiseShare } = start.mechanism;
  const simulate = await stageOneSimulation({ seed: options.seed, runs: options.replicates, noiseShare });
  const misfit = (parameters: SurrogateParameters) =>
    stageOneLoss(terms, simulate(parameters)) +
    10 * Math.max(0, Math.log(parameters.mechanism.chairWeight / CHAIR_WEIGHT_CAP)) ** 2;
  return await fitKnobs(start, STAGE_ONE_KNOBS, misfit, { ...options, population, step });
}

/** Squared misfit of some λ̂ in the unit of `LOSS_UNITS`. */
function lambdaMisfit(targets: readonly FitTarget[], lambdas: readonly number[]): number {
  const unit = LOSS_UNITS["λ̂ of the scenarios at T = 0"];
  return targets.reduce((sum, { lambda }, i) => sum + ((lambdas[i]! - lambda) / unit) ** 2, 0);
}

/** The simulations of a search, from draws made once. */
const simulationOf = (targets: readonly FitTarget[], start: SurrogateParameters, { seed, replicates }: FitOptions) =>
  lambdaSimulation(targets, { seed, runs: replicates, noiseShare: start.mechanism.noiseShare });

/** A prior beyond some 3.5 logits is written as .98 and more: rounding then hides all movement, and some studies have no λ̂. */
const PRIOR_CAP = 3.5;

/** Misfit of a scenario's λ̂ and, where the paper draws one, of their fall without the Chair's mandate. */
export function scenarioMisfit(
  scenario: string,
  targets: readonly FitTarget[],
  start: SurrogateParameters,
  options: FitOptions,
): (parameters: SurrogateParameters) => number {
  const full = targets.findIndex(({ spec }) => spec.seats.some(({ mandate }) => mandate === "Chair"));
  const falls = full >= 0 && FALLS_ELSEWHERE.scenarios.includes(scenario);
  const simulate = simulationOf(falls ? [...targets, withoutChair(targets[full]!)] : targets, start, options);
  return (parameters) => {
    const lambdas = simulate(parameters), misfit = lambdaMisfit(targets, lambdas);
    if (!falls) return misfit;
    const short = Math.max(0, FALLS_ELSEWHERE.least - (lambdas[full]! - lambdas.at(-1)!));
    const beyond = Math.max(0, Math.abs(parameters.scenarios[scenario]!.prior[0]!) - PRIOR_CAP);
    return misfit + (short / LOSS_UNITS["the Chair's ablation elsewhere"]) ** 2 + 10 * beyond ** 2;
  };
}

const withoutChair = ({ name, spec, ...target }: FitTarget): FitTarget => ({
  ...target,
  name: `${name} without the Chair's mandate`,
  spec: {
    ...spec,
    seats: spec.seats.map((seat) => seat.mandate === "Chair" ? { ...seat, mandate: undefined } : seat),
  },
});

/** Two cells and two or three numbers: few generations do, and larger ensembles keep chance from being fitted. */
export const LANDSCAPE_SEARCH = { generations: 24, replicates: 800 };

/** A population of eight that starts wide: two cells pin down three numbers poorly, so the search has to look around. */
const SEARCH = { population: 8, step: 0.5 };

/**
 * Second stage, one scenario: option A's prior, how far the mandates stand apart, and how strongly the transcript moves
 * opinions, fitted to the scenario's cells and to the fall of Fig. 2B where it has one, with everything else as it is.
 * Three numbers for two cells: the scenario can be matched whatever the mechanism is worth.
 */
export async function fitScenario(
  start: SurrogateParameters,
  scenario: string,
  targets: readonly FitTarget[],
  options: FitOptions,
): Promise<Fitted> {
  const of = ({ scenarios }: SurrogateParameters): SurrogateScenario => scenarios[scenario]!;
  const knobs = [
    prior(scenario, 0),
    knob("role spread", "log", of, "roleSpread"),
    knob("contestability", "log", of, "contestability"),
  ];
  const misfit = scenarioMisfit(scenario, targets, start, options);
  const begins = FALLS_ELSEWHERE.scenarios.includes(scenario)
    ? SCENARIOS.map((point) => atPoint(start, knobs, point.map((value, i) => toScale[knobs[i]!.scale](value))))
    : [start];
  const { parameters, loss } = await fitKnobs(nearest(begins, misfit), knobs, misfit, { ...options, ...SEARCH });
  of(parameters).fitted = true;
  return { parameters, loss };
}

/**
 * Second stage, one model: how strongly the transcript moves it in a scenario and how noisy its calls are, fitted to the
 * committee that has it in all five seats. Two numbers for two cells.
 */
export async function fitCharacter(
  start: SurrogateParameters,
  scenario: string,
  model: string,
  targets: readonly FitTarget[],
  options: FitOptions,
): Promise<Fitted> {
  const as = (character: Character): SurrogateParameters => {
    const moved = structuredClone(start), of = moved.scenarios[scenario]!;
    of.characters = { ...of.characters, [model]: character };
    return moved;
  };
  const of = ({ scenarios }: SurrogateParameters) => scenarios[scenario]!.characters![model]!;
  const knobs = [knob("responsiveness", "log", of, "responsiveness"), knob("noise", "log", of, "noise")];
  const simulate = simulationOf(targets, start, options);
  const misfit = (parameters: SurrogateParameters) => lambdaMisfit(targets, simulate(parameters));
  return await fitKnobs(nearest(CHARACTERS.map(as), misfit), knobs, misfit, { ...options, ...SEARCH });
}

/** The parameter set with the smallest misfit, the first of equal ones; one without a misfit is taken only for want of another. */
function nearest(
  begins: readonly SurrogateParameters[],
  misfit: (parameters: SurrogateParameters) => number,
): SurrogateParameters {
  return begins.map((at) => ({ at, off: misfit(at) }))
    .reduce((best, one) => (one.off < best.off || Number.isNaN(best.off) ? one : best)).at;
}

/** Where the search of a scenario with a fall may begin, [prior, role spread, contestability]: it has more than one valley. */
const SCENARIOS: readonly (readonly number[])[] = [-2, 0, 2, 3, 4].flatMap((prior) =>
  [0.25, 0.5, 1, 2].flatMap((spread) => [0.3, 0.4, 0.5, 0.65].map((contestability) => [prior, spread, contestability]))
);

type Character = NonNullable<SurrogateScenario["characters"]>[string];

/** Where a model's search may begin: slopes without roles have more than one hill. The first is the reference model's. */
const CHARACTERS: readonly Character[] = [1, 0.35, 0.5, 0.7, 1.4].flatMap((responsiveness) =>
  [1, 0.25, 0.5, 2].map((noise) => ({ responsiveness, noise }))
);

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
 * @param targets by scenario and by model id (in IM-01), such as `landscapeTargets` and `modelTargets` give.
 * @param options `onFit` is told each search as it ends.
 */
export async function fitLandscape(
  start: SurrogateParameters,
  { scenarios, models }: Readonly<Record<"scenarios" | "models", ReadonlyMap<string, readonly FitTarget[]>>>,
  { onFit, ...options }: FitOptions & { onFit?: (fit: LandscapeFit, parameters: SurrogateParameters) => void },
): Promise<{ parameters: SurrogateParameters; fits: LandscapeFit[] }> {
  let parameters = start;
  const fits: LandscapeFit[] = [];
  const keep = (stage: string, targets: readonly FitTarget[], fit: Fitted) => {
    parameters = fit.parameters;
    fits.push({ stage, targets, loss: fit.loss });
    onFit?.(fits.at(-1)!, parameters);
  };
  for (const [id, targets] of scenarios) keep(id, targets, await fitScenario(parameters, id, targets, options));
  for (const [model, targets] of models) {
    keep(`IM-01 ${model}`, targets, await fitCharacter(parameters, "IM-01", model, targets, options));
  }
  return { parameters, fits };
}
