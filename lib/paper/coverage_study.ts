import { createRng } from "../core/rng.ts";
import { bootstrapSlope } from "../stats/bootstrap_slope.ts";
import { diffusiveNull } from "../stats/diffusive_null.ts";
import type { GrowthLaw } from "../stats/growth_law_fits.ts";
import { growthLaws } from "../stats/growth_laws.ts";
import { permutationNull } from "../stats/permutation_null.ts";
import { referenceSlopes } from "../stats/reference_slopes.ts";
import type { KnownEnsemble } from "./known_ensembles.ts";

interface CoverageStudyOptions {
  readonly seed: number;
  /** How many ensembles are drawn. */
  readonly ensembles: number;
  /** Resamples of each bootstrap. */
  readonly resamples: number;
  /** Resamples for the covariance of the laws' fits. */
  readonly lawResamples: number;
  /** Draws of each permutation test. */
  readonly permutations: number;
}

/** How often something happened, with the Monte Carlo standard error of that. */
export interface Rate {
  readonly value: number;
  readonly error: number;
}

/** What the estimators made of one kind of ensemble. */
export interface CoverageStudy {
  readonly ensembles: number;
  /** Mean of λ̂ less the known slope, nats per round. */
  readonly bias: Rate;
  /** How often each nominal 95 % interval holds the known slope. */
  readonly coverage: { readonly percentile: Rate; readonly studentised: Rate };
  /**
   * How often each test rejects at 5 %: the paper's permutation of rounds, the studentised test of λ ≤ 0, the diffusive
   * null, and the studentised test of λ ≤ the random walk's slope.
   */
  readonly rejects: {
    readonly permutation: Rate;
    readonly studentised: Rate;
    readonly diffusive: Rate;
    readonly overWalk: Rate;
  };
  /** How often each law was the best, for those that ever were; empty where the ensemble follows none of them. */
  readonly best: Readonly<Partial<Record<GrowthLaw, Rate>>>;
}

/**
 * Draws ensembles with a known answer again and again, and counts how often intervals cover it and tests reject.
 *
 * A missing interval counts as one that does not cover, and a missing p as no rejection. The same seed gives the same
 * study; ensembles of one kind differ by their number alone, so a longer study begins as a shorter one.
 *
 * @throws {RangeError} as the estimators do.
 */
export function coverageStudy(ensemble: KnownEnsemble, options: CoverageStudyOptions): CoverageStudy {
  const rng = createRng(options.seed).fork(ensemble.label);
  const seen = Array.from({ length: options.ensembles }, (_, i) => look(ensemble, rng.fork(i), options));
  const rate = (happened: (one: Seen) => boolean) => rateOf(seen.map(happened));
  const laws = [...new Set(seen.flatMap(({ best }) => best ?? []))];
  return {
    ensembles: seen.length,
    bias: meanOf(seen.flatMap(({ slope }) => (slope === undefined ? [] : [slope - ensemble.lambda]))),
    coverage: { percentile: rate(({ percentile }) => percentile), studentised: rate(({ studentised }) => studentised) },
    rejects: {
      permutation: rate(({ p }) => p.permutation),
      studentised: rate(({ p }) => p.studentised),
      diffusive: rate(({ p }) => p.diffusive),
      overWalk: rate(({ p }) => p.overWalk),
    },
    best: Object.fromEntries(laws.map((law) => [law, rate(({ best }) => best === law)])),
  };
}

interface Seen {
  readonly slope: number | undefined;
  readonly percentile: boolean;
  readonly studentised: boolean;
  readonly p: Readonly<Record<keyof CoverageStudy["rejects"], boolean>>;
  readonly best: GrowthLaw | undefined;
}

function look(
  { draw, lambda, law }: KnownEnsemble,
  rng: ReturnType<typeof createRng>,
  { resamples, lawResamples, permutations }: CoverageStudyOptions,
): Seen {
  const runs = draw(rng.fork("runs"));
  const { lambda: slope, studentised, ...percentile } = bootstrapSlope(runs, { rng, resamples });
  // The lower end of a two-sided 90 % interval is a one-sided test at 5 %.
  const { low } = bootstrapSlope(runs, { rng, resamples, level: 0.9 }).studentised;
  const rejects = (p: number | undefined) => p !== undefined && p <= 0.05;
  return {
    slope,
    percentile: holds(percentile, lambda),
    studentised: holds(studentised, lambda),
    p: {
      permutation: rejects(permutationNull(runs, { rng, permutations }).p),
      studentised: rejects(studentised.p),
      diffusive: rejects(diffusiveNull(runs, { rng, permutations }).p),
      overWalk: low !== undefined && low > referenceSlopes().randomWalk,
    },
    best: law && growthLaws(runs, { rng, resamples: lawResamples }).best,
  };
}

function holds({ low, high }: { readonly low?: number; readonly high?: number }, value: number): boolean {
  return low !== undefined && high !== undefined && low <= value && value <= high;
}

/** A share with its binomial standard error, reckoned from two more of each outcome so that 0 and 1 have one too. */
export function rateOf(outcomes: readonly boolean[]): Rate {
  const n = outcomes.length, hits = outcomes.filter(Boolean).length;
  const p = (hits + 2) / (n + 4);
  return { value: hits / n, error: Math.sqrt((p * (1 - p)) / (n + 4)) };
}

function meanOf(values: readonly number[]): Rate {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { value: mean, error: Math.sqrt(variance / values.length) };
}
