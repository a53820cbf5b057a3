/**
 * The nearest number in [0, 1]: the `clamp` of Appendix A of the station paper.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual([-0.2, 0.3, 1.4].map(clamp01), [0, 0.3, 1]);
 * ```
 * @throws {RangeError} on NaN, which has no nearest number.
 */
export function clamp01(value: number): number {
  if (Number.isNaN(value)) throw new RangeError("cannot clamp NaN to [0, 1]");
  return value <= 0 ? 0 : Math.min(1, value);
}
