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
  return adjust(ps, (rising) => {
    let smallest = 1;
    return rising.toReversed().map((p, fromTop) => {
      return smallest = Math.min(smallest, (ps.length / (rising.length - fromTop)) * p);
    }).reverse();
  });
}

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
  return adjust(ps, (rising) => {
    let largest = 0;
    return rising.map((p, i) => largest = Math.max(largest, Math.min(1, (ps.length - i) * p)));
  });
}

/** @param inOrder the adjusted values of p-values in rising order. */
function adjust(
  ps: readonly (number | undefined)[],
  inOrder: (rising: readonly number[]) => readonly number[],
): (number | undefined)[] {
  ps.forEach((p, i) => {
    if (p === undefined || (p >= 0 && p <= 1)) return;
    throw new RangeError(`ps[${i}] is ${p}: must lie in 0…1, or be undefined where a test gave none`);
  });
  const tests = [...ps.keys()].filter((test) => ps[test] !== undefined).sort((a, b) => ps[a]! - ps[b]!);
  const values = inOrder(tests.map((test) => ps[test]!));
  return ps.map((_, test) => values[tests.indexOf(test)]);
}
