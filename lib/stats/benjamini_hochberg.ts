import { checkPValues } from "./check_p_values.ts";

/**
 * Benjamini and Hochberg's adjusted p-values: reject where one is at most q, and of all rejections a share of at most q
 * is expected to be false.
 *
 * With the m p-values in rising order, p̃_(i) = min over j ≥ i of min(1, m · p_(j) / j). It holds for independent tests and
 * for positively dependent ones; contrasts that share a group of runs on opposite sides are neither, and `holm` holds
 * for those too.
 *
 * Source: Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate", Journal of the Royal Statistical
 * Society B 57 (1995).
 *
 * @param ps one a test. A test that gave no p (`undefined`) keeps its place and counts among the m, as in `holm`.
 * @returns the adjusted values in the order of `ps`; `undefined` where there was none.
 * @throws {RangeError} on a value outside 0…1.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(benjaminiHochberg([0.25, 0.01, undefined, 0.375]), [0.5, 0.04, undefined, 0.5]);
 * ```
 */
export function benjaminiHochberg(ps: readonly (number | undefined)[]): (number | undefined)[] {
  checkPValues(ps);
  const adjusted: (number | undefined)[] = ps.map(() => undefined);
  const rising = ps.flatMap((p, test) => (p === undefined ? [] : [{ p, test }])).sort((a, b) => a.p - b.p);
  let smallest = 1;
  rising.toReversed().forEach(({ p, test }, fromTop) => {
    smallest = Math.min(smallest, (ps.length / (rising.length - fromTop)) * p);
    adjusted[test] = smallest;
  });
  return adjusted;
}
