import type { Ledger } from "./read_ledger.ts";

/** What became of the STATE lines of a condition, over all attempts. */
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
  for (const event of runs.flatMap(({ events }) => events)) {
    if (event.kind !== "turn.answered") continue;
    const { again, reading: { kind } } = event;
    if (!again) totals.turns++;
    if (kind === "missing") totals.missing++;
    else if (kind === "invalid") totals[again ? "failed" : "unreadable"]++;
    else if (again) totals.repaired++;
    else totals[kind === "read" ? "asWritten" : "normalised"]++;
  }
  return totals;
}
