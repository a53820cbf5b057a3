import { createRng } from "../core/rng.ts";
import { lyapunovSlope } from "../stats/lyapunov_slope.ts";
import { divergence } from "../stats/divergence.ts";
import { type Role, ROLES } from "../schema/role.ts";
import { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { loadIm01, loadTwoRoutes } from "../storage/published.ts";
import { loadLineups } from "../storage/scenarios.ts";
import { evolve } from "./evolve.ts";
import { type CommitteeSpec, simulateCommittee } from "./simulate_committee.ts";
import { speakingOrder } from "./speaking_order.ts";

/** One published λ̂ and the committee that should show it. */
export interface FitTarget {
  readonly name: string;
  readonly lambda: number;
  readonly spec: CommitteeSpec;
}

/**
 * The eleven published λ̂ at T = 0 that the surrogate is fitted to: HL-01's four cells, and IM-01 without roles, with
 * roles and with each role ablated. Flip rates, times to majority, switches, other temperatures and windows are not
 * used: they stay free to disagree.
 */
export async function fitTargets(): Promise<FitTarget[]> {
  const [routes, im01, { lineups }] = await Promise.all([loadTwoRoutes(), loadIm01(), loadLineups()]);
  const spec = (scenario: string, lineup: string, roles: boolean, ablated?: Role): CommitteeSpec => ({
    scenario,
    optionCount: 3,
    seats: ROLES.map((role) => ({
      model: lineups[lineup]!.models[role],
      mandate: roles && role !== ablated ? role : undefined,
    })),
    order: speakingOrder(scenario, ROLES.length),
    temperature: 0,
    window: 15,
    rounds: 20,
  });
  const hl01 = routes.map(({ scenario, lineup, roles, lambda }) => ({
    name: `HL-01 ${lineup}, roles ${roles ? "on" : "off"}`,
    lambda: lambda!,
    spec: spec(scenario, lineup, roles),
  }));
  const cells = im01.filter(({ experiment, temperature, ablated }) =>
    temperature === 0 && (experiment === "temperature" || (experiment === "ablation" && ablated !== "none"))
  );
  return [
    ...hl01,
    ...cells.map(({ roles, ablated, lambda }) => ({
      name: ablated === "none" ? `IM-01 roles ${roles ? "on" : "off"}` : `IM-01 without ${ablated}'s mandate`,
      lambda: lambda!,
      spec: spec("IM-01", "uniform", roles, ablated === "none" ? undefined : ablated),
    })),
  ];
}

/** λ̂ of a simulated ensemble of R runs; undefined where the runs do not differ. */
export function simulatedLambda(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  seed: number,
  replicates: number,
): number | undefined {
  const rng = createRng(seed);
  const runs = Array.from({ length: replicates }, (_, replicate) => {
    const stream = rng.fork(replicate);
    const agents = simulateCommittee(spec, parameters, () => stream);
    return agents.map((round) => round[0]!.map((_, k) => round.reduce((sum, p) => sum + p[k]!, 0) / round.length));
  });
  return lyapunovSlope(divergence(runs)).lambda;
}

/** A number that the fit moves, on a scale where steps of one size are alike everywhere. */
interface Knob {
  readonly get: (parameters: SurrogateParameters) => number;
  readonly set: (parameters: SurrogateParameters, value: number) => void;
  readonly scale: "log" | "logit" | "linear";
}

const mechanism = (name: keyof SurrogateParameters["mechanism"], scale: Knob["scale"] = "log"): Knob => ({
  get: (p) => p.mechanism[name],
  set: (p, value) => p.mechanism[name] = value,
  scale,
});
const anchor = (role: keyof SurrogateParameters["anchors"]): Knob => ({
  get: (p) => p.anchors[role],
  set: (p, value) => p.anchors[role] = value,
  scale: "log",
});
/** Only differences between options count, so the last option's prior stays 0. */
const prior = (scenario: string, option: number): Knob => ({
  get: (p) => p.scenarios[scenario]!.prior[option]!,
  set: (p, value) => p.scenarios[scenario]!.prior[option] = value,
  scale: "linear",
});
/** How much of Security's weight goes to the most cautious option C rather than to B, in both scenarios alike. */
const precaution: Knob = {
  get: (p) => p.scenarios["IM-01"]!.anchors.Security[2]!,
  set: (p, value) =>
    ["IM-01", "HL-01"].forEach((id) => p.scenarios[id]!.anchors.Security = [0, Number((1 - value).toFixed(12)), value]),
  scale: "logit",
};
const hl01RoleSpread: Knob = {
  get: (p) => p.scenarios["HL-01"]!.roleSpread,
  set: (p, value) => p.scenarios["HL-01"]!.roleSpread = value,
  scale: "log",
};

/** The seventeen fitted numbers. More numbers than targets: agreement with the targets is no evidence for the mechanism. */
const KNOBS: readonly Knob[] = [
  mechanism("openness", "logit"),
  mechanism("memoryGain"),
  mechanism("chairWeight"),
  mechanism("chairGain"),
  mechanism("receptiveness"),
  mechanism("noiseFloor"),
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
  hl01RoleSpread,
];

const toScale = { log: Math.log, logit: (x: number) => Math.log(x / (1 - x)), linear: (x: number) => x };
const fromScale = { log: Math.exp, logit: (x: number) => 1 / (1 + Math.exp(-x)), linear: (x: number) => x };

/** The fitted numbers of a parameter set as a point. */
const toPoint = (parameters: SurrogateParameters): number[] =>
  KNOBS.map(({ get, scale }) => toScale[scale](get(parameters)));

/** A parameter set moved to a point; what is not fitted stays. */
function atPoint(parameters: SurrogateParameters, point: readonly number[], digits?: number): SurrogateParameters {
  const moved = structuredClone(parameters);
  KNOBS.forEach(({ set, scale }, i) => {
    const value = fromScale[scale](point[i]!);
    set(moved, digits === undefined ? value : Number(value.toPrecision(digits)));
  });
  return moved;
}

/** One R = 20 estimate of λ̂ scatters by about this much, nats per round: the unit of the loss. */
const LAMBDA_SCATTER = 0.01;
/** Keeps numbers that the targets do not determine near where they started. */
const RIDGE = 0.05;
/** A synthesis may count for several arguments, but not for a whole window of them. */
const CHAIR_WEIGHT_CAP = 8;

/**
 * Fits the surrogate's parameters to the published λ̂ of `fitTargets` by least squares in units of their scatter.
 *
 * @param start parameters to begin at; everything that is not fitted is kept from them.
 * @param options `replicates`: runs in each simulated ensemble (its seed is fixed, so the loss is a function).
 * @returns the fitted parameters, rounded to four digits, and their loss.
 */
export async function fitSurrogate(
  start: SurrogateParameters,
  targets: readonly FitTarget[],
  { seed, generations, replicates = 96, onGeneration }: {
    seed: number;
    generations: number;
    replicates?: number;
    onGeneration?: (generation: number, loss: number) => void;
  },
): Promise<{ parameters: SurrogateParameters; loss: number }> {
  const origin = toPoint(start);
  const loss = (point: readonly number[]): number => {
    const parameters = atPoint(start, point);
    const misfit = targets.reduce((sum, { spec, lambda }, i) => {
      const simulated = simulatedLambda(spec, parameters, seed + i, replicates) ?? Infinity;
      return sum + ((simulated - lambda) / LAMBDA_SCATTER) ** 2;
    }, 0);
    const ridge = point.reduce((sum, value, i) => sum + RIDGE * (value - origin[i]!) ** 2, 0);
    const excess = Math.max(0, Math.log(parameters.mechanism.chairWeight / CHAIR_WEIGHT_CAP));
    return misfit + ridge + 10 * excess ** 2;
  };
  const { best, loss: reached } = await evolve(loss, origin, {
    rng: createRng(seed).fork("evolve"),
    generations,
    population: 16,
    step: 0.25,
    ...(onGeneration && { onGeneration }),
  });
  return { parameters: SurrogateParameters.parse(atPoint(start, best, 4)), loss: reached };
}
