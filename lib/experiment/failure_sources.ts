import type { RunAccounting } from "../storage/accounting.ts";

/** A source of missing runs, as Table S3 names them. */
export const FAILURE_SOURCES = [
  "Provider timeout / quota / API errors",
  "Parser failure after repair",
  "Manual interruption / VM stop",
] as const;
export type FailureSource = typeof FAILURE_SOURCES[number];

/** How many runs are missing for one source, and of which causes. */
export interface SourceCount {
  readonly source: FailureSource | "Other";
  readonly runs: number;
  /** As the ledgers word them. */
  readonly causes: Readonly<Record<string, number>>;
}

/**
 * Missing runs by the sources of Table S3, which the paper could not tell apart; here the ledgers name each run's cause.
 *
 * @returns every source, also with no run; `Other` last, and only where some cause is of none of the three.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const accounting = { name: "x", target: 20, realised: 18, deficit: 2, causes: { "no_reply:timeout": 1, unfinished: 1 } };
 * assert.deepEqual(failureSources([accounting]).map(({ runs }) => runs), [1, 0, 1]);
 * ```
 */
export function failureSources(accountings: readonly Pick<RunAccounting, "causes">[]): SourceCount[] {
  const counts = new Map<SourceCount["source"], Map<string, number>>(
    FAILURE_SOURCES.map((source) => [source, new Map()]),
  );
  for (const [cause, runs] of accountings.flatMap(({ causes }) => Object.entries(causes))) {
    const source = sourceOf(cause);
    const own = counts.get(source) ?? new Map<string, number>();
    counts.set(source, own.set(cause, (own.get(cause) ?? 0) + runs));
  }
  return [...counts].map(([source, causes]) => ({
    source,
    runs: [...causes.values()].reduce((sum, runs) => sum + runs, 0),
    causes: Object.fromEntries(causes),
  }));
}

function sourceOf(cause: string): SourceCount["source"] {
  if (cause.startsWith("no_reply:")) return FAILURE_SOURCES[0];
  if (cause.startsWith("unreadable_state:")) return FAILURE_SOURCES[1];
  return cause === "unfinished" || cause === "not_started" ? FAILURE_SOURCES[2] : "Other";
}
