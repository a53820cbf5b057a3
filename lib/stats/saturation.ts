import { checkCount, checkDivergence, checkOptions } from "./input_checks.ts";

interface Saturation {
  /** What D cannot exceed. */
  readonly ceiling: number;
  /** Ceiling minus D(t), shape [T]. */
  readonly headRoom: number[];
}

/**
 * How far D(t) still is from the most it can be on the simplex of K options: with R = aK + b replicates spread as evenly as
 * can be over the corners, √2 · (pairs in different corners) / (R(R − 1)/2), which is 0.99 for R = 20, K = 3.
 *
 * Near the ceiling ln D flattens whatever the dynamics, and a slope over a fixed window says less; see `hingeFit`.
 *
 * @param D mean pairwise distance of preferences that sum to 1, shape [T].
 * @param options `optionCount`: K ≥ 2; `replicates`: R ≥ 2.
 * @throws {RangeError} on a negative distance, or one above the ceiling: then the data are not shares of one.
 *
 * @example Two replicates over two options are farthest apart at the two corners
 * ```ts
 * import assert from "node:assert/strict";
 * const { ceiling } = saturation([0, 1], { optionCount: 2, replicates: 2 });
 * assert.ok(Math.abs(ceiling - Math.SQRT2) < 1e-12);
 * ```
 */
export function saturation(D: readonly number[], options: { optionCount: number; replicates: number }): Saturation {
  const { optionCount, replicates } = checkOptions("saturation", options, "optionCount! replicates!");
  checkDivergence(D);
  for (const [name, value] of [["optionCount", optionCount], ["replicates", replicates]] as const) {
    checkCount(name, value);
    if (value < 2) throw new RangeError(`${name} is ${value}: must be 2 or more`);
  }
  const ceiling = Math.SQRT2 * (1 - pairsInOneCorner(replicates, optionCount) / pairs(replicates));
  const above = D.findIndex((value) => value > ceiling * (1 + 1e-9));
  if (above >= 0) {
    throw new RangeError(
      `D is ${D[above]} in round ${above + 1}, above the ceiling ${ceiling} of ${replicates} replicates over ` +
        `${optionCount} options: preferences must sum to 1`,
    );
  }
  return { ceiling, headRoom: D.map((value) => Math.max(0, ceiling - value)) };
}

const pairs = (n: number): number => n * (n - 1) / 2;

function pairsInOneCorner(replicates: number, corners: number): number {
  const each = Math.floor(replicates / corners), fuller = replicates % corners;
  return fuller * pairs(each + 1) + (corners - fuller) * pairs(each);
}
