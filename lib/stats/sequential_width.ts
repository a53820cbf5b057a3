import { checkOptions, known } from "../core/options.ts";
import type { Rng } from "../core/rng.ts";
import { bootstrapSlope } from "./bootstrap_slope.ts";
import { studentTBound } from "./distributions.ts";
import { checkLevel, type Trajectory, type UndefinedReason, type WindowOptions } from "./trajectory.ts";
import { observedSlope } from "./weighted_slopes.ts";

/** Fewer runs say too little of the spread. */
const LEAST_PILOT = 8;

/** A design that ends when the interval is narrow enough. */
export interface WidthOptions extends WindowOptions {
  /** Half of the interval that is wanted, nats per round. */
  readonly halfWidth: number;
  /** Runs of the first stage, 8 or more and by default 12: they alone say how many are needed. */
  readonly pilot?: number | undefined;
  /** The most runs there may be. */
  readonly atMost: number;
  /** Nominal coverage, by default 0.95. */
  readonly level?: number | undefined;
  /** Source of chance; forked, not advanced. */
  readonly rng: Rng;
  /** By default 2000. */
  readonly resamples?: number | undefined;
}

/** See {@linkcode sequentialWidth}. */
export interface SequentialWidth {
  /** Runs that the pilot asks for, not more than `atMost`; absent with a `reason`. */
  readonly needed?: number;
  /** `narrow`: they are there, and the interval is as narrow as wanted; `no decision`: they are, and it is wider. */
  readonly decision: "narrow" | "go on" | "no decision";
  readonly lambda?: number;
  readonly low?: number;
  readonly high?: number;
  readonly reason?: UndefinedReason;
}

/**
 * λ̂ to a wanted precision by Stein's two stages: the spread of a pilot says how many runs an interval of that width takes,
 * and the interval is that of the pilot's spread and degrees of freedom, or `bootstrapSlope`'s where that is wider: where
 * few runs carry the growth, a pilot often misses them.
 *
 * With s the delete-one error of the pilot's n₀ runs times √n₀ and t the bound of Student's t with n₀ − 1 degrees of
 * freedom, N = max(n₀, ⌈(t·s/halfWidth)²⌉) and the interval is at least λ̂ ± t·s/√N. (Adding runs until the interval of all
 * of them is narrow enough holds λ less often than it says: that stops where the spread happens to be small.)
 *
 * Source: C. Stein, "A two-sample test for a linear hypothesis whose power is independent of the variance", Annals of
 * Mathematical Statistics 16 (1945).
 *
 * @param runs replicates in the order of their numbers, each [T][K]; those beyond the number needed are left out.
 * @throws {RangeError} on a pilot of less than 8 runs, a width that is not positive, and as `bootstrapSlope`.
 *
 * @example Runs without any spread need no more than the pilot
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const runs = [0, 1, 2, 4, 5, 7, 9, 9].map((x) => Array.from({ length: 20 }, (_, t) => [x * 1.1 ** t]));
 * const options = { halfWidth: 0.02, atMost: 40, pilot: 8, rng: createRng(1) };
 * assert.equal(sequentialWidth(runs, options).decision, "narrow");
 * ```
 */
export function sequentialWidth(runs: readonly Trajectory[], options: WidthOptions): SequentialWidth {
  checkOptions("sequentialWidth", options, "rng! halfWidth! atMost! pilot level resamples from to");
  const { rng, halfWidth, atMost, pilot = 12, level = 0.95, resamples = 2000, from = 3, to = 20 } = options;
  if (!(halfWidth > 0 && Number.isFinite(halfWidth))) {
    throw new RangeError(`halfWidth is ${halfWidth}: must be positive`);
  }
  if (!(Number.isSafeInteger(pilot) && pilot >= LEAST_PILOT)) {
    throw new RangeError(`pilot is ${pilot}: must be ${LEAST_PILOT} runs or more`);
  }
  if (!(Number.isSafeInteger(atMost) && atMost >= pilot)) {
    throw new RangeError(`atMost is ${atMost}: must be the ${pilot} runs of the pilot or more`);
  }
  checkLevel(level);
  if (runs.length < pilot) return { decision: "go on", reason: "too-few-replicates" };
  const { error = NaN, reason } = observedSlope(runs.slice(0, pilot), { from, to }, { kind: "delete-one", least: 3 });
  if (Number.isNaN(error)) return { decision: "no decision", reason: reason ?? "missing-rounds" };
  const bound = studentTBound(level, pilot - 1) * error * Math.sqrt(pilot);
  const wanted = Math.max(pilot, Math.ceil((bound / halfWidth) ** 2)), needed = Math.min(wanted, atMost);
  const there = runs.slice(0, needed);
  const fixed = bootstrapSlope(there, { rng, resamples, level, from, to }), { lambda, low, high } = fixed;
  if (lambda === undefined || low === undefined || high === undefined) {
    return { needed, decision: "no decision", ...known({ lambda, reason: fixed.reason }) };
  }
  const half = Math.max(bound / Math.sqrt(there.length), (high - low) / 2);
  const decision = there.length < needed ? "go on" : half <= halfWidth * (1 + 1e-9) ? "narrow" : "no decision";
  return { needed, decision, lambda, low: lambda - half, high: lambda + half };
}
