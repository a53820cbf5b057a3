import { median } from "simple-statistics";
import { divergence } from "../stats/divergence.ts";
import { flipRate } from "../stats/flip_rate.ts";
import { lyapunovSlope } from "../stats/lyapunov_slope.ts";
import { switchCounts } from "../stats/switch_counts.ts";
import { timeToMajority } from "../stats/time_to_majority.ts";
import type { AgentPreferences } from "../stats/top_option.ts";

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
}

/** A run as far as its facts go. */
export interface FactsRun {
  /** Shape [T][N][K]. */
  readonly preferences: AgentPreferences;
  /** Committee means, shape [T][K]. */
  readonly means: readonly (readonly number[])[];
  readonly decision: string | undefined;
}

/** λ̂, flip rate, time to majority and switches of an ensemble of runs. */
export function conditionFacts(runs: readonly FactsRun[]): ConditionFacts {
  const switches = runs.map(({ preferences }) => switchCounts(preferences));
  return {
    lambda: lyapunovSlope(divergence(runs.map(({ means }) => means))).lambda,
    flip: flipRate(runs.flatMap(({ decision }) => decision ?? [])),
    majority: median(runs.map(({ preferences }) => timeToMajority(preferences) ?? preferences.length + 1)),
    switches: switches[0]!.map((_, seat) => switches.reduce((total, counts) => total + counts[seat]!, 0) / runs.length),
  };
}
