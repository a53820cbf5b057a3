import { createRng, type Rng } from "@/core/rng.ts";
import { type CommitteeSpec, runSize, seatCommittee } from "@/lab/paper/surrogate/simulate_condition.ts";
import type { FitTarget } from "./fit_targets.ts";
import { committeeSpec } from "./committees.ts";
import { loadLineups } from "@/lab/live/scenarios.ts";
import { type Role, ROLES } from "@/schema/scenario.ts";
import type { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import {
  committeeSums,
  drawRuns,
  ensembleDivergence,
  ensembleFacts,
  largestLeaveOneOut,
  meanLambda,
  runEnsemble,
} from "./ensemble.ts";
import { GAMMA_ROUND, type StageOneCell, type StageOneFacts } from "./loss.ts";

/** How a fit simulates. */
export interface SimulationOptions {
  readonly seed: number;
  /** Runs of each committee. */
  readonly runs: number;
  /** Share of noisy calls, which is set and not fitted. */
  readonly noiseShare: number;
}

/** Base states and continuations of Γ̂: more and fewer than published, so that their mean scatters less. */
const GAMMA = { bases: 120, continuations: 4, temperature: 0.7 };

/**
 * Stage 1's simulations. Their random draws are made once and serve every parameter set, so that the loss is a function
 * and two sets differ by what they are, not by luck.
 */
export async function stageOneSimulation(
  { seed, runs, noiseShare }: SimulationOptions,
): Promise<(parameters: SurrogateParameters) => StageOneFacts> {
  const specs = await stageOneSpecs();
  const rng = createRng(seed);
  const cells = specs.map(([name, spec]) => ({
    name,
    spec,
    draws: drawRuns(spec, { runs, noiseShare, rng: rng.fork(name) }),
  }));
  const hot = { ...cells.find(({ name }) => name === "IM-01 roles")!.spec, temperature: GAMMA.temperature };
  const branches = branchDraws(hot, noiseShare, rng.fork("branches"));
  return (parameters) => ({
    cells: Object.fromEntries(cells.map(({ name, spec, draws }) => {
      const committee = seatCommittee(spec, parameters);
      const rows = runEnsemble(committee, draws), facts = ensembleFacts(committee, rows);
      const judged = name.startsWith("HL-01 -");
      return [
        name,
        judged
          ? { ...facts, carried: largestLeaveOneOut(committee, committeeSums(committee, rows), Math.min(20, runs)) }
          : facts,
      ];
    })),
    gamma: meanGamma(hot, parameters, branches),
  });
}

/** Stage 2's simulations: mean λ̂ of studies as large as each target's, 20 runs by default, with draws made once. */
export function lambdaSimulation(
  targets: readonly FitTarget[],
  { seed, runs, noiseShare }: SimulationOptions,
): (parameters: SurrogateParameters) => number[] {
  const draws = targets.map(({ name, spec }) => drawRuns(spec, { runs, noiseShare, rng: createRng(seed).fork(name) }));
  return (parameters) =>
    targets.map(({ spec, n = 20 }, i) => {
      const committee = seatCommittee(spec, parameters);
      return meanLambda(committee, runEnsemble(committee, draws[i]!), Math.min(n, runs));
    });
}

/** Every committee of stage 1, by name. */
async function stageOneSpecs(): Promise<(readonly [StageOneCell, CommitteeSpec])[]> {
  const { uniform, mixed } = (await loadLineups()).lineups;
  const spec = (scenario: string, roles: boolean, { ablated, models = uniform!.models }: {
    ablated?: Role;
    models?: Readonly<Record<Role, string>>;
  } = {}) => committeeSpec(scenario, 3, models, { roles, ablated });
  return [
    ["HL-01 mixed", spec("HL-01", false, { models: mixed!.models })],
    ["HL-01 mixed roles", spec("HL-01", true, { models: mixed!.models })],
    ...(["IM-01", "HL-01"] as const).flatMap((scenario): (readonly [StageOneCell, CommitteeSpec])[] => [
      [`${scenario} roles`, spec(scenario, true)],
      [`${scenario} no roles`, spec(scenario, false)],
      ...ROLES.map((ablated) => [`${scenario} -${ablated}`, spec(scenario, true, { ablated })] as const),
    ]),
  ];
}

/** Draws of continuations, [base][continuation][T][turn][K]: shared within a base state up to the base round. */
function branchDraws(spec: CommitteeSpec, noiseShare: number, rng: Rng): Float64Array {
  const { bases, continuations } = GAMMA;
  const size = runSize(spec), shared = (size / spec.rounds) * GAMMA_ROUND;
  const draws = drawRuns(spec, { runs: bases * continuations, noiseShare, rng });
  for (let run = 0; run < bases * continuations; run++) {
    const base = run - (run % continuations);
    draws.copyWithin(run * size, base * size, base * size + shared);
  }
  return draws;
}

/** Mean Γ̂ over base states: D over the rounds after the base round, less D at it, which is 0. */
function meanGamma(spec: CommitteeSpec, parameters: SurrogateParameters, draws: Float64Array): number {
  const committee = seatCommittee(spec, parameters);
  const sums = committeeSums(committee, runEnsemble(committee, draws));
  const each = sums.length / GAMMA.bases, after = spec.rounds - GAMMA_ROUND;
  let total = 0;
  for (let base = 0; base < GAMMA.bases; base++) {
    const spread = ensembleDivergence(committee, sums.subarray(base * each, (base + 1) * each));
    for (const distance of spread.slice(GAMMA_ROUND)) total += distance / after / GAMMA.bases;
  }
  return total;
}
