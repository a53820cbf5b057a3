import { meanReverting } from "./reference_slopes.ts";
import { type RoundWindow, windowRounds } from "./round_window.ts";
import type { Trajectory } from "./trajectory.ts";
import { weightedForms } from "./weighted_forms.ts";

/**
 * How D(t) may grow, up to its level:
 *
 * - `steady`: not at all;
 * - `random-walk`: D ∝ √t, independent steps from one start;
 * - `ballistic`: D ∝ t, constant speed;
 * - `exponential`: D ∝ e^(λt);
 * - `mean-reverting`: D² ∝ 1 − e^(−2θt), a walk that is pulled back;
 * - `plateau`: D ∝ e^(λ·min(t, b)), growth up to round b.
 */
export const GROWTH_LAWS = [
  "steady",
  "random-walk",
  "ballistic",
  "exponential",
  "mean-reverting",
  "plateau",
] as const;
export type GrowthLaw = typeof GROWTH_LAWS[number];

/** What is fitted to ln D besides its level. */
export interface LawEstimate {
  /** Of `exponential` and `plateau`: nats per round. */
  readonly lambda?: number;
  /** Of `mean-reverting`: θ per round. */
  readonly reversion?: number;
  /** Of `plateau`: the last round of growth, 1-based. */
  readonly plateauFrom?: number;
}

/** A law with all but its level and a slope decided: ln D = level + offset + slope·ramp. */
interface LawShape {
  readonly law: GrowthLaw;
  readonly offset: readonly number[];
  /** Absent: no slope is fitted. */
  readonly ramp?: readonly number[];
  readonly estimate: LawEstimate;
}

/** Free parameters of each law, the level counted. */
export const LAW_PARAMETERS: Readonly<Record<GrowthLaw, number>> = {
  "steady": 1,
  "random-walk": 1,
  "ballistic": 1,
  "exponential": 2,
  "mean-reverting": 2,
  "plateau": 3,
};

/** Rates θ that are tried, 16 % apart, closer than any data tell them: a smaller one is a random walk over 20 rounds, a larger one is steady. */
const REVERSIONS = Array.from({ length: 40 }, (_, i) => 0.004 * 1.16 ** i);

/** Every shape that is tried over a window; rounds of growth before a plateau are at least three, as in `hingeFit`. */
export function lawShapes(window: RoundWindow): LawShape[] {
  const rounds = windowRounds(window);
  const still = rounds.map(() => 0), estimate = {};
  return [
    { law: "steady", offset: still, estimate },
    { law: "random-walk", offset: rounds.map((t) => Math.log(t) / 2), estimate },
    { law: "ballistic", offset: rounds.map(Math.log), estimate },
    { law: "exponential", offset: still, ramp: rounds, estimate },
    ...REVERSIONS.map((reversion): LawShape => ({
      law: "mean-reverting",
      offset: rounds.map((t) => meanReverting(t, reversion)),
      estimate: { reversion },
    })),
    ...rounds.slice(2, -1).map((plateauFrom): LawShape => ({
      law: "plateau",
      offset: still,
      ramp: rounds.map((t) => Math.min(t, plateauFrom)),
      estimate: { plateauFrom },
    })),
  ];
}

/** A shape in units of the errors, ready to be fitted to many curves. */
interface WhiteShape {
  readonly shape: LawShape;
  readonly offset: readonly number[];
  readonly ramp: readonly number[] | undefined;
  /** Sum of the ramp's squares. */
  readonly square: number;
}

/** How near one law comes to a curve at best. */
export interface LawFit {
  readonly shape: LawShape;
  /** 0 where the law has none. */
  readonly slope: number;
  /** Sum of squared residuals in units of their errors. */
  readonly chiSquare: number;
}

/** @param whiten takes a vector over the window, its mean removed, to one with independent errors of size 1. */
export function whiteShapes(shapes: readonly LawShape[], whiten: (y: readonly number[]) => number[]): WhiteShape[] {
  return shapes.map((shape) => {
    const ramp = shape.ramp && whiten(centred(shape.ramp));
    const square = (ramp ?? []).reduce((sum, value) => sum + value * value, 0);
    return { shape, offset: whiten(centred(shape.offset)), ramp, square };
  });
}

/**
 * The best fit of every law to one curve, by least squares, in the order of `GROWTH_LAWS`.
 *
 * @param white ln D over the window, its mean removed, whitened as the shapes are.
 */
export function fitLaws(white: readonly number[], shapes: readonly WhiteShape[]): LawFit[] {
  const best = new Map<GrowthLaw, LawFit>();
  for (const one of shapes) {
    const fit = fitShape(white, one), { law } = one.shape;
    if (fit.chiSquare < (best.get(law)?.chiSquare ?? Infinity)) best.set(law, fit);
  }
  return [...best.values()];
}

function fitShape(white: readonly number[], { shape, offset, ramp, square }: WhiteShape): LawFit {
  let slope = 0, chiSquare = 0;
  if (ramp !== undefined) {
    for (let i = 0; i < white.length; i++) slope += (white[i]! - offset[i]!) * ramp[i]!;
    slope /= square;
  }
  // From the residuals themselves: a difference of sums would leave rounding where the fit is perfect.
  for (let i = 0; i < white.length; i++) {
    const error = white[i]! - offset[i]! - (ramp === undefined ? 0 : slope * ramp[i]!);
    chiSquare += error * error;
  }
  return { shape, slope, chiSquare };
}

/** What was fitted besides the level. */
export function lawEstimate({ shape: { ramp, estimate }, slope }: LawFit): LawEstimate {
  return ramp === undefined ? estimate : { lambda: slope, ...estimate };
}

/** D over the window by a fitted law, at the level that suits ln D best. */
export function lawCurve({ shape: { offset, ramp }, slope }: LawFit, logs: readonly number[]): number[] {
  const shape = offset.map((value, i) => value + slope * (ramp?.[i] ?? 0));
  const level = logs.reduce((sum, value, i) => sum + value - shape[i]!, 0) / logs.length;
  return shape.map((value) => Math.exp(level + value));
}

/**
 * ln D over a window for several weightings of the same runs, each curve less its mean, so without its level.
 *
 * @param counts shape [samples][R], row by row: how often each replicate counts.
 * @returns [samples][rounds of the window]; undefined for a weighting whose D is zero in some round.
 */
export function logCurves(
  runs: readonly Trajectory[],
  counts: Int32Array,
  window: RoundWindow,
): (number[] | undefined)[] {
  const { sums } = weightedForms(runs, counts, window, "none"), width = window.to - window.from + 1;
  return Array.from({ length: counts.length / runs.length }, (_, s) => {
    const curve = Array.from(sums.subarray(s * width, (s + 1) * width), Math.log);
    return curve.every(Number.isFinite) ? centred(curve) : undefined;
  });
}

/** Values less their mean. */
export function centred(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}
