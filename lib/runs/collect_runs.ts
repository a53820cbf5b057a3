import { checkOptions } from "../core/options.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { deliberate } from "../deliberation/deliberate.ts";
import { type SeatedBy, seatedModel } from "../model/chat_model.ts";
import type { Condition } from "../schema/condition.ts";
import { isComplete, type RunAccounting } from "./accounting.ts";
import { type CommitteeRun, committeeRun, endsComplete } from "./committee_run.ts";
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
  options: SeatedBy & { replicates: number; seed: number; signal?: AbortSignal | undefined },
): Promise<CollectedRuns> {
  const { replicates, seed, signal } = checkOptions(
    "collectRuns",
    options,
    "council chat replicates! seed! signal",
  );
  const council = seatedModel(options);
  const runs: CommitteeRun[] = [];
  const causes: Record<string, number> = {};
  let synthetic = false;
  for (let replicate = 0; replicate < replicates; replicate++) {
    const events = await Array.fromAsync(deliberate(condition, { council, replicate, seed, signal }));
    const run = committeeRun(condition, { replicate, events });
    synthetic ||= run.synthetic;
    if (endsComplete(events)) {
      runs.push(run);
      continue;
    }
    const cause = run.state.flaw ?? "unknown";
    causes[cause] = (causes[cause] ?? 0) + 1;
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

/** The complete runs of a ledger, in order of replicate. Flagged and unfinished ones are left out, never patched. */
export function committeeRuns(
  { declaration: { condition }, runs }: Pick<Ledger, "declaration" | "runs">,
): CommitteeRun[] {
  return runs.filter(isComplete)
    .map((run) => committeeRun(condition as Condition, run))
    .sort((a, b) => a.replicate - b.replicate);
}
