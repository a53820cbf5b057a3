import type { Ledger, LedgerRun } from "./read_ledger.ts";

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
 * why it was flagged, `unfinished` where it has no closing event, or `not_started`.
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

/** Whether an attempt counts: its closing event is there and says complete. */
export const isComplete = ({ closed }: LedgerRun): boolean => closed?.outcome === "complete";

function missingCause(last: LedgerRun | undefined): string {
  if (last === undefined) return "not_started";
  return last.closed === undefined ? "unfinished" : last.closed.cause ?? "unknown";
}
