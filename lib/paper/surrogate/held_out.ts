import { mean } from "simple-statistics";
import { createRng } from "../../core/rng.ts";
import { ROLES } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import { rankCorrelation } from "../../stats/rank_correlation.ts";
import type { PublishedIm01Row } from "../published_deliberation.ts";
import { loadFact, loadIm01, loadPublishedSwitches } from "../published_deliberation.ts";
import { type Verdict, verdict } from "../verdict.ts";
import { type FitTarget, landscapeTargets, modelTargets } from "./fit_targets.ts";
import { predictionInterval } from "./fitted_rows.ts";
import { committeeSpec, im01Wordings, oneModel } from "./simulate_committee.ts";
import {
  type ConditionFacts,
  conditionFacts,
  simulatedBranching,
  simulatedFacts,
  simulatedLambda,
  simulatedRun,
} from "./simulated_facts.ts";

/** The published numbers that no fit saw, by what they are about. */
export const HELD_OUT_GROUPS = [
  "λ̂ of the scenarios at T = 0.1",
  "λ̂ of the models at T = 0.1",
  "λ̂ at other temperatures",
  "λ̂ across wordings",
  "flip rate",
  "median time to majority, rounds",
  "switches a run",
  "branching entropy Γ̂",
] as const;
export type HeldOutGroup = typeof HELD_OUT_GROUPS[number];

/** A published number that no fit saw, beside the surrogate's. */
export interface HeldOutRow {
  readonly group: HeldOutGroup;
  readonly condition: string;
  readonly published: number;
  /** Mean over simulated ensembles of the published size; absent where none has the quantity. */
  readonly measured?: number;
  /** Where one such ensemble falls, 95 %. */
  readonly low?: number;
  readonly high?: number;
  readonly verdict: Verdict;
}

/** A condition whose facts are compared, and what is asked of it. */
interface Cell {
  readonly condition: string;
  /** What nobody asks for need not be worked out. */
  readonly simulate: (seed: number) => Partial<ConditionFacts>;
  readonly asked: readonly Asked[];
}
interface Asked {
  readonly group: HeldOutGroup;
  readonly published: number | undefined;
  readonly pick: (facts: Partial<ConditionFacts>) => number | undefined;
}

/** Runs of a condition whose number is not published (Table S8): the paper's target. */
const TARGET_RUNS = 20;

/**
 * Every published number of uniform committees that no fit saw, beside what simulated ensembles of the same size show.
 *
 * Tables S8 and S6 at T = 0.1; IM-01's temperature sweep; flip rates and times to majority of Table S5; λ̂ across
 * wordings; switches (Table S7, pooled over six temperatures); Γ̂ (S3, base round 10, which the paper does not give).
 *
 * @param options `ensembles`: how many of each condition; equal seeds give equal rows; `onCondition` is told how
 * many conditions are done.
 */
export async function heldOut(
  parameters: SurrogateParameters,
  { seed, ensembles = 20, onCondition = () => {} }: {
    seed: number;
    ensembles?: number;
    onCondition?: (done: number, of: number) => void | Promise<void>;
  },
): Promise<HeldOutRow[]> {
  const facts = new Map<string, Partial<ConditionFacts>[]>();
  const seeds = (condition: string) =>
    Array.from({ length: ensembles }, (_, e) => createRng(seed).fork(condition).fork(e).key);
  const cells = await heldOutCells(parameters);
  for (const [i, { condition, simulate }] of cells.entries()) {
    facts.set(condition, seeds(condition).map(simulate));
    await onCondition(i + 1, cells.length);
  }
  const rows = cells.flatMap(({ condition, asked }) =>
    asked.map((question) => row(condition, question, facts.get(condition)!.map(question.pick)))
  );
  const sweep = SWITCH_TEMPERATURES.map((temperature) => facts.get(im01Name(temperature, true))!);
  const gammas = seeds("branching").map((key) => branchingMean(parameters, key));
  return [
    ...rows,
    ...await switchRows(sweep, ensembles),
    row("IM-01 with roles, T = 0.7", {
      group: "branching entropy Γ̂",
      published: (await loadFact("branching-gamma")).value,
    }, gammas),
  ].toSorted((a, b) => HELD_OUT_GROUPS.indexOf(a.group) - HELD_OUT_GROUPS.indexOf(b.group));
}

function row(
  condition: string,
  { group, published }: Omit<Asked, "pick">,
  draws: readonly (number | undefined)[],
): HeldOutRow {
  const bounded = !group.startsWith("λ̂");
  const { mean: measured, low, high } = predictionInterval(draws, bounded ? { floor: 0 } : {});
  return {
    ...{ group, condition, published: published! },
    ...(measured !== undefined && { measured }),
    ...(low !== undefined && high !== undefined && { low, high }),
    verdict: verdict(published, { low, high }),
  };
}

async function heldOutCells(parameters: SurrogateParameters): Promise<Cell[]> {
  const [landscape, models, im01] = await Promise.all([landscapeTargets(0.1), modelTargets(0.1), loadIm01()]);
  // IM-01's two cells of the landscape are rows of its own table as well, and asked there.
  landscape.delete("IM-01");
  const targets = (of: ReadonlyMap<string, FitTarget[]>) => [...of.values()].flat();
  return [
    ...targets(landscape).map((target) => lambdaCell(parameters, "λ̂ of the scenarios at T = 0.1", target)),
    ...targets(models).map((target) => lambdaCell(parameters, "λ̂ of the models at T = 0.1", target)),
    ...im01.filter(({ experiment }) => experiment === "temperature").map((of) => im01Cell(parameters, of)),
    ...im01.filter(({ experiment, ablated }) => experiment === "ablation" && ablated !== "none")
      .map((of) => im01Cell(parameters, of)),
    await wordingsCell(parameters, im01.find(({ experiment }) => experiment === "semantic")!),
  ];
}

function lambdaCell(
  parameters: SurrogateParameters,
  group: HeldOutGroup,
  { name, lambda: published, n = TARGET_RUNS, spec }: FitTarget,
): Cell {
  return {
    condition: name,
    simulate: (seed) => ({ lambda: simulatedLambda(spec, parameters, seed, n) }),
    asked: [{ group, published, pick: ({ lambda }) => lambda }],
  };
}

const im01Name = (temperature: number, roles: boolean) =>
  `IM-01 T = ${0 < temperature && temperature < 0.001 ? temperature.toExponential() : temperature}, roles ${
    roles ? "on" : "off"
  }`;

/** A row of Table S5. Its λ̂ at T = 0 was fitted. */
function im01Cell(parameters: SurrogateParameters, of: PublishedIm01Row): Cell {
  const { temperature = 0, roles, n = TARGET_RUNS } = of;
  const ablated = of.ablated === "none" ? undefined : of.ablated;
  const spec = committeeSpec("IM-01", 3, oneModel(parameters.models.reference), { roles, ablated, temperature });
  const group = temperature === 0.1 ? "λ̂ of the scenarios at T = 0.1" : "λ̂ at other temperatures";
  return {
    condition: ablated ? `IM-01 without ${ablated}'s mandate` : im01Name(temperature, roles),
    simulate: (seed) => simulatedFacts(spec, parameters, seed, n),
    asked: [
      ...(temperature === 0
        ? []
        : [{ group, published: of.lambda, pick: ({ lambda }: Partial<ConditionFacts>) => lambda } as const]),
      ...flipAndMajority(of),
    ],
  };
}

const flipAndMajority = ({ flip_rate, ttm }: PublishedIm01Row): Asked[] => [
  { group: "flip rate", published: flip_rate, pick: ({ flip }) => flip },
  { group: "median time to majority, rounds", published: ttm, pick: ({ majority }) => majority },
];

/** One run of each wording of IM-01 on file. */
async function wordingsCell(parameters: SurrogateParameters, of: PublishedIm01Row): Promise<Cell> {
  const wordings = await im01Wordings();
  const spec = committeeSpec("IM-01", 3, oneModel(parameters.models.reference), { roles: true });
  return {
    condition: `IM-01 with roles, ${wordings.length} wordings`,
    simulate: (seed) =>
      conditionFacts(
        wordings.map((wording, i) => simulatedRun({ ...spec, wording }, parameters, createRng(seed).fork(i))),
      ),
    asked: [
      { group: "λ̂ across wordings", published: of.lambda, pick: ({ lambda }) => lambda },
      ...flipAndMajority(of),
    ],
  };
}

/** Table S7 pools these. */
const SWITCH_TEMPERATURES = [0, 0.01, 0.05, 0.1, 0.2, 0.7];

async function switchRows(sweep: readonly Partial<ConditionFacts>[][], ensembles: number): Promise<HeldOutRow[]> {
  return (await loadPublishedSwitches()).map(({ role, mean_switches }) => {
    const seat = ROLES.indexOf(role);
    const draws = Array.from({ length: ensembles }, (_, e) => mean(sweep.map((facts) => facts[e]!.switches![seat]!)));
    return row(`IM-01 with roles, ${role}`, { group: "switches a run", published: mean_switches }, draws);
  });
}

function branchingMean(parameters: SurrogateParameters, seed: number): number {
  const spec = committeeSpec("IM-01", 3, oneModel(parameters.models.reference), { roles: true, temperature: 0.7 });
  return mean(simulatedBranching(spec, parameters, seed).map(({ gamma }) => gamma));
}

/** How far the surrogate gets with numbers it was not fitted to. */
export interface HeldOutSummary {
  readonly n: number;
  /** Published values inside our 95 % prediction interval. */
  readonly inside: number;
  /** Root mean square of measured less published, over the rows that have both. */
  readonly rmse?: number;
  /** Spearman's; absent with fewer than three rows, or where one side does not vary. */
  readonly rankCorrelation?: number;
}

/** Share inside, error and rank correlation of held-out rows of one unit. */
export function heldOutSummary(rows: readonly HeldOutRow[]): HeldOutSummary {
  const pairs = rows.flatMap(({ published, measured }) => measured === undefined ? [] : [{ published, measured }]);
  const correlation = rankCorrelation(
    pairs.map(({ published }) => published),
    pairs.map(({ measured }) => measured),
  );
  return {
    n: rows.length,
    inside: rows.filter((one) => one.verdict === "inside").length,
    ...(pairs.length > 0 && {
      rmse: Math.sqrt(mean(pairs.map(({ published, measured }) => (measured - published) ** 2))),
    }),
    ...(correlation !== undefined && { rankCorrelation: correlation }),
  };
}
