import { conditionName } from "../deliberation/condition_name.ts";
import { deliberate } from "../deliberation/deliberate.ts";
import { start, update } from "../deliberation/state.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { Condition } from "../schema/condition.ts";
import type { RunAccounting } from "../storage/accounting.ts";
import { type CommitteeRun, committeeRun } from "./committee_run.ts";

/**
 * Runs a condition in memory, without a ledger: for benchmarks and for studies that can be made again at any time.
 *
 * @returns the complete runs in order of replicate, and the accounting of those that were flagged.
 */
export async function collectRuns(
  condition: Condition,
  { chat, replicates, seed, signal }: {
    chat: ChatModel;
    replicates: number;
    seed: number;
    signal?: AbortSignal | undefined;
  },
): Promise<{ runs: CommitteeRun[]; accounting: RunAccounting }> {
  const runs: CommitteeRun[] = [];
  const causes: Record<string, number> = {};
  for (let replicate = 0; replicate < replicates; replicate++) {
    let state = start(condition);
    for await (const event of deliberate(condition, { chat, replicate, seed, signal })) state = update(state, event);
    if (state.closed?.outcome === "complete") runs.push(committeeRun(replicate, state));
    else causes[state.flaw ?? "unknown"] = (causes[state.flaw ?? "unknown"] ?? 0) + 1;
  }
  const accounting = {
    name: conditionName(condition),
    target: replicates,
    realised: runs.length,
    deficit: replicates - runs.length,
    causes,
  };
  return { runs, accounting };
}
