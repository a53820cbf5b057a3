import type { Rng } from "../core/rng.ts";
import type { Trajectory } from "../stats/trajectory.ts";

/**
 * An ensemble of some size from a pool of runs, drawn with replacement: the pool stands for all runs there could be.
 *
 * A run drawn twice lowers D by the same factor in every round, on average, so that it does not move the slope.
 *
 * @throws {RangeError} when there is nothing to draw from, or the size is not a whole number of at least 2.
 */
export function drawEnsemble(pool: readonly Trajectory[], replicates: number, rng: Rng): Trajectory[] {
  if (pool.length === 0) throw new RangeError("there are no runs to draw from");
  if (!Number.isSafeInteger(replicates) || replicates < 2) {
    throw new RangeError(`replicates is ${replicates}: must be a whole number, 2 or more`);
  }
  return Array.from({ length: replicates }, () => pool[rng.int(pool.length)]!);
}
