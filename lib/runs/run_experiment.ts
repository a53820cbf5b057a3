import { fileURLToPath } from "node:url";
import { createRng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { recording } from "../model/replay.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { Branch } from "../schema/experiments.ts";
import { accountRuns, isComplete, type RunAccounting } from "./accounting.ts";
import { type CommitteeRun, completeRuns } from "./collect_runs.ts";
import { type Council, surrogateCouncil } from "./council.ts";
import { LedgerWriter } from "./ledger_writer.ts";
import { loadCondition } from "./load_condition.ts";
import type { Ledger } from "./read_ledger.ts";
import { runCondition, type RunConditionOptions } from "./run_condition.ts";
import { loadExperiment } from "./scenarios.ts";

/** Where the embedded experiments put their ledgers; git ignores it. */
const RUNS = new URL("../../data/out/runs/", import.meta.url);

export interface RunExperimentOptions {
  /** Surrogates by default. */
  readonly council?: Council | undefined;
  /** Runs of each condition; the experiment's own number by default. */
  readonly replicates?: number | undefined;
  /** Master seed, 1 by default. */
  readonly seed?: number | undefined;
  /** Folder of the ledgers, `data/out/runs/NAME/` by default. */
  readonly out?: string | undefined;
  /** Starts over instead of going on with what is there, always or where something changed: see `runCondition`. */
  readonly fresh?: boolean | "if-changed" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told after each finished run; of a continuation, `base` is the replicate that it continues. */
  readonly onRun?:
    | ((run: { condition: string; replicate: number; complete: boolean; base?: number }) => void)
    | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** A condition after it was run: its ledger, what is missing from it, and the complete runs. */
export interface ConditionRuns {
  readonly name: string;
  readonly condition: Condition;
  readonly ledger: Ledger;
  readonly accounting: RunAccounting;
  readonly runs: readonly CommitteeRun[];
  readonly synthetic: boolean;
  /** Continuations of its runs, where the experiment declares any. */
  readonly branches?: readonly BranchRuns[];
}

/**
 * Runs a declared experiment, one ledger a condition, and reads it back from there. A live council's calls are recorded
 * whole in `calls.jsonl` beside the ledgers.
 *
 * @param name one of `scenarios/experiments.json`.
 * @returns its conditions in the order of declaration.
 * @throws {UserError} on an unknown name, or a ledger that cannot be gone on with; see `runCondition`.
 */
export async function runExperiment(name: string, options: RunExperimentOptions = {}): Promise<ConditionRuns[]> {
  const { seed = 1, fresh = false, signal, onRun, onNotice } = options;
  const out = (options.out ?? fileURLToPath(new URL(name, RUNS))).replace(/\/$/, "");
  const experiment = await loadExperiment(name);
  let council = options.council ?? await surrogateCouncil();
  if (fresh && council.live) {
    throw new UserError("a live experiment cannot be started fresh over paid calls; use another --out");
  }
  using calls = council.live ? openRecording(`${out}/calls.jsonl`, onNotice) : undefined;
  if (calls) council = recorded(council, calls);
  const results: ConditionRuns[] = [];
  for (const spec of experiment.conditions) {
    const condition = await loadCondition(spec);
    const name = conditionName(condition);
    const settings = { council, seed, fresh, signal, onNotice };
    const ledger = await runCondition(condition, {
      ...settings,
      replicates: options.replicates ?? experiment.replicates,
      path: `${out}/${name}.jsonl`,
      onRun: (run) => onRun?.({ condition: name, ...run }),
    });
    const runs = conditionRuns(ledger);
    const branches = experiment.branch && await runBranches(runs, experiment.branch, {
      ...settings,
      out,
      onRun: (run) => onRun?.({ condition: name, ...run }),
    });
    results.push({ ...runs, ...(branches && { branches }) });
  }
  return results;
}

function openRecording(path: string, onNotice: RunExperimentOptions["onNotice"]): LedgerWriter {
  const writer = LedgerWriter.open(path);
  if (writer.endLastLine()) onNotice?.(`the last call in ${path} was torn off; its bytes are kept in ${path}.torn`);
  return writer;
}

/** Paid calls are kept whole beside the ledgers, so that they can be replayed; each is safe before it is used. */
function recorded(council: Council, calls: LedgerWriter): Council {
  const chat = recording(council.chat, (call) => {
    calls.append(call);
    calls.commit();
  });
  return { ...council, chat };
}

/** What a ledger holds, ready for analysis. */
export function conditionRuns(ledger: Ledger): ConditionRuns {
  const { name, condition, synthetic } = ledger.declaration;
  return { name, condition, ledger, accounting: accountRuns(ledger), runs: completeRuns(ledger), synthetic };
}

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
