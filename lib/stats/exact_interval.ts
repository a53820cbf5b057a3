import { checkLevel } from "./trajectory.ts";

/**
 * The exact interval of a share, after Clopper and Pearson: it holds the true share with probability `level` or more,
 * however small the counts.
 *
 * Source: C. J. Clopper and E. S. Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the
 * Binomial", Biometrika 26 (1934).
 *
 * @param share `part` of `whole`, whole numbers, 0 ≤ part ≤ whole and whole ≥ 1.
 * @throws {RangeError} on counts that are no share, and on a level outside ]0, 1[.
 *
 * @example None of ten: the upper end has (1 − high)¹⁰ = 0.025
 * ```ts
 * import assert from "node:assert/strict";
 * const { low, high } = exactInterval({ part: 0, whole: 10 });
 * assert.equal(low, 0);
 * assert.ok(Math.abs((1 - high) ** 10 - 0.025) < 1e-12);
 * ```
 */
export function exactInterval(
  { part, whole }: { readonly part: number; readonly whole: number },
  level = 0.95,
): { readonly low: number; readonly high: number } {
  checkLevel(level);
  if (![part, whole].every(Number.isInteger) || part < 0 || whole < 1 || part > whole) {
    throw new RangeError(`${part} of ${whole}: must be whole numbers, 0 or more of at least 1`);
  }
  const high = (k: number) => {
    let [low, high] = [k / whole, 1];
    for (let p = (low + high) / 2; p > low && p < high; p = (low + high) / 2) {
      if (atMost(k, whole, p) > (1 - level) / 2) low = p;
      else high = p;
    }
    return high;
  };
  return { low: 1 - high(whole - part), high: high(part) };
}

/** P(X ≤ k) of n trials with probability p, 0 < p < 1. */
function atMost(k: number, n: number, p: number): number {
  let log = n * Math.log1p(-p), sum = 0;
  for (let i = 0; i <= k; i++) {
    sum += Math.exp(log);
    log += Math.log((n - i) / (i + 1)) + Math.log(p) - Math.log1p(-p);
  }
  return sum;
}
