import { start, update } from "../deliberation/state.ts";
import { committeeMeans, preferencesByRound } from "../deliberation/trajectory.ts";
import type { DeliberationState } from "../deliberation/state.ts";
import type { Condition } from "../schema/condition.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import { isComplete } from "../storage/accounting.ts";
import type { Ledger } from "../storage/read_ledger.ts";

/** One complete run, ready for analysis. */
export interface CommitteeRun {
  readonly replicate: number;
  /** Committee-mean preferences, shape [T][K]. */
  readonly means: Trajectory;
  /** Every agent's preferences, shape [T][N][K], agents in seat order. */
  readonly preferences: readonly (readonly (readonly number[])[])[];
  /** Letter of the final decision; undefined where no ballot could be read. */
  readonly decision: string | undefined;
  readonly state: DeliberationState;
}

/** The analysable view of a run's final state. */
export function committeeRun(replicate: number, state: DeliberationState): CommitteeRun {
  return {
    replicate,
    means: committeeMeans(state),
    preferences: preferencesByRound(state),
    decision: state.decided?.decision,
    state,
  };
}

/** The complete runs of a ledger, in order of replicate. Flagged and unfinished ones are left out, never patched. */
export function completeRuns(
  { declaration: { condition }, runs }: Pick<Ledger, "declaration" | "runs">,
): CommitteeRun[] {
  return runs.filter(isComplete)
    .map(({ replicate, events }) => committeeRun(replicate, events.reduce(update, start(condition as Condition))))
    .sort((a, b) => a.replicate - b.replicate);
}
