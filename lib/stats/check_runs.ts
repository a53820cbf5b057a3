import type { Trajectory } from "./trajectory.ts";

/** R replicates of T rounds over K options. */
export interface RunShape {
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
    for (let t = 0; t < rounds; t++) checkState(run[t], options, `${name}[${i}], round ${t + 1}`);
  });
  return { replicates: runs.length, rounds, options };
}

function checkState(state: readonly number[] | null | undefined, options: number, where: string): void {
  if (!state) throw new RangeError(`${where} is missing; leave a broken run out with completeRuns()`);
  if (state.length !== options || options === 0) {
    throw new RangeError(
      `${where} has ${state.length} options: must be ${options || "at least 1"}, as in the first run`,
    );
  }
  for (let k = 0; k < options; k++) {
    if (!Number.isFinite(state[k])) {
      throw new RangeError(
        `${where}, option ${k + 1} is ${state[k]}: must be a finite number; leave a broken run out with completeRuns()`,
      );
    }
  }
}
