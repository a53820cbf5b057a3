/**
 * Round numbers from `low` to `high`, 1, 2 or 5 times a power of ten apart, about `count` of them.
 *
 * @param low below `high`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(niceTicks(-4.8, -2.6, 5), [-4.5, -4, -3.5, -3]);
 * ```
 */
export function niceTicks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  // Multiples of a step such as 0.1 carry the dust of binary fractions.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
