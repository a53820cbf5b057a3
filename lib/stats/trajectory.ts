import { checkList, checkOptions } from "../core/options.ts";

/**
 * One run's path: [T][K], the committee's mean preference for each of K options after each of T rounds.
 * Index 0 is round 1.
 */
export type Trajectory = readonly (readonly number[])[];

/** R replicates of T rounds over K options. */
interface RunShape {
  readonly replicates: number;
  readonly rounds: number;
  readonly options: number;
}

/**
 * The common shape of some runs.
 *
 * @throws {RangeError} on a run that is shorter than the longest, a round with another number of options or a value
 * that is not finite, naming run (as the array index), round and rule. Nothing is shortened or filled in: fitting a
 * shorter window to spare a broken run moves the slope far more than leaving the run out does.
 */
export function checkRuns(runs: readonly Trajectory[], name = "runs"): RunShape {
  checkList(name, runs, "give the runs' means, condition.runs.map(({ means }) => means)");
  runs.forEach((run, i) => checkList(`${name}[${i}]`, run, "give the run's means, [T][K]"));
  const rounds = Math.max(0, ...runs.map((run) => run.length));
  const options = runs[0]?.[0]?.length ?? 0;
  runs.forEach((run, i) => {
    if (run.length === 0) throw new RangeError(`${name}[${i}] has no rounds`);
    if (run.length < rounds) {
      throw new RangeError(
        `${name}[${i}] ends at round ${run.length}, others at round ${rounds}: all runs must have the same rounds; ` +
          "leave a broken run out with completeRuns()",
      );
    }
    for (let t = 0; t < rounds; t++) checkState(run[t], options, () => `${name}[${i}], round ${t + 1}`);
  });
  return { replicates: runs.length, rounds, options };
}

function checkState(state: readonly number[] | null | undefined, options: number, where: () => string): void {
  if (!state) throw new RangeError(`${where()} is missing; leave a broken run out with completeRuns()`);
  if (state.length !== options || options === 0) {
    throw new RangeError(
      `${where()} has ${state.length} options: must be ${options || "at least 1"}, as in the first run`,
    );
  }
  for (let k = 0; k < options; k++) {
    if (!Number.isFinite(state[k])) {
      throw new RangeError(
        `${where()}, option ${k + 1} is ${
          state[k]
        }: must be a finite number; leave a broken run out with completeRuns()`,
      );
    }
  }
}

/** Runs fit for analysis, and which were left out and why. */
interface CompleteRuns {
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
  options: { rounds?: number } = {},
): CompleteRuns {
  const { rounds = Math.max(0, ...runs.map((run) => run.length)) } = checkOptions("completeRuns", options, "rounds");
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
