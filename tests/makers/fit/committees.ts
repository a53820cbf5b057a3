import { median } from "simple-statistics";
import { createRng, type Rng } from "@/core/rng.ts";
import { speakingOrder } from "@/deliberation/seat_condition.ts";
import {
  type CommitteeSpec,
  seatCommittee,
  type SimulatedRun,
  simulateRun,
} from "@/lab/paper/surrogate/simulate_condition.ts";
import { type Role, ROLES } from "@/schema/scenario.ts";
import type { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import { flipRate, switchCounts, timeToMajority } from "@/stats/decisions.ts";
import { divergence } from "@/stats/divergence.ts";
import { lyapunovSlope } from "@/stats/lyapunov_slope.ts";

/**
 * A committee of five as the paper runs it, by what the surrogate's mechanism sees of it.
 *
 * @param models model id by seat.
 * @param options `ablated`: the seat without its mandate; `temperature` 0, `window` 15 unless given.
 */
export function committeeSpec(
  scenario: string,
  optionCount: number,
  models: Readonly<Record<Role, string>>,
  { roles, ablated, temperature = 0, window = 15 }: {
    roles: boolean;
    ablated?: Role | undefined;
    temperature?: number;
    window?: number;
  },
): CommitteeSpec {
  return {
    scenario,
    optionCount,
    seats: ROLES.map((role) => ({
      model: models[role],
      mandate: roles && role !== ablated ? role : undefined,
    })),
    order: speakingOrder(scenario, ROLES.length),
    temperature,
    window,
    rounds: 20,
  };
}

/** One model in all five seats. */
export function oneModel(model: string): Record<Role, string> {
  return { Chair: model, Welfare: model, Rights: model, Equity: model, Security: model };
}

/** What an ensemble of one condition shows. A field that is undefined cannot be judged. */
export interface ConditionFacts {
  /** Nats per round. */
  readonly lambda: number | undefined;
  /** Share of runs whose decision is not the modal one. */
  readonly flip: number;
  /** Median round of the first majority; `never` counts as the round after the last. */
  readonly majority: number;
  /** Mean switches a run, by seat. */
  readonly switches: readonly number[];
  /** Share of the runs with a decision that end on each option, by letter; no letter for an option that none ends on. */
  readonly endings: Readonly<Record<string, number>>;
}

/** A run as far as its facts go. */
type FactsRun = Omit<SimulatedRun, "decision"> & { readonly decision: string | undefined };

/** λ̂, flip rate, time to majority, switches and endings of an ensemble of runs. */
export function conditionFacts(runs: readonly FactsRun[]): ConditionFacts {
  const switches = runs.map(({ preferences }) => switchCounts(preferences));
  const decisions = runs.flatMap(({ decision }) => decision ?? []);
  return {
    lambda: lyapunovSlope(divergence(runs.map(({ means }) => means))).lambda,
    flip: flipRate(decisions),
    majority: median(runs.map(({ preferences }) => timeToMajority(preferences) ?? preferences.length + 1)),
    switches: switches[0]!.map((_, seat) => switches.reduce((total, counts) => total + counts[seat]!, 0) / runs.length),
    endings: Object.fromEntries(
      [...Map.groupBy(decisions, (decision) => decision)].map(([letter, of]) => [letter, of.length / decisions.length]),
    ),
  };
}

/** A simulated ensemble: R runs, each with the stream's fork of its number. */
export function simulatedRuns(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  rng: Rng,
  replicates: number,
): SimulatedRun[] {
  const committee = seatCommittee(spec, parameters);
  return Array.from({ length: replicates }, (_, replicate) => simulateRun(committee, rng.fork(replicate)));
}

/** λ̂ of a simulated ensemble of R runs; undefined where the runs do not differ. */
export function simulatedLambda(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  seed: number,
  replicates: number,
): number | undefined {
  const runs = simulatedRuns(spec, parameters, createRng(seed), replicates);
  return lyapunovSlope(divergence(runs.map(({ means }) => means))).lambda;
}
