import { mean } from "simple-statistics";

/** Mean and range of some numbers; the fields are absent where there are none. */
interface Spread {
  readonly n: number;
  readonly mean?: number;
  readonly low?: number;
  readonly high?: number;
}

/**
 * Mean, lowest and highest of what repeated ensembles gave.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(spread([1, 2, 6]), { n: 3, mean: 3, low: 1, high: 6 });
 * assert.deepEqual(spread([]), { n: 0 });
 * ```
 */
export function spread(values: readonly number[]): Spread {
  if (values.length === 0) return { n: 0 };
  return { n: values.length, mean: mean([...values]), low: Math.min(...values), high: Math.max(...values) };
}
