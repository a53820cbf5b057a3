import { mean } from "simple-statistics";
import { createRng } from "../../core/rng.ts";
import type { Role } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import type { BranchingEntropy } from "../../stats/branching_entropy.ts";
import { rankCorrelation } from "../../stats/rank_correlation.ts";
import { landscapeTargets, modelTargets } from "./fit_targets.ts";
import { type CommitteeSpec, seatCommittee } from "./fast_committee.ts";
import { committeeSpec, im01Wordings, oneModel } from "./simulate_committee.ts";
import { conditionFacts, simulatedBranching, simulatedLambda, simulatedRun } from "./simulated_facts.ts";

/** What one master seed shows of the conditions that `data/predictions/landscape.json` speaks of; λ̂ in nats per round. */
export interface LandscapeFacts {
  /** Table S8's cells at T = 0.1, beside what is published. */
  readonly hot: readonly { readonly roles: boolean; readonly published: number; readonly lambda: number }[];
  /** The twelve scenarios with roles at T = 0. */
  readonly coldRoles: readonly number[];
  /** IM-01 at eight temperatures. */
  readonly sweep: readonly { readonly temperature: number; readonly roles: boolean; readonly lambda: number }[];
  /** Uniform committees with roles at T = 0, by scenario and change: `k15`, `k3`, `k1`, `noChair`. */
  readonly changed: Readonly<Record<string, Readonly<Record<Change, number>>>>;
  /** Models of Table S6 with roles at T = 0.1, by model id. */
  readonly models: ReadonlyMap<string, number>;
  readonly branching: readonly BranchingEntropy[];
  readonly wordings: number;
  readonly oneWording: number;
}

const CHANGES = {
  k15: {},
  k3: { window: 3 },
  k1: { window: 1 },
  noChair: { ablated: "Chair" },
} as const satisfies Record<string, { window?: number; ablated?: Role }>;
type Change = keyof typeof CHANGES;

const SWEEP = [0, 1e-5, 1e-4, 0.01, 0.05, 0.1, 0.2, 0.7];
const CHANGED = ["HL-01", "CL-01", "SP-03", "AI-01"];

/** Simulates every condition that the predictions of the landscape speak of under one master seed. */
export async function landscapeFacts(
  parameters: SurrogateParameters,
  { seed, replicates = 20 }: { seed: number; replicates?: number },
): Promise<LandscapeFacts> {
  const rng = createRng(seed).fork("landscape");
  // No slope is undefined here: noise at T = 0 keeps replicates apart.
  const lambda = (name: string, spec: CommitteeSpec) =>
    simulatedLambda(spec, parameters, rng.fork(name).key, replicates) ?? NaN;
  const models = oneModel(parameters.models.reference);
  const im01 = (roles: boolean, temperature: number) => committeeSpec("IM-01", 3, models, { roles, temperature });
  const [hot, cold, byModel, wordings] = await Promise.all([
    landscapeTargets(0.1),
    landscapeTargets(0),
    modelTargets(0.1),
    im01Wordings(),
  ]);
  const reworded = wordings.map((wording, i) =>
    simulatedRun(seatCommittee({ ...im01(true, 0), wording }, parameters), rng.fork("wordings").fork(i))
  );
  const changed = (scenario: string) => ([change, options]: [string, typeof CHANGES[Change]]) => [
    change,
    lambda(`${scenario} ${change}`, committeeSpec(scenario, 3, models, { roles: true, ...options })),
  ];
  return {
    hot: [...hot.values()].flat().map((target) => ({
      roles: hasRoles(target.spec),
      published: target.lambda,
      lambda: lambda(`${target.name} T = 0.1`, target.spec),
    })),
    coldRoles: [...cold.values()].flat().filter(({ spec }) => hasRoles(spec)).map(({ name, spec }) =>
      lambda(name, spec)
    ),
    sweep: SWEEP.flatMap((temperature) =>
      [true, false].map((roles) => ({
        temperature,
        roles,
        lambda: lambda(`sweep ${temperature} ${roles}`, im01(roles, temperature)),
      }))
    ),
    changed: Object.fromEntries(
      CHANGED.map((scenario) => [scenario, Object.fromEntries(Object.entries(CHANGES).map(changed(scenario)))]),
    ),
    models: new Map([...byModel].map(([model, targets]) => {
      const { name, spec } = targets.find(({ spec }) => hasRoles(spec))!;
      return [model, lambda(name, spec)];
    })),
    branching: simulatedBranching(im01(true, 0.7), parameters, rng.fork("branching").key),
    wordings: conditionFacts(reworded).lambda ?? NaN,
    oneWording: lambda("one wording", im01(true, 0)),
  };
}

const hasRoles = ({ seats }: CommitteeSpec) => seats.some(({ mandate }) => mandate !== undefined);

/** Each prediction of `data/predictions/landscape.json` as a check. */
export const LANDSCAPE_CHECKS: Readonly<Record<string, (facts: LandscapeFacts) => boolean>> = {
  "hot-landscape-ranked": ({ hot }) => ranked(hot) > 0,
  "roles-above-on-average": ({ hot }) => averaged(hot, true) > averaged(hot, false),
  "sweep-roles-above": ({ sweep }) => averaged(sweep, true) > averaged(sweep, false),
  "hl-k3-below": ({ changed }) => changed["HL-01"]!.k3 < changed["HL-01"]!.k15,
  "gemini-above-gpt": ({ models }) => models.get("google/gemini-2.5-flash")! > models.get("openai/gpt-4.1")!,
  "branching-positive": ({ branching }) => branching.every(({ gamma }) => gamma > 0),
  "branching-structured": ({ branching }) => branching.every(({ cosIn, cosOut }) => cosIn! > cosOut!),
  "hot-landscape-well-ranked": ({ hot }) => ranked(hot) > 0.5,
  "sweep-flat": ({ sweep }) => {
    const over = (warm: boolean) =>
      averaged(sweep.filter(({ temperature }) => warm ? temperature >= 0.01 : temperature <= 1e-4), true);
    return Math.abs(over(true) - over(false)) < 0.02;
  },
  "cl-k3-below": ({ changed }) => changed["CL-01"]!.k3 < changed["CL-01"]!.k15,
  "cl-k1-below": ({ changed }) => changed["CL-01"]!.k1 < changed["CL-01"]!.k15,
  "sp-k3-below": ({ changed }) => changed["SP-03"]!.k3 < changed["SP-03"]!.k15,
  "ai-k3-below": ({ changed }) => changed["AI-01"]!.k3 < changed["AI-01"]!.k15,
  "no-chair-below": ({ changed }) =>
    ["CL-01", "SP-03", "AI-01"].every((scenario) => changed[scenario]!.noChair < changed[scenario]!.k15),
  "roles-rise-with-heat": ({ hot, coldRoles }) => averaged(hot, true) - mean([...coldRoles]) > 0.01,
  "wordings-below-replicates": ({ wordings, oneWording }) => wordings < oneWording,
};

const ranked = (cells: LandscapeFacts["hot"]): number =>
  rankCorrelation(cells.map(({ published }) => published), cells.map(({ lambda }) => lambda)) ?? NaN;

const averaged = (cells: readonly { readonly roles: boolean; readonly lambda: number }[], roles: boolean): number =>
  mean(cells.filter((cell) => cell.roles === roles).map(({ lambda }) => lambda));
