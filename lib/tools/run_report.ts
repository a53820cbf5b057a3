import { dirname } from "node:path";
import { fixedText, intervalText, undefinedText } from "../core/numbers.ts";
import { createRng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import {
  accountCalls,
  accountDecisions,
  accountingRows,
  causeWords,
  isOpen,
  joinAccounting,
} from "../runs/accounting.ts";
import { measureRuns } from "../runs/measure_runs.ts";
import { agentRows, divergenceRows, meanRows } from "../runs/rows.ts";
import type { ConditionRuns } from "../runs/run_experiment.ts";
import { print, say, textTable } from "./command.ts";
import { writeTables } from "./tables.ts";

/** How results are reported. */
export interface ReportSettings {
  readonly seed: number;
  /** Folder for tables. */
  readonly csv: string | undefined;
  /** Whether results are printed for programs. */
  readonly json: boolean;
  readonly onDone?: ((results: readonly ConditionRuns[]) => Promise<void>) | undefined;
}

/** Prints what came of the runs, writes tables, and throws a UserError where runs are missing. */
export async function report(
  results: readonly ConditionRuns[],
  { csv, json, seed, onDone }: ReportSettings,
): Promise<void> {
  const all = results.flatMap((result) => [result, ...result.branches ?? []]);
  if (json) {
    for (const one of all) print(JSON.stringify({ ...("base" in one && { base: one.base }), ...summary(one) }));
  } else print(runTable(all, seed));
  await onDone?.(results);
  if (csv !== undefined) await writeTables(csv, tablesOf(results, seed));
  refuseDeficit(all);
}

/** The conditions as a table for people: their runs, what is missing, their slope, and what to do next. */
export function runTable(results: readonly ConditionRuns[], seed: number): string {
  const rows = results.map(({ label, name, accounting: { target, realised, causes }, runs }) => {
    const missing = Object.entries(causes).map(([cause, count]) => `${count} ${causeWords(cause)}`).join(", ");
    const rounds = runs[0]?.means.length ?? 0;
    const { lambda, low, high, reason } = rounds < 5
      ? { reason: "too-few-rounds" }
      : measureRuns(runs.map(({ means }) => means), { name, seed, to: Math.min(20, rounds), resamples: 4000 });
    const measured = lambda === undefined ? undefinedText(reason) : fixedText(lambda);
    return [label, `${realised} of ${target}`, missing || "none", measured, intervalText(low, high) ?? "none"];
  });
  const folders = [...new Set(results.map(({ ledger }) => dirname(ledger.path)))];
  const next = `next: deno task measure ${folders.map((folder) => `${folder}/*.jsonl`).join(" ")}`;
  return `${textTable([["condition", "runs", "missing", "lambda", "95 % interval"], ...rows])}\n${next}`;
}

/**
 * Says which runs are missing and why. Throws a UserError where the same command would go on with some, or where a condition
 * has too few left to compare: what models did is a result, and no failure of the command.
 */
function refuseDeficit(results: readonly ConditionRuns[]): void {
  const { target, deficit, causes } = joinAccounting("all", results.map(({ accounting }) => accounting));
  if (deficit === 0) return;
  const listed = Object.entries(causes).map(([cause, runs]) => `${runs} ${causeWords(cause)}`);
  const open = Object.entries(causes).filter(([cause]) => isOpen(cause)).reduce((sum, [, runs]) => sum + runs, 0);
  const remedy = open === 0
    ? "What the models did is final: these runs stay out of the analysis"
    : `The same command goes on with ${open} of them from where they stopped`;
  const hint = "; --reopen runs those anew that an older version closed for a body that was no reply";
  const more = Object.hasOwn(causes, "no_reply:oversize") ? hint : "";
  const words = `${deficit} of ${target} runs are missing: ${listed.join(", ")}. ${remedy}${more}`;
  const bare = results.some(({ accounting: { realised, target } }) => realised < Math.min(2, target));
  if (open > 0 || bare) throw new UserError(words);
  say(`run: ${words}`);
}

/** Continuations are conditions of their own. */
function tablesOf(results: readonly ConditionRuns[], seed: number) {
  const conditions = results.flatMap((result) => [result, ...result.branches ?? []]);
  return {
    means: meanRows(conditions),
    agents: agentRows(conditions),
    divergence: divergenceRows(conditions, { rng: createRng(seed) }),
    accounting: accountingRows(conditions),
  };
}

/** What a surrogate's calls took is nothing; what a model's took belongs to the result. */
const summary = ({ ledger, accounting, runs, synthetic }: ConditionRuns) => ({
  ...accounting,
  decided: accountDecisions(runs),
  synthetic,
  ledger: ledger.path,
  ...(!synthetic && { calls: accountCalls(ledger) }),
});
