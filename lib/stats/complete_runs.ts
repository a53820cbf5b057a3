import type { Trajectory } from "./trajectory.ts";

/** Runs fit for analysis, and which were left out and why. */
export interface CompleteRuns {
  readonly complete: Trajectory[];
  /** Index into the runs as given, with the first thing found wrong. */
  readonly excluded: { readonly run: number; readonly cause: string }[];
}

/**
 * Leaves out whole runs that lack rounds or hold values that are not finite (listwise deletion), and lists them.
 *
 * The estimators refuse such runs; this is how to say that they shall be left out. Whole runs go, never rounds: a
 * window shortened to suit one broken run changes the slope of all.
 *
 * @param options `rounds`: how many rounds a complete run has; by default those of the longest run.
 *
 * @example A run that broke off after one round is left out
 * ```ts
 * import assert from "node:assert/strict";
 * const whole = [[0.5, 0.5], [0.6, 0.4]];
 * const { complete, excluded } = completeRuns([whole, [[0.5, 0.5]], whole]);
 * assert.equal(complete.length, 2);
 * assert.deepEqual(excluded, [{ run: 1, cause: "round 2 is missing" }]);
 * ```
 */
export function completeRuns(
  runs: readonly Trajectory[],
  { rounds = Math.max(0, ...runs.map((run) => run.length)) }: { rounds?: number } = {},
): CompleteRuns {
  const causes = runs.map((run) => whyIncomplete(run, rounds));
  return {
    complete: runs.filter((_, i) => causes[i] === undefined),
    excluded: causes.flatMap((cause, run) => (cause === undefined ? [] : [{ run, cause }])),
  };
}

function whyIncomplete(run: Trajectory, rounds: number): string | undefined {
  for (let t = 0; t < rounds; t++) {
    const state = run[t];
    if (!state) return `round ${t + 1} is missing`;
    const bad = state.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) return `round ${t + 1}, option ${bad + 1} is ${state[bad]}`;
  }
  return run.length > rounds ? `has ${run.length} rounds, more than ${rounds}` : undefined;
}
