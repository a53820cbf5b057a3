import { median } from "simple-statistics";
import type { Condition } from "../schema/condition.ts";
import { flipRate } from "../stats/flip_rate.ts";
import { timeToMajority } from "../stats/time_to_majority.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import type { RunAccounting } from "../storage/accounting.ts";
import type { CommitteeRun } from "./committee_run.ts";
import { type Measurement, measureRuns } from "./measure_runs.ts";
import type { ConditionRuns } from "./run_experiment.ts";

/** A condition with all that Table S5 says of one. A field that does not exist is absent. */
export interface MeasuredCondition extends Measurement {
  readonly name: string;
  readonly condition: Condition;
  readonly accounting: RunAccounting;
  readonly runs: readonly CommitteeRun[];
  /** Committee means of the complete runs, each [T][K]. */
  readonly means: readonly Trajectory[];
  /** Share of non-modal decisions; absent where no run has a decision. */
  readonly flip?: number;
  /** Complete runs without a decision: not in `flip`. */
  readonly undecided: number;
  /** Round of each run's first strict majority; undefined: never. */
  readonly times: readonly (number | undefined)[];
  /** Their median, "never" counting as the round after the last; absent without runs. */
  readonly majority?: number;
}

export interface MeasureConditionsOptions {
  readonly seed?: number | undefined;
  /** Last round of the fit, 20 by default; a shorter run is fitted to its end. */
  readonly to?: number | undefined;
}

/**
 * Slope, flip rate and time to majority of every condition of an experiment, in its order.
 *
 * A majority is a strict one: more than half of the agents, three of five as in the paper.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", Table S5.
 */
export function measureConditions(
  conditions: readonly ConditionRuns[],
  { seed = 1, to = 20 }: MeasureConditionsOptions = {},
): MeasuredCondition[] {
  return conditions.map(({ name, condition, accounting, runs }) => {
    const means = runs.map((run) => run.means);
    return {
      ...{ name, condition, accounting, runs, means },
      ...measureRuns(means, { seed, to: Math.min(to, condition.rounds) }),
      ...outcomes(runs, condition),
    };
  });
}

function outcomes(
  runs: readonly CommitteeRun[],
  { seats, rounds }: Condition,
): Pick<MeasuredCondition, "flip" | "undecided" | "times" | "majority"> {
  const decisions = runs.flatMap(({ decision }) => decision ?? []);
  const majority = Math.floor(seats.length / 2) + 1;
  const times = runs.map(({ preferences }) => timeToMajority(preferences, { majority }));
  return {
    ...(decisions.length > 0 && { flip: flipRate(decisions) }),
    undecided: runs.length - decisions.length,
    times,
    ...(times.length > 0 && { majority: median(times.map((time) => time ?? rounds + 1)) }),
  };
}
