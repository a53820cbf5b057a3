// @ts-types="@types/d3-array"
import { quantileSorted } from "d3-array";

/** The middle `level` of some values, ends by linear interpolation; absent without values or with infinite ends. */
export function percentileInterval(values: ArrayLike<number>, level: number): { low?: number; high?: number } {
  const sorted = Array.from(Float64Array.from(values).sort());
  const low = quantileSorted(sorted, (1 - level) / 2), high = quantileSorted(sorted, (1 + level) / 2);
  return Number.isFinite(low) && Number.isFinite(high) ? { low: low!, high: high! } : {};
}
