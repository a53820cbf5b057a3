import { checkOptions, known } from "../core/options.ts";
import type { Rng } from "../core/rng.ts";
import { bootstrapSlope } from "./bootstrap_slope.ts";
import { normalQuantile, studentT } from "./distributions.ts";
import {
  type Bounds,
  spend,
  SPENDING,
  type Spending,
  type SpentLook,
  stagedInterval,
  type TakenLook,
} from "./group_sequential.ts";
import { resamplingOf } from "./intervals.ts";
import { referenceSlopes } from "./lyapunov_slope.ts";
import { slopeDifference } from "./slope_contrast.ts";
import { type RoundWindow, type Trajectory, type UndefinedReason, type WindowOptions } from "./trajectory.ts";
import { observedSlope } from "./weighted_slopes.ts";

/** A design that may stop early. */
export interface SequentialOptions extends WindowOptions {
  /** Numbers of runs (of each condition) to look at, never falling. One that adds no run is skipped. */
  readonly looks: readonly number[];
  /** Chance to stop where there is nothing to find, over all looks; by default 0.05. */
  readonly alpha?: number | undefined;
  /** How α is spread over the looks; by default `pocock`. */
  readonly spending?: Spending | undefined;
  /** Runs of the last planned look, where runs were lost; by default the last of `looks`. */
  readonly largest?: number | undefined;
  /** Nominal coverage of the interval, by default 0.95. */
  readonly level?: number | undefined;
  /** Source of chance; forked by the number of runs, so that a look gives the same again. */
  readonly rng: Rng;
  /** Of each look, by default 2000: p cannot be finer than 1/(resamples + 1). */
  readonly resamples?: number | undefined;
}

/** One look: the runs that there were, p and level, and the decision. */
export interface SequentialLook<Found extends string> {
  /** Runs, of each condition. */
  readonly n: number;
  /** The p that decides: the larger of `fixedP` and jackknife-t's. Absent with a `reason`. */
  readonly p?: number;
  /** The library's p, which would hold if this had been the only look. */
  readonly fixedP?: number;
  /** Nominal level: p at or below it stops. Absent where the look is skipped. */
  readonly level?: number;
  readonly decision: Found | "go on" | "no decision" | "skipped";
  readonly reason?: UndefinedReason | "no-new-runs" | "level-too-fine";
}

interface Sequential<Found extends string> {
  /** The looks up to the one that stopped; those that lack their runs are not among them. */
  readonly looks: SequentialLook<Found>[];
  /** The look that stopped, counted from 1; absent where none did. */
  readonly stoppedAt?: number;
  readonly decision: Found | "no decision";
  /** Ends of the interval that allows for the looks. */
  readonly low?: number;
  readonly high?: number;
  /** The same runs as if their number had been fixed. */
  readonly fixed: { readonly estimate?: number; readonly low?: number; readonly high?: number; readonly p?: number };
  /** Why there is no estimate or interval. */
  readonly reason?: UndefinedReason;
}

/** See {@linkcode sequentialSlope}. */
export interface SequentialSlope extends Sequential<"growth"> {
  /** Median-unbiased, nats per round. */
  readonly lambda?: number;
}

/** See {@linkcode sequentialDifference}. */
export interface SequentialDifference extends Sequential<"difference"> {
  /** Median-unbiased, λ of the whole less λ without, nats per round. */
  readonly delta?: number;
}

const OPTIONS = "rng! looks! alpha spending largest level resamples from to";

/**
 * Do replicates drift apart? Asked at several looks, and stopped at the first that shows it.
 *
 * Looking at p ≤ 0.05 whenever new runs are there errs more often than in 5 %. Here each look has a level of its own, such
 * that the chance to stop at any of them where λ is not above zero is α in all: `spending` says how much of α is spent by
 * the time a share n/`largest` of the runs is there, and the correlation √(n_j/n_k) between looks how much that leaves for
 * each. The last look spends what is left. At each look the one-sided p of `bootstrapSlope` (or that of jackknife-t, if
 * larger) is compared with the level. A look without p, or with a level below 1/(resamples + 1), is skipped, and its share
 * of α is kept for those after it.
 *
 * `lambda` allows for the stopping, since studies that stop early overstate λ (see `stagedInterval`), and `low` to `high`
 * holds both the interval that does and that of `bootstrapSlope`. It is two-sided: it may hold zero where the test stopped.
 *
 * Its errors and its savings are measured in `notebooks/deliberation/21_stop_when_you_know.ipynb`.
 *
 * @param runs replicates in the order of their numbers, each [T][K]; a look takes the first n of them.
 * @param options `against`: `zero` asks for λ > 0, which a random walk has too; `walk` for more than a random walk's slope,
 * 0.0509 over rounds 3 to 20: growth, or drift in one direction.
 * @throws {RangeError} on looks that are no whole numbers or fall, on a number of runs at which there is no look, an α
 * outside 0…0.5, and as `bootstrapSlope`.
 *
 * @example Runs that part by 10 % a round are told from steady ones at the first look
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const runs = [0, 1, 2, 4, 5, 7, 9, 9].map((x) => Array.from({ length: 20 }, (_, t) => [x * 1.1 ** t]));
 * const { decision, stoppedAt } = sequentialSlope(runs, { looks: [8, 16], rng: createRng(1) });
 * assert.deepEqual([decision, stoppedAt], ["growth", 1]);
 * ```
 */
export function sequentialSlope(
  runs: readonly Trajectory[],
  options: SequentialOptions & { readonly against?: "zero" | "walk" | undefined },
): SequentialSlope {
  const { against = "zero", ...design } = checkOptions("sequentialSlope", options, OPTIONS, "against");
  if (against !== "zero" && against !== "walk") throw new RangeError(`against is "${against}": give zero or walk`);
  const { from = 3, to = 20 } = design;
  const lambda0 = against === "walk" ? referenceSlopes({ from, to }).randomWalk : 0;
  // Distances divided by e^(λ₀t) have slopes, and resampled slopes, that are smaller by λ₀: H0 is then λ ≤ 0.
  const tested = lambda0 === 0 ? runs : runs.map((run) => shrunk(run, lambda0));
  const { estimate, low, high, fixed, ...found } = sequence("growth", runs.length, design, (n, settings) => {
    const first = tested.slice(0, n), { lambda, low, high, p, reason } = bootstrapSlope(first, settings);
    return { estimate: lambda, low, high, p, tailP: tailP([first], 1, settings), reason };
  });
  const back = (value?: number) => value === undefined ? undefined : value + lambda0;
  const own = known({ low: back(low), high: back(high), lambda: back(estimate) });
  const { p } = fixed, whole = { estimate: back(fixed.estimate), low: back(fixed.low), high: back(fixed.high), p };
  return { ...found, ...own, fixed: known(whole) };
}

const shrunk = (run: Trajectory, lambda: number): Trajectory =>
  run.map((state, t) => state.map((x) => x * Math.exp(-lambda * t)));

/**
 * Do two conditions differ in λ? As `sequentialSlope`, two-sided: looks come at pairs of the same number of runs, and the
 * p of `slopeDifference` is compared with a level of which α/2 is spent on either side.
 *
 * @param full,ablated replicates of each condition in the order of their numbers.
 * @throws {RangeError} as `sequentialSlope`.
 */
export function sequentialDifference(
  full: readonly Trajectory[],
  ablated: readonly Trajectory[],
  options: SequentialOptions,
): SequentialDifference {
  checkOptions("sequentialDifference", options, OPTIONS);
  if (full.length !== ablated.length) {
    throw new RangeError(`full has ${full.length} runs, ablated ${ablated.length}: a look takes as many of both`);
  }
  const { estimate, ...found } = sequence("difference", full.length, options, (n, settings) => {
    const [a, b] = [full.slice(0, n), ablated.slice(0, n)];
    const { delta, low, high, p, reason } = slopeDifference(a, b, settings);
    return { estimate: delta, low, high, p, tailP: tailP([a, b], 2, settings), reason };
  });
  return { ...found, ...known({ delta: estimate }) };
}

/** A look at a fixed number of runs. */
interface FixedLook {
  readonly estimate?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly p?: number | undefined;
  readonly tailP?: number | undefined;
  readonly reason?: UndefinedReason | undefined;
}

/**
 * The p of jackknife-t: λ̂, or the first less the second, in its delete-one error, by Student's t with n − 1 degrees of
 * freedom. Levels of a look are so small that few runs do not show a bootstrap's tail: the larger p of the two counts.
 */
function tailP(
  groups: readonly (readonly Trajectory[])[],
  sides: 1 | 2,
  { from, to }: RoundWindow,
): number | undefined {
  const found = groups.map((runs) => observedSlope(runs, { from, to }, { kind: "delete-one" }));
  const [slope, less = 0] = found.map(({ lambda = NaN }) => lambda);
  const t = (slope! - less) / Math.hypot(...found.map(({ error = NaN }) => error));
  return Number.isFinite(t) ? sides * (1 - studentT(sides === 1 ? t : Math.abs(t), groups[0]!.length - 1)) : undefined;
}

type LookAt = (n: number, settings: RoundWindow & { rng: Rng; resamples: number; level: number }) => FixedLook;

/** The looks at what is there, up to the first that stops, and what they amount to. */
function sequence<Found extends "growth" | "difference">(
  found: Found,
  there: number,
  options: SequentialOptions,
  lookAt: LookAt,
): Sequential<Found> & { estimate?: number } {
  const { rng, looks, resamples = 2000, alpha = 0.05, spending = "pocock", largest = looks.at(-1)! } = options;
  checkDesign({ looks, alpha, spending, largest, there });
  const { level, window } = resamplingOf({ ...options, resamples });
  const sides = found === "growth" ? 1 : 2;
  const settings = { alpha, spending, sides, largest, finest: 1 / (resamples + 1) } as const;
  const seen: SequentialLook<Found>[] = [], taken: TakenLook[] = [];
  const errors: number[] = [], reach = normalQuantile((1 + level) / 2);
  let spent: SpentLook[] = [], last: FixedLook = {}, stoppedAt: number | undefined;
  for (const [i, n] of looks.entries()) {
    if (n > there) break;
    if (n === looks[i - 1]) {
      seen.push({ n, decision: "skipped", reason: "no-new-runs" });
      continue;
    }
    last = lookAt(n, { ...window, rng: rng.fork(n), resamples, level });
    const { p: fixedP, tailP = 0, low = NaN, high = NaN } = last, isLast = i === looks.length - 1;
    const p = fixedP === undefined ? undefined : Math.max(fixedP, tailP);
    taken.push({ information: n, passed: p === undefined, isLast });
    errors.push((high - low) / 2 / reach);
    spent = spend(taken, settings);
    const own = spent.at(-1)!.level, stops = p !== undefined && own !== undefined && p <= own;
    const decision = stops ? found : isLast ? "no decision" : own === undefined ? "skipped" : "go on";
    const reason = own === undefined ? last.reason ?? "level-too-fine" as const : undefined;
    seen.push({ n, decision, ...known({ p, fixedP, level: own, reason }) });
    if (!stops) continue;
    stoppedAt = i + 1;
    break;
  }
  const { estimate, low, high, p, reason } = last, fixed = known({ estimate, low, high, p });
  const outcome = { looks: seen, decision: stoppedAt ? found : "no decision" as const, fixed, ...known({ stoppedAt }) };
  if (estimate === undefined || low === undefined || high === undefined) {
    return { ...outcome, ...known({ estimate, reason }) };
  }
  // In the units of the fixed interval, which after a single look is given back as it is.
  const error = errors.at(-1)!;
  if (!(error > 0)) return { ...outcome, estimate, low, high };
  const staged = stagedInterval(asSeen(spent, errors).slice(0, -1), { error, z: estimate / error, level });
  return { ...outcome, estimate: staged.theta, low: Math.min(low, staged.low), high: Math.max(high, staged.high) };
}

/**
 * The looks with the information that their own errors amount to, since one that did not stop may have had a large error;
 * never more than what the look after it had for as many runs.
 */
function asSeen(looks: readonly SpentLook[], errors: readonly number[]): Bounds[] {
  let later = { runs: 1, information: Infinity };
  return looks.toReversed().map((look, k) => {
    const share = later.information * look.information / later.runs, own = errors.at(-1 - k)! ** -2;
    const information = own < share ? own : share;
    later = { runs: look.information, information };
    return { ...look, information };
  }).toReversed();
}

function checkDesign(
  { looks, alpha, spending, largest, there }:
    & Required<Pick<SequentialOptions, "looks">>
    & { alpha: number; spending: string; largest: number; there: number },
): void {
  if (!Array.isArray(looks) || looks.length === 0) {
    throw new RangeError("looks is no list of numbers of runs, such as [8, 12, 16, 20]");
  }
  for (const [i, n] of looks.entries()) {
    if (!Number.isSafeInteger(n) || n < 1) {
      throw new RangeError(`look ${i + 1} is at ${n} runs: must be a whole number, 1 or more`);
    }
    if (n < (looks[i - 1] ?? 0)) {
      throw new RangeError(`look ${i + 1} is at ${n} runs, the one before at ${looks[i - 1]}: put them in order`);
    }
  }
  if (!(alpha > 0 && alpha < 0.5)) throw new RangeError(`alpha is ${alpha}: must lie between 0 and 0.5`);
  if (!Object.hasOwn(SPENDING, spending)) {
    throw new RangeError(`spending is "${spending}": give ${Object.keys(SPENDING).join(" or ")}`);
  }
  if (largest < looks.at(-1)!) {
    throw new RangeError(`largest is ${largest}, less than the last look at ${looks.at(-1)}`);
  }
  if (!looks.includes(there)) {
    throw new RangeError(`there are ${there} runs, and looks at ${looks.join(", ")}: give the first runs up to a look`);
  }
}
