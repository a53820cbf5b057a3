// @ts-types="@types/d3-array"
import { quantileSorted } from "d3-array";
import type { SlopeWithError } from "./weighted_slopes.ts";

/** The middle `level` of some values, ends by linear interpolation; absent without values or with infinite ends. */
export function percentileInterval(values: ArrayLike<number>, level: number): { low?: number; high?: number } {
  const sorted = Array.from(Float64Array.from(values).sort());
  const low = quantileSorted(sorted, (1 - level) / 2), high = quantileSorted(sorted, (1 + level) / 2);
  return Number.isFinite(low) && Number.isFinite(high) ? { low: low!, high: high! } : {};
}

/** An interval and a one-sided p-value from slopes measured in their own standard errors. */
export interface Studentised {
  readonly low?: number;
  readonly high?: number;
  /** H0: no growth, λ ≤ 0. */
  readonly p?: number;
}

/**
 * Bootstrap-t: the distribution of t* = (λ* − λ̂)/se* over the resamples stands for that of (λ̂ − λ)/se.
 *
 * The interval is λ̂ − se·t*, taken at the upper and the lower percentile of t*. If λ were 0, λ̂/se would be
 * distributed as t*, so p = (1 + #{t* ≥ λ̂/se}) / (B + 1) over the B resamples that have a slope.
 *
 * A difference within `tolerance` counts as zero, so replicates that never move give p = 1. A resample without spread
 * of its own (two replicates, whose slope no reweighting changes) has an infinite t*: it counts against growth in p
 * and can leave the interval without an end, which is then absent.
 */
export function studentise(
  sample: SlopeWithError,
  resamples: readonly SlopeWithError[],
  { level, tolerance }: { level: number; tolerance: number },
): Studentised {
  if (resamples.length === 0) return {};
  const observed = pivot(sample.slope, sample.error, tolerance);
  const pivots = resamples.map(({ slope, error }) => pivot(slope - sample.slope, error, tolerance));
  const asLarge = pivots.filter((value) => value >= observed).length;
  const { low, high } = percentileInterval(pivots, level);
  const p = (1 + asLarge) / (pivots.length + 1);
  if (low === undefined || high === undefined) return { p };
  return { low: sample.slope - sample.error * high, high: sample.slope - sample.error * low, p };
}

function pivot(difference: number, error: number, tolerance: number): number {
  if (Math.abs(difference) <= tolerance) return 0;
  return error <= tolerance ? Math.sign(difference) * Infinity : difference / error;
}
