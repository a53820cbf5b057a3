import type { Rng } from "../core/rng.ts";
import { divergence } from "./divergence.ts";
import {
  centred,
  fitLaws,
  type GrowthLaw,
  LAW_PARAMETERS,
  lawCurve,
  type LawEstimate,
  lawEstimate,
  type LawFit,
  lawShapes,
  logCurves,
  whiteShapes,
} from "./growth_law_fits.ts";
import { checkCount, checkOptions, type UndefinedReason } from "./input_checks.ts";
import { observedSlope, threeDiffer } from "./observed_slope.ts";
import { resampleCounts } from "./resampling.ts";
import type { WindowOptions } from "./round_window.ts";
import type { Trajectory } from "./trajectory.ts";

interface GrowthLawsOptions extends WindowOptions {
  /** Where chance comes from. It is forked, not advanced: the same stream gives the same answer again. */
  rng: Rng;
  /** How many resamples of whole replicates; by default 500. */
  resamples?: number | undefined;
}

/** How well one law of growth describes ln D(t). */
export interface GrowthLawFit {
  readonly law: GrowthLaw;
  /** Free parameters, the level counted. */
  readonly parameters: number;
  /** Weighted sum of squared residuals over the window. */
  readonly chiSquare: number;
  /** χ² + 2k + 2k(k+1)/(n−k−1): smaller is better. */
  readonly aicc: number;
  /** Excess of `aicc` over that of the best law: 0 for it. */
  readonly excess: number;
  /** Share of resamples in which this law has the smallest AICc. */
  readonly share: number;
  readonly estimate: LawEstimate;
  /** D over the rounds of the window, as fitted. */
  readonly fitted: number[];
}

export interface GrowthLaws {
  /** In the order of `GROWTH_LAWS`; empty where there is a `reason`. */
  readonly laws: GrowthLawFit[];
  /** The law with the smallest AICc for the runs as they are. */
  readonly best?: GrowthLaw;
  /** Resamples without a curve: in some round of the window all their replicates agree. */
  readonly undefinedDraws: number;
  readonly reason?: UndefinedReason;
}

/** How far the covariance is drawn towards independent errors of one size. */
const SHRINKAGE = 0.5;

/** An error of 1e-9 in every ln D stays where replicates leave none, so that a perfect curve has a perfect fit. */
const LEAST_VARIANCE = 1e-18;

/**
 * Is it exponential? Six laws of growth fitted to the same ln D(t) and compared, each with its parameters counted.
 *
 * Errors of ln D along one curve are strongly correlated, since the same replicates make every point of it. Their
 * covariance C comes from resampling whole replicates, the level of each curve taken out, because every law has a level
 * of its own. Twenty replicates determine an 18 × 18 covariance poorly, and its inverse worse, so it is shrunk half way
 * to independent errors of one size: S = C/2 + (tr C/(n−1))·I/2. Fits are generalised least squares under S, compared
 * by AICc = χ² + 2k + 2k(k+1)/(n−k−1). Without shrinkage chance wiggles are taken for plateaus.
 *
 * What this does not give: S is an estimate, so χ² is no exact χ² and AICc differences are no odds. The robust number is
 * `share`, how often each law wins when replicates are resampled; a resample adds a second helping of chance to the
 * data's own, so shares are spread wider than certainty would be. No law may be right: look at the curves. The time
 * origin of `random-walk`, `ballistic` and `mean-reverting` is round 0, where all replicates are taken to agree; a walk
 * from a start already spread is not among the laws and looks like `mean-reverting`. How often each law is recognised in
 * ensembles that follow it is measured in `notebooks/deliberation/10_estimators.ipynb`.
 *
 * Source: Hurvich and Tsai, "Regression and time series model selection in small samples", Biometrika 76, 1989 (AICc).
 *
 * @param runs R replicates, each [T][K].
 * @returns a fit for every law; none, with a `reason`, for fewer than three replicates that differ
 * (`too-few-replicates`), D zero throughout (`no-divergence`) or in part of the window (`missing-rounds`), and a window of
 * fewer than five rounds (`too-few-rounds`).
 * @throws {RangeError} on ragged runs, values that are not finite and a window outside the data.
 *
 * @example Replicates that part by 10 % a round
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const runs = [0, 1, 2, 4].map((x) => Array.from({ length: 20 }, (_, t) => [x * 1.1 ** t]));
 * const { best, laws } = growthLaws(runs, { rng: createRng(1) });
 * assert.equal(best, "exponential");
 * assert.equal(laws.find(({ law }) => law === best)!.share, 1);
 * ```
 */
export function growthLaws(runs: readonly Trajectory[], options: GrowthLawsOptions): GrowthLaws {
  const { rng, resamples = 500, from = 3, to = 20 } = checkOptions("growthLaws", options, "rng! resamples from to");
  checkCount("resamples", resamples);
  const window = { from, to }, R = runs.length, n = to - from + 1;
  const refused = (reason: UndefinedReason): GrowthLaws => ({ laws: [], undefinedDraws: 0, reason });
  const { reason } = observedSlope(runs, window);
  if (reason) return refused(reason);
  if (n < 5) return refused("too-few-rounds");
  if (!threeDiffer(runs, window)) return refused("too-few-replicates");

  const drawn = logCurves(runs, resampleCounts(rng.fork("growth-laws"), R, resamples), window);
  const curves = drawn.filter((curve) => curve !== undefined);
  if (curves.length < 2) return refused("too-few-replicates");
  const whiten = whitening(shrunkCovariance(curves));
  const shapes = whiteShapes(lawShapes(window), whiten);
  const rank = (curve: readonly number[]) => ranked(fitLaws(whiten(curve), shapes), n);

  const logs = divergence(runs).slice(from - 1, to).map(Math.log);
  const fits = rank(centred(logs)), wins = curves.map((curve) => winner(rank(curve)));
  const best = winner(fits);
  return {
    laws: fits.map(({ fit, aicc, ...rest }) => ({
      ...rest,
      aicc,
      excess: aicc - best.aicc,
      share: wins.filter(({ law }) => law === rest.law).length / wins.length,
      estimate: lawEstimate(fit),
      fitted: lawCurve(fit, logs),
    })),
    best: best.law,
    undefinedDraws: resamples - curves.length,
  };
}

interface Ranked extends Pick<GrowthLawFit, "law" | "parameters" | "chiSquare" | "aicc"> {
  readonly fit: LawFit;
}

function ranked(fits: readonly LawFit[], rounds: number): Ranked[] {
  return fits.map((fit) => {
    const { shape: { law }, chiSquare } = fit, k = LAW_PARAMETERS[law];
    const aicc = chiSquare + 2 * k + (2 * k * (k + 1)) / (rounds - k - 1);
    return { law, parameters: k, chiSquare, aicc, fit };
  });
}

/** The smallest AICc; of equals the one named first, which has the fewest parameters. */
function winner(laws: readonly Ranked[]): Ranked {
  return laws.reduce((best, one) => (one.aicc < best.aicc ? one : best));
}

/** Covariance of curves without level, drawn half way to independent errors of one size. */
function shrunkCovariance(curves: readonly (readonly number[])[]): number[][] {
  const n = curves[0]!.length, centre = curves[0]!.map((_, i) => mean(curves.map((curve) => curve[i]!)));
  const errors = curves.map((curve) => curve.map((value, i) => value - centre[i]!));
  const C = centre.map((_, i) =>
    centre.map((_, j) => errors.reduce((sum, error) => sum + error[i]! * error[j]!, 0) / (errors.length - 1))
  );
  // A curve without its level has n − 1 directions to err in.
  const size = C.reduce((sum, row, i) => sum + row[i]!, 0) / (n - 1);
  return C.map((row, i) =>
    row.map((value, j) => (1 - SHRINKAGE) * value + (i === j ? SHRINKAGE * size + LEAST_VARIANCE : 0))
  );
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * What turns correlated errors into independent ones of size 1: y ↦ L⁻¹y, where L Lᵀ is the covariance of y.
 *
 * @param covariance symmetric, [n][n].
 * @throws {RangeError} where it is not positive definite: then no errors can have it, or some have none.
 */
export function whitening(covariance: readonly (readonly number[])[]): (y: readonly number[]) => number[] {
  const L = cholesky(covariance);
  return (y) => {
    const white: number[] = [];
    L.forEach((row, i) => white.push((y[i]! - dot(row, white, i)) / row[i]!));
    return white;
  };
}

/** The lower triangular L with L Lᵀ = matrix. */
function cholesky(matrix: readonly (readonly number[])[]): number[][] {
  const L: number[][] = [];
  matrix.forEach((row, i) => {
    const made: number[] = [];
    for (let j = 0; j < i; j++) made.push((row[j]! - dot(made, L[j]!, j)) / L[j]![j]!);
    const square = row[i]! - dot(made, made, i);
    if (!(square > 0)) throw new RangeError(`covariance is not positive definite: pivot ${i + 1} is ${square}`);
    L.push([...made, Math.sqrt(square)]);
  });
  return L;
}

/** Inner product of the first `n` entries. */
function dot(a: readonly number[], b: readonly number[], n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[i]! * b[i]!;
  return sum;
}
