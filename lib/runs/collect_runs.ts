import { conditionName } from "../deliberation/condition_name.ts";
import { deliberate } from "../deliberation/deliberate.ts";
import {
  applyEvent,
  committeeMeans,
  type DeliberationState,
  initialState,
  preferencesByRound,
} from "../deliberation/state.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import { isComplete, type RunAccounting } from "./accounting.ts";
import { conditionWords } from "./label_conditions.ts";
import type { Ledger } from "./read_ledger.ts";

/** A condition after it was run: the complete runs, and what is missing. */
export interface CollectedRuns {
  /** In words, unique among the conditions of a call: what differs between them. */
  readonly label: string;
  /** As its ledger is named. */
  readonly name: string;
  readonly condition: Condition;
  readonly accounting: RunAccounting;
  /** In order of replicate. */
  readonly runs: readonly CommitteeRun[];
  /** Whether any reply came from something other than a language model. */
  readonly synthetic: boolean;
  /** Master seed. */
  readonly seed: number;
}

/**
 * Runs a condition in memory, without a ledger: for benchmarks and for studies that can be made again at any time.
 *
 * @returns the condition, labelled as one that stands alone, with its complete runs and the accounting of those that were
 * flagged.
 */
export async function collectRuns(
  condition: Condition,
  { chat, replicates, seed, signal }: {
    chat: ChatModel;
    replicates: number;
    seed: number;
    signal?: AbortSignal | undefined;
  },
): Promise<CollectedRuns> {
  const runs: CommitteeRun[] = [];
  const causes: Record<string, number> = {};
  let synthetic = false;
  for (let replicate = 0; replicate < replicates; replicate++) {
    const events = await Array.fromAsync(deliberate(condition, { chat, replicate, seed, signal }));
    const run = committeeRun(condition, { replicate, events });
    const { state } = run;
    synthetic ||= state.synthetic;
    if (state.closed?.outcome === "complete") runs.push(run);
    else causes[state.flaw ?? "unknown"] = (causes[state.flaw ?? "unknown"] ?? 0) + 1;
  }
  const accounting = {
    name: conditionName(condition),
    target: replicates,
    realised: runs.length,
    deficit: replicates - runs.length,
    causes,
  };
  const { name } = accounting;
  return { label: conditionWords(condition), name, condition, accounting, runs, synthetic, seed };
}

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
  readonly events: readonly DeliberationEvent[];
}

/** The analysable view of a run. */
export function committeeRun(
  condition: Condition,
  { replicate, events }: Pick<CommitteeRun, "replicate" | "events">,
): CommitteeRun {
  const state = events.reduce(applyEvent, initialState(condition));
  return {
    ...{ replicate, events },
    means: committeeMeans(state),
    preferences: preferencesByRound(state),
    decision: state.decided?.decision,
    state,
  };
}

/** The complete runs of a ledger, in order of replicate. Flagged and unfinished ones are left out, never patched. */
export function committeeRuns(
  { declaration: { condition }, runs }: Pick<Ledger, "declaration" | "runs">,
): CommitteeRun[] {
  return runs.filter(isComplete)
    .map((run) => committeeRun(condition as Condition, run))
    .sort((a, b) => a.replicate - b.replicate);
}
