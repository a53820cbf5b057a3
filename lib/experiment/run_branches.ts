import { createRng } from "../core/rng.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { Branch } from "../schema/experiments.ts";
import { isComplete } from "../storage/accounting.ts";
import { runCondition, type RunConditionOptions } from "./run_condition.ts";
import { type ConditionRuns, conditionRuns } from "./run_experiment.ts";

/** Continuations of one run from the end of a round on. */
export interface BranchRuns extends ConditionRuns {
  /** Replicate that is continued. */
  readonly base: number;
}

export interface RunBranchesOptions
  extends Pick<RunConditionOptions, "council" | "seed" | "fresh" | "signal" | "onNotice"> {
  readonly out: string;
  readonly onRun?: ((run: { replicate: number; complete: boolean; base: number }) => void) | undefined;
}

/**
 * Continues every complete run of a condition K times from the end of one round, one ledger a base state. A
 * continuation is the protocol gone on with under another seed: it shares every event up to that round with its base.
 *
 * Source: S3.1 of the deliberation paper, where the base states are "independently chosen"; their round is not given.
 *
 * @throws {UserError} as `runCondition`.
 */
export async function runBranches(
  { name, condition, ledger }: ConditionRuns,
  { round, continuations }: Branch,
  { out, seed, onRun, ...settings }: RunBranchesOptions,
): Promise<BranchRuns[]> {
  const results: BranchRuns[] = [];
  for (const { replicate: base, events } of ledger.runs.filter(isComplete)) {
    const continued = await runCondition(condition, {
      ...settings,
      replicates: continuations,
      seed: createRng(seed).fork("continuations").fork(base).key,
      base: throughRound(events, round),
      path: `${out}/${name}__from${base}-t${round}.jsonl`,
      onRun: (run) => onRun?.({ ...run, base }),
    });
    results.push({ ...conditionRuns(continued), base });
  }
  return results;
}

/** The events of a run up to the end of a round. */
export function throughRound(events: readonly DeliberationEvent[], round: number): DeliberationEvent[] {
  const next = events.findIndex((event) =>
    event.kind === "ballot.answered" || (event.kind === "turn.answered" && event.round > round)
  );
  return events.slice(0, next === -1 ? undefined : next);
}
