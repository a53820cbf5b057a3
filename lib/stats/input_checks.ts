import { checkList } from "../core/options.ts";

export { checkList, checkOptions } from "../core/options.ts";

/**
 * Why an estimate does not exist. Such an estimate is absent, never zero, infinite or NaN.
 *
 * - `too-few-replicates`: a slope needs two replicates, an interval three that differ from one another;
 * - `too-few-resamples`: fewer draws have a value than an interval of this level needs, 200 at 0.95;
 * - `no-divergence`: the replicates are the same in every round, so there is no logarithm to fit;
 * - `too-few-rounds`: fewer than three rounds are left to fit a slope through;
 * - `missing-rounds`: in some round of the window D is zero, so an interval would rest on another window; or it is zero
 *   without one of the replicates, so that there is no standard error;
 * - `no-spread`: all values are equal, so nothing says how chance moves them: take runs whose dice matter.
 */
export type UndefinedReason =
  | "too-few-replicates"
  | "too-few-resamples"
  | "no-divergence"
  | "too-few-rounds"
  | "missing-rounds"
  | "no-spread";

/** @throws {RangeError} when a mean distance is negative or not finite, naming its round. */
export function checkDivergence(D: readonly number[]): void {
  checkList("D", D);
  for (let t = 0; t < D.length; t++) {
    if (!(Number.isFinite(D[t]) && D[t]! >= 0)) {
      throw new RangeError(`D is ${D[t]} in round ${t + 1}: must be a finite distance, 0 or more`);
    }
  }
}

/** @throws {RangeError} when the option is not a whole number of at least one. */
export function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`${name} is ${value}: must be a whole number, 1 or more`);
  }
}

/** @throws {RangeError} when a confidence level is not strictly between 0 and 1. */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`level is ${level}: must lie between 0 and 1, such as 0.95`);
}
