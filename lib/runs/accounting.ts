import { rollup } from "d3-array";
import { known } from "../core/known.ts";
import { checkOptions } from "../core/options.ts";
import type { ChatReply, FailedTry } from "../schema/model_call.ts";
import { checkConditions } from "./label_conditions.ts";
import { type ConditionColumns, conditionColumns, type LabelledRuns } from "./rows.ts";
import { flipRate } from "../stats/decisions.ts";
import type { CommitteeRun } from "./committee_run.ts";
import type { LedgerRun } from "./ledger_run.ts";
import type { Ledger } from "./read_ledger.ts";

/** How many runs a condition was meant to have, how many it has, and why the others are missing. */
export interface RunAccounting {
  readonly name: string;
  readonly target: number;
  readonly realised: number;
  /** target − realised. */
  readonly deficit: number;
  /** Replicates missing by cause; the counts sum to the deficit. */
  readonly causes: Readonly<Record<string, number>>;
}

/**
 * Run accounting from the ledger alone: what Table S3 of the deliberation paper says was not recoverable.
 *
 * A replicate is realised when an attempt at it closed complete. Otherwise its cause is that of its latest attempt:
 * why it was flagged, `unanswered` with the endpoint's failure where that left it open, `unfinished` where it was cut off,
 * `damaged` where its lines were changed, or `not_started`.
 */
export function accountRuns({ declaration: { name, target }, runs }: Ledger): RunAccounting {
  const attempts = Map.groupBy(runs, ({ replicate }) => replicate);
  // A map, since causes are words from a file: any of them may be a name that plain objects have already.
  const causes = new Map<string, number>();
  let realised = 0;
  for (let replicate = 0; replicate < target; replicate++) {
    const own = attempts.get(replicate) ?? [];
    if (own.some(isComplete)) realised++;
    else {
      const cause = missingCause(own.at(-1));
      causes.set(cause, (causes.get(cause) ?? 0) + 1);
    }
  }
  return { name, target, realised, deficit: target - realised, causes: Object.fromEntries(causes) };
}

/** Whether an attempt counts: its closing event is there and says complete, and no line of it was changed. */
export const isComplete = ({ closed, damaged }: LedgerRun): boolean => closed?.outcome === "complete" && !damaged;

function missingCause(last: LedgerRun | undefined): string {
  if (last === undefined) return "not_started";
  if (last.damaged) return "damaged";
  if (last.closed) return last.closed.cause ?? "unknown";
  const unanswered = last.unanswered.at(-1);
  return unanswered ? `unanswered:${unanswered.code}` : "unfinished";
}

/**
 * The accounting of several conditions as one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const one = { name: "a", target: 20, realised: 19, deficit: 1, causes: { timeout: 1 } };
 * const two = { name: "b", target: 20, realised: 18, deficit: 2, causes: { timeout: 1, quota: 1 } };
 * const { realised, causes } = joinAccounting("both", [one, two]);
 * assert.deepEqual([realised, causes], [37, { timeout: 2, quota: 1 }]);
 * ```
 */
export function joinAccounting(name: string, parts: readonly RunAccounting[]): RunAccounting {
  const total = (key: "target" | "realised" | "deficit") => parts.reduce((sum, part) => sum + part[key], 0);
  const causes = new Map<string, number>();
  for (const [cause, count] of parts.flatMap((part) => Object.entries(part.causes))) {
    causes.set(cause, (causes.get(cause) ?? 0) + count);
  }
  return {
    ...{ name, target: total("target"), realised: total("realised"), deficit: total("deficit") },
    causes: Object.fromEntries(causes),
  };
}

/**
 * Decisions by the ballots and by the clerk, who decides in the paper (S2.4): of each the runs by letter, how many have no
 * decision that could be read, and the share that left the commonest one (absent where no run has one); and the runs in
 * which the clerk reported another decision than the ballots give.
 *
 * @param options `decidedBy`: whose letters `decisions` gives; the ballots' by default, as everywhere here.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const runs = [{ replicate: 0, decision: "A", clerk: "A" }, { replicate: 1, decision: "A", clerk: "B" }];
 * const { ballots, clerk, disagreements } = accountDecisions(runs);
 * assert.deepEqual([ballots.flipRate, clerk.flipRate], [0, 0.5]);
 * assert.deepEqual(disagreements, [{ replicate: 1, ballots: "A", clerk: "B" }]);
 * ```
 */
export function accountDecisions(
  runs: readonly Pick<CommitteeRun, "replicate" | "decision" | "clerk">[],
  options: { readonly decidedBy?: "ballots" | "clerk" } = {},
) {
  const { decidedBy = "ballots" } = checkOptions("accountDecisions", options, "decidedBy");
  const ballots = runs.flatMap(({ decision }) => decision ?? []), clerk = runs.flatMap(({ clerk }) => clerk ?? []);
  const disagreements = runs.filter(({ clerk, decision }) => clerk !== undefined && clerk !== decision)
    .map(({ replicate, decision, clerk }) => ({ replicate, ...known({ ballots: decision, clerk }) }));
  const sides = { ballots: decided(ballots, runs.length), clerk: decided(clerk, runs.length) };
  return { ...sides, decisions: { ballots, clerk }[decidedBy], disagreements };
}

function decided(letters: readonly string[], runs: number) {
  const counts = rollup(letters.toSorted(), (own) => own.length, (letter) => letter);
  const flips = letters.length > 0 && { flipRate: flipRate(letters) };
  return { runs: Object.fromEntries(counts), undecided: runs - letters.length, ...flips };
}

/** Runs of a condition that came to one end. */
export type AccountingRow = ConditionColumns & {
  /** `complete`, or why runs are missing, in words. */
  readonly outcome: string;
  /** How many; the rows of a condition sum to its target. */
  readonly runs: number;
};

/**
 * Planned runs by what came of them, a row an outcome of a condition, for a stacked bar: complete ones first, then the
 * missing ones by cause.
 */
export function accountingRows(
  conditions: readonly (LabelledRuns<unknown> & { readonly accounting: RunAccounting })[],
): AccountingRow[] {
  checkConditions(conditions);
  return conditions.flatMap((one) =>
    runsByOutcome(one.accounting).map((outcome) => ({ ...conditionColumns(one), ...outcome }))
  );
}

/** How many runs came to which end, complete ones first. */
export function runsByOutcome({ realised, causes }: RunAccounting): { outcome: string; runs: number }[] {
  const missing = Object.entries(causes).map(([cause, runs]) => ({ outcome: causeWords(cause), runs }));
  return [{ outcome: "complete", runs: realised }, ...missing];
}

/** Whether runs that miss for a cause are gone on with when they are run again; what the models did is final. */
export const isOpen = (cause: string): boolean => /^(not_started|unfinished|unanswered:.*)$/.test(cause);

/** A cause of a missing run in words: `unreadable_state:tag_count` is "unreadable state (tag count)". */
export function causeWords(cause: string): string {
  const [kind, detail] = cause.split(":", 2).map((part) => part.replaceAll("_", " "));
  return detail === undefined ? kind! : `${kind} (${detail})`;
}

/** One model as asked for and as served; an endpoint may answer with another than it was asked for. */
export interface ServedModel {
  readonly asked: string;
  readonly served?: string;
  readonly fingerprint?: string;
  readonly calls: number;
}

/** What a condition's calls took, over all attempts, failed ones included: they were paid for too. */
export interface CallAccounting {
  readonly calls: number;
  /** Calls without a usable reply. */
  readonly failed: number;
  /** Tries that failed before a reply came. */
  readonly retries: number;
  /** Calls that the endpoint left without an outcome. */
  readonly unanswered: number;
  /** Requests sent in all, those included. */
  readonly tries: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the prompt tokens, read from a provider's cache; of the completion tokens, thinking. Absent where nobody told. */
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  /** What providers say that their calls cost, in US dollars; absent where none does. */
  readonly usdTold?: number;
  /** Replies whose tokens the endpoint did not tell: not in the sums, and not zero. */
  readonly withoutUsage: number;
  /** Failed tries that may have been billed, though nobody told; absent where there are none. */
  readonly triesWithoutUsage?: number;
  readonly served: readonly ServedModel[];
  /** Runs in which one seat was answered by more than one model or fingerprint. */
  readonly heterogeneousRuns: number;
}

/** Call accounting from the ledger alone: tokens, retries, and who really answered. */
export function accountCalls({ declaration: { condition }, runs }: Ledger): CallAccounting {
  const totals = {
    ...{ calls: 0, failed: 0, retries: 0, unanswered: 0, tries: 0 },
    ...{ promptTokens: 0, completionTokens: 0, withoutUsage: 0 },
  };
  const told: { cachedTokens?: number; reasoningTokens?: number; usdTold?: number; triesWithoutUsage?: number } = {};
  const tell = (name: keyof typeof told, amount: number | undefined) => {
    if (amount !== undefined) told[name] = (told[name] ?? 0) + amount;
  };
  const addTokens = ({ usage }: Pick<ChatReply, "usage">) => {
    totals.promptTokens += usage?.promptTokens ?? 0;
    totals.completionTokens += usage?.completionTokens ?? 0;
    tell("cachedTokens", usage?.cachedTokens);
    tell("reasoningTokens", usage?.reasoningTokens);
    tell("usdTold", usage?.usd);
  };
  const addTry = (one: FailedTry) => {
    addTokens(one);
    tell("triesWithoutUsage", one.atMost && 1);
  };
  const served = new Map<string, ServedModel>();
  let heterogeneousRuns = 0;
  for (const { events, unanswered } of runs) {
    for (const { tries } of unanswered) {
      totals.unanswered++;
      totals.tries += tries.length;
      tries.forEach(addTry);
    }
    const makers = new Map<number, Set<string>>();
    for (const event of events) {
      if (!("seat" in event)) continue;
      const { seat, reply } = event;
      totals.calls++;
      totals.tries += 1 + (reply?.failedTries?.length ?? 0);
      if (event.reading.kind === "missing") totals.failed++;
      if (reply === undefined) continue;
      totals.retries += reply.failedTries?.length ?? 0;
      if (reply.usage === undefined) totals.withoutUsage++;
      addTokens(reply);
      reply.failedTries?.forEach(addTry);
      const { servedModel, fingerprint } = reply;
      const key = JSON.stringify([condition.seats[seat]!.model, servedModel, fingerprint]);
      served.set(key, {
        asked: condition.seats[seat]!.model,
        ...(servedModel !== undefined && { served: servedModel }),
        ...(fingerprint !== undefined && { fingerprint }),
        calls: (served.get(key)?.calls ?? 0) + 1,
      });
      makers.set(seat, (makers.get(seat) ?? new Set()).add(key));
    }
    if ([...makers.values()].some(({ size }) => size > 1)) heterogeneousRuns++;
  }
  return { ...totals, ...told, served: [...served.values()], heterogeneousRuns };
}

/** How the STATE lines of a condition were read, over all attempts. */
export interface ReadingAccounting {
  /** Turns that were asked for, each once before any repair request. */
  readonly turns: number;
  /** First replies read as written. */
  readonly asWritten: number;
  /** First replies that could be read after repairs that are listed in the ledger. */
  readonly normalised: number;
  /** First replies that could not be read: the repair request went out. */
  readonly unreadable: number;
  /** Repair requests answered readably. */
  readonly repaired: number;
  /** Repair requests whose answer could not be read either: the run is flagged. */
  readonly failed: number;
  /** Turns, first or second, to which no reply came. */
  readonly missing: number;
}

/**
 * How the parser fared, from the ledger alone: the counters that the authors' files do not keep.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", S2.3 and Table S3.
 */
export function accountReadings({ runs }: Pick<Ledger, "runs">): ReadingAccounting {
  const totals = { turns: 0, asWritten: 0, normalised: 0, unreadable: 0, repaired: 0, failed: 0, missing: 0 };
  for (const { events } of runs) {
    for (const event of events) {
      if (event.kind !== "turn.answered") continue;
      const { again, reading: { kind } } = event;
      if (!again) totals.turns++;
      if (kind === "missing") totals.missing++;
      else if (kind === "invalid") totals[again ? "failed" : "unreadable"]++;
      else if (again) totals.repaired++;
      else totals[kind === "read" ? "asWritten" : "normalised"]++;
    }
  }
  return totals;
}
