import { checkPValues } from "./check_p_values.ts";

/**
 * Holm's adjusted p-values: reject where one is at most α, and the chance of even one false rejection among all the
 * tests is at most α, however they depend on one another.
 *
 * With the m p-values in rising order, p̃_(i) = max over j ≤ i of min(1, (m − j + 1) · p_(j)). Use it where a single false
 * claim would matter; `benjaminiHochberg` where a list of findings is to be mostly right.
 *
 * Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6 (1979).
 *
 * @param ps one a test. A test that gave no p (`undefined`) keeps its place and counts among the m, as it would with
 * p = 1: that it would give none was not known when the family was chosen. To leave it out, leave it out of the list.
 * @returns the adjusted values in the order of `ps`; `undefined` where there was none.
 * @throws {RangeError} on a value outside 0…1.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(holm([0.25, 0.01, undefined, 0.5]), [0.75, 0.04, undefined, 1]);
 * ```
 */
export function holm(ps: readonly (number | undefined)[]): (number | undefined)[] {
  checkPValues(ps);
  const adjusted: (number | undefined)[] = ps.map(() => undefined);
  const rising = ps.flatMap((p, test) => (p === undefined ? [] : [{ p, test }])).sort((a, b) => a.p - b.p);
  let largest = 0;
  rising.forEach(({ p, test }, i) => {
    largest = Math.max(largest, Math.min(1, (ps.length - i) * p));
    adjusted[test] = largest;
  });
  return adjusted;
}
