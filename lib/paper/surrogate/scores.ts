import { mean, sampleStandardDeviation } from "simple-statistics";
import { createRng } from "../../core/rng.ts";
import { type Role, ROLES } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import { normalQuantile } from "../../stats/normal_quantile.ts";
import {
  im01Falls,
  loadFact,
  loadIm01,
  loadPhrasings,
  loadPublishedSwitches,
  type PublishedIm01Row,
} from "../published_deliberation.ts";
import { verdict } from "../verdict.ts";
import { type FitTarget, fitTargets, landscapeTargets, modelTargets } from "./fit_targets.ts";
import { type CommitteeSpec, seatCommittee } from "./fast_committee.ts";
import { committeeSpec, im01Wordings, oneModel, simulateCommittee } from "./simulate_committee.ts";
import {
  type ConditionFacts,
  conditionFacts,
  type FactsRun,
  simulatedBranching,
  simulatedRun,
  simulatedRuns,
} from "./simulated_facts.ts";
import { GAMMA_ROUND, type SplitHeldOutGroup, type TrainedGroup } from "./split.ts";

export type ScoreGroup = TrainedGroup | SplitHeldOutGroup;

/** A published number beside what simulated ensembles of the published size show. */
export interface ScoreRow {
  readonly group: ScoreGroup;
  readonly condition: string;
  readonly published: number;
  /** Mean over ensembles. */
  readonly measured: number;
  /** Where one such ensemble falls, 95 %. */
  readonly low: number;
  readonly high: number;
  readonly verdict: string;
  /** The same with the interval √2 wider: a published number is itself one estimate of R = 20 runs. */
  readonly wide: string;
}

/** A published sign, and in which share of the ensembles it holds. */
export interface SignRow {
  readonly group: ScoreGroup;
  readonly statement: string;
  readonly share: number;
}

export interface Scores {
  readonly rows: readonly ScoreRow[];
  readonly signs: readonly SignRow[];
}

export interface ScoreOptions {
  readonly seed: number;
  /** Of each condition, by default 40; equal seeds give equal scores. */
  readonly ensembles?: number;
  /** Is told how many conditions are done. */
  readonly onCondition?: (done: number, of: number) => void | Promise<void>;
}

/** Runs of a condition whose number is not published: the paper's target. */
const TARGET_RUNS = 20;

interface Asked {
  readonly group: ScoreGroup;
  readonly published: number;
  readonly pick: (facts: ConditionFacts) => number | undefined;
}

/** A condition to simulate, and what is asked of it. */
interface Cell {
  readonly condition: string;
  readonly simulate: (seed: number) => FactsRun[];
  readonly asked: readonly Asked[];
}

/** Every published number of a uniform committee, and HL-01's mixed ones, beside the surrogate's: both sides of `SPLIT`. */
export async function publishedScores(
  parameters: SurrogateParameters,
  { seed, ensembles = 40, onCondition = () => {} }: ScoreOptions,
): Promise<Scores> {
  const facts = new Map<string, ConditionFacts[]>();
  const cells = await scoreCells(parameters);
  for (const [i, { condition, simulate }] of cells.entries()) {
    facts.set(condition, seeds(seed, condition, ensembles).map((key) => conditionFacts(simulate(key))));
    await onCondition(i + 1, cells.length);
  }
  const rows = cells.flatMap(({ condition, asked }) =>
    asked.map((question) =>
      scoreRow(question.group, condition, question.published, facts.get(condition)!.map(question.pick))
    )
  );
  const signs = signRows(facts);
  return {
    rows: [
      ...rows,
      ...await switchRows(facts, ensembles),
      ...await gammaRow(parameters, seeds(seed, "branching", ensembles)),
      ...await chairRow(facts),
      ...await identicalCallsRow(parameters, seeds(seed, "identical calls", ensembles)),
    ],
    signs,
  };
}

const seeds = (seed: number, condition: string, ensembles: number) =>
  Array.from({ length: ensembles }, (_, e) => createRng(seed).fork(condition).fork(e).key);

/** The mean of some draws and where one more of them would fall. */
interface PredictionInterval {
  readonly n: number;
  readonly mean?: number;
  readonly low?: number;
  readonly high?: number;
}

/**
 * Where one more ensemble would fall (95 %), given what some ensembles of its size showed: mean ± z · s · √(1 + 1/m).
 *
 * A published estimate is one ensemble, so it is to be compared with this and not with the interval of a mean. The
 * draws are taken as normal; with twenty of them the normal quantile covers about 94 % where 95 % are asked for.
 *
 * @param draws one value an ensemble; undefined ones are left out.
 * @returns without bounds where there are fewer than two draws, empty but for `n` where there is none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const { mean, low, high } = predictionInterval([1, 3]);
 * // z = 1.96, s = √2 and √(1 + 1/2): 3.39 either way
 * assert.deepEqual([mean, low!.toFixed(1), high!.toFixed(1)], [2, "-1.4", "5.4"]);
 * ```
 */
export function predictionInterval(draws: readonly (number | undefined)[]): PredictionInterval {
  const known = draws.filter((draw) => draw !== undefined);
  if (known.length === 0) return { n: 0 };
  const middle = mean(known);
  if (known.length < 2) return { n: 1, mean: middle };
  const reach = normalQuantile(0.975) * sampleStandardDeviation(known) * Math.sqrt(1 + 1 / known.length);
  return { n: known.length, mean: middle, low: middle - reach, high: middle + reach };
}

/** One row; what cannot be negative is not given a negative bound. */
function scoreRow(
  group: ScoreGroup,
  condition: string,
  published: number,
  draws: readonly (number | undefined)[],
): ScoreRow {
  const floor = /^(λ̂|the Chair)/.test(group) ? -Infinity : 0;
  const { mean: measured = NaN, low = NaN, high = NaN } = predictionInterval(draws);
  const bounds = { low: Math.max(floor, low), high };
  const wide = { low: measured - Math.SQRT2 * (measured - low), high: measured + Math.SQRT2 * (high - measured) };
  return {
    ...{ group, condition, published, measured },
    ...bounds,
    verdict: verdict(published, bounds),
    wide: verdict(published, wide),
  };
}

async function scoreCells(parameters: SurrogateParameters): Promise<Cell[]> {
  const [cold, warm, coldModels, warmModels, first, im01, phrasings] = await Promise.all([
    landscapeTargets(0),
    landscapeTargets(0.1),
    modelTargets(0),
    modelTargets(0.1),
    fitTargets(),
    loadIm01(),
    loadPhrasings(),
  ]);
  // IM-01's cells are rows of its own table, and HL-01's at T = 0 stage 1's: asked there.
  cold.delete("IM-01");
  cold.delete("HL-01");
  warm.delete("IM-01");
  const lambdas = (group: ScoreGroup, targets: Iterable<readonly FitTarget[]>, heat = "") =>
    [...targets].flat().map((target) => lambdaCell(parameters, group, target, heat));
  const uniform = oneModel(parameters.models.reference);
  return [
    ...lambdas("λ̂ of IM-01 and HL-01 at T = 0", [first.filter(({ spec }) => spec.scenario === "HL-01")]),
    ...lambdas("λ̂ of the scenarios at T = 0", cold.values()),
    ...lambdas("λ̂ of the models at T = 0", coldModels.values()),
    ...lambdas("λ̂ of the scenarios at T = 0.1", warm.values(), ", T = 0.1"),
    ...lambdas("λ̂ of the models at T = 0.1", warmModels.values(), ", T = 0.1"),
    ...im01.filter(({ experiment }) => experiment === "temperature").map((of) => im01Cell(parameters, of)),
    ...im01.filter(({ experiment, ablated }) => experiment === "ablation" && ablated !== "none")
      .map((of) => im01Cell(parameters, of)),
    await wordingsCell(parameters, im01.find(({ experiment }) => experiment === "semantic")!, phrasings),
    ...CHANGES.map(({ scenario, ...change }): Cell => ({
      condition: changedName({ scenario, ...change }),
      simulate: (key) =>
        ensemble(committeeSpec(scenario, 3, uniform, { roles: true, ...change }), parameters, key, TARGET_RUNS),
      asked: [],
    })),
  ];
}

const ensemble = (spec: CommitteeSpec, parameters: SurrogateParameters, seed: number, runs: number) =>
  simulatedRuns(spec, parameters, createRng(seed), runs);

function lambdaCell(
  parameters: SurrogateParameters,
  group: ScoreGroup,
  { name, lambda: published, n = TARGET_RUNS, spec }: FitTarget,
  heat: string,
): Cell {
  return {
    condition: name + heat,
    simulate: (seed) => ensemble(spec, parameters, seed, n),
    asked: [{ group, published, pick: ({ lambda }) => lambda }],
  };
}

const im01Name = (temperature: number, roles: boolean) =>
  `IM-01 T = ${0 < temperature && temperature < 0.001 ? temperature.toExponential() : temperature}, roles ${
    roles ? "on" : "off"
  }`;

function im01Cell(parameters: SurrogateParameters, of: PublishedIm01Row): Cell {
  const { temperature = 0, roles, n = TARGET_RUNS } = of;
  const ablated = of.ablated === "none" ? undefined : of.ablated;
  const spec = committeeSpec("IM-01", 3, oneModel(parameters.models.reference), { roles, ablated, temperature });
  const group = temperature === 0
    ? "λ̂ of IM-01 and HL-01 at T = 0"
    : temperature === 0.1
    ? "λ̂ of the scenarios at T = 0.1"
    : "λ̂ at other temperatures";
  return {
    condition: ablated ? `IM-01 without ${ablated}'s mandate` : im01Name(temperature, roles),
    simulate: (seed) => ensemble(spec, parameters, seed, n),
    asked: [{ group, published: of.lambda!, pick: ({ lambda }) => lambda }, ...flipAndMajority(of, temperature === 0)],
  };
}

const flipAndMajority = ({ flip_rate, ttm }: PublishedIm01Row, trained: boolean): Asked[] => [
  { group: trained ? "flip rate at T = 0" : "flip rate elsewhere", published: flip_rate!, pick: ({ flip }) => flip },
  {
    group: trained ? "time to majority at T = 0" : "time to majority elsewhere",
    published: ttm!,
    pick: ({ majority }) => majority,
  },
];

/** One run of each wording of IM-01 on file; what they end on is trained, the rest is not. */
async function wordingsCell(
  parameters: SurrogateParameters,
  of: PublishedIm01Row,
  phrasings: readonly { readonly decision: string }[],
): Promise<Cell> {
  const wordings = await im01Wordings();
  const spec = committeeSpec("IM-01", 3, oneModel(parameters.models.reference), { roles: true });
  const committees = wordings.map((wording) => seatCommittee({ ...spec, wording }, parameters));
  return {
    condition: `IM-01 with roles, ${wordings.length} wordings`,
    simulate: (seed) => committees.map((committee, i) => simulatedRun(committee, createRng(seed).fork(i))),
    asked: [
      { group: "λ̂ across wordings", published: of.lambda!, pick: ({ lambda }) => lambda },
      ...flipAndMajority(of, false),
      ...["A", "B", "C"].map((letter): Asked => ({
        group: "outcomes of IM-01",
        published: phrasings.filter(({ decision }) => decision === letter).length / phrasings.length,
        pick: ({ endings }) => endings[letter] ?? 0,
      })),
    ],
  };
}

/** Table S7 pools these. */
const SWITCH_TEMPERATURES = [0, 0.01, 0.05, 0.1, 0.2, 0.7];

async function switchRows(
  facts: ReadonlyMap<string, readonly ConditionFacts[]>,
  ensembles: number,
): Promise<ScoreRow[]> {
  const sweep = SWITCH_TEMPERATURES.map((temperature) => facts.get(im01Name(temperature, true))!);
  return (await loadPublishedSwitches()).map(({ role, mean_switches }) => {
    const seat = ROLES.indexOf(role);
    const draws = Array.from({ length: ensembles }, (_, e) => mean(sweep.map((cell) => cell[e]!.switches[seat]!)));
    const group = role === "Equity" || role === "Security"
      ? "switches: Equity, Security"
      : "switches: Chair, Welfare, Rights";
    return scoreRow(group, role, mean_switches!, draws);
  });
}

async function gammaRow(parameters: SurrogateParameters, keys: readonly number[]): Promise<ScoreRow[]> {
  const spec = committeeSpec("IM-01", 3, oneModel(parameters.models.reference), { roles: true, temperature: 0.7 });
  const draws = keys.map((key) =>
    mean(simulatedBranching(spec, parameters, key, { round: GAMMA_ROUND }).map(({ gamma }) => gamma))
  );
  const published = (await loadFact("branching-gamma")).value!;
  return [scoreRow("branching entropy Γ̂", `IM-01 with roles, T = 0.7, from round ${GAMMA_ROUND}`, published, draws)];
}

async function chairRow(facts: ReadonlyMap<string, readonly ConditionFacts[]>): Promise<ScoreRow[]> {
  const [full, without] = [facts.get(im01Name(0, true))!, facts.get("IM-01 without Chair's mandate")!];
  const draws = full.map(({ lambda }, e) => fall(lambda, without[e]!.lambda));
  return [
    scoreRow(
      "the Chair's fall in IM-01",
      "λ̂ with all mandates less without the Chair's",
      im01Falls(await loadIm01()).get("Chair")!,
      draws,
    ),
  ];
}

const fall = (full: number | undefined, changed: number | undefined) =>
  full === undefined || changed === undefined ? undefined : full - changed;

interface Change {
  readonly scenario: string;
  readonly ablated?: Role;
  readonly window?: number;
}

/** Committees with roles at T = 0 whose fall of λ̂ has a published sign (Figures 2 and 3) and no row of Table S5. */
const CHANGES: readonly Change[] = [
  ...ROLES.map((ablated) => ({ scenario: "HL-01", ablated })),
  ...["CL-01", "SP-03", "AI-01"].map((scenario) => ({ scenario, ablated: "Chair" as const })),
  ...["AI-01", "CL-01", "HL-01", "SP-03"].map((scenario) => ({ scenario, window: 3 })),
  ...["IM-01", "CL-01"].map((scenario) => ({ scenario, window: 1 })),
];

const changedName = ({ scenario, ablated, window }: Change) =>
  ablated ? `${scenario} with roles, without ${ablated}'s mandate` : `${scenario} with roles, k = ${window}`;

function signRows(facts: ReadonlyMap<string, readonly ConditionFacts[]>): SignRow[] {
  const lambdas = (condition: string) => facts.get(condition)!.map(({ lambda }) => lambda);
  const full = (scenario: string) =>
    lambdas(
      scenario === "IM-01"
        ? im01Name(0, true)
        : scenario === "HL-01"
        ? "HL-01 uniform, roles on"
        : `${scenario}, roles on`,
    );
  const falls = (change: Change) => {
    const changed = lambdas(changedName(change));
    return full(change.scenario).map((value, e) => fall(value, changed[e]) ?? NaN);
  };
  const share = (held: readonly boolean[]) => held.filter(Boolean).length / held.length;
  const hl01 = ROLES.map((ablated) => falls({ scenario: "HL-01", ablated }));
  const chair = hl01[ROLES.indexOf("Chair")]!;
  return [
    {
      ...{ group: "ablations of HL-01", statement: "HL-01: taking the Chair's mandate lowers λ̂" },
      share: share(chair.map((value) => value > 0)),
    },
    {
      ...{ group: "ablations of HL-01", statement: "HL-01: it does so more than taking any other" },
      share: share(chair.map((value, e) => hl01.every((other) => other === chair || other[e]! < value))),
    },
    ...CHANGES.slice(ROLES.length).map((change): SignRow => ({
      group: change.ablated ? "the Chair's ablation elsewhere" : "memory",
      statement: `${changedName(change)}: λ̂ falls`,
      share: share(falls(change).map((value) => value > 0)),
    })),
  ];
}

/** Calls of one run that are asked again, and how often: each twenty times as in S1. */
const IDENTICAL = { calls: 20, repeats: 20 };

/** Share of identical calls that differ from the most frequent answer: IM-01 with roles at T = 0, calls of all seats. */
async function identicalCallsRow(parameters: SurrogateParameters, keys: readonly number[]): Promise<ScoreRow[]> {
  const spec = committeeSpec("IM-01", 3, oneModel(parameters.models.reference), { roles: true });
  const { low, high } = await loadFact("identical-calls-differ");
  const draws = keys.map((key) =>
    mean(Array.from({ length: IDENTICAL.calls }, (_, i) => offMode(spec, parameters, key, i)))
  );
  return [scoreRow("identical calls that differ", "IM-01 with roles, T = 0", (low! + high!) / 2, draws)];
}

/** One call of a run, asked again and again: earlier calls keep their streams, this one gets others. */
function offMode(spec: CommitteeSpec, parameters: SurrogateParameters, key: number, i: number): number {
  const rng = createRng(key);
  const [round, seat] = [2 + i % (spec.rounds - 1), spec.order[i % spec.order.length]!];
  const committee = seatCommittee({ ...spec, rounds: round }, parameters);
  const answers = Array.from({ length: IDENTICAL.repeats }, (_, repeat) => {
    const rows = simulateCommittee(committee, (r, s) => {
      const stream = rng.fork(r).fork(s);
      return r === round && s === seat ? stream.fork(repeat) : stream;
    });
    return String(rows.at(-1)![seat]);
  });
  const counts = Map.groupBy(answers, (answer) => answer);
  return 1 - Math.max(...[...counts.values()].map(({ length }) => length)) / answers.length;
}
