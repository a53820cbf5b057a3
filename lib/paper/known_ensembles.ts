import type { Rng } from "../core/rng.ts";
import type { GrowthLaw } from "../stats/growth_law_fits.ts";
import { lyapunovSlope } from "../stats/lyapunov_slope.ts";
import { referenceSlopes } from "../stats/reference_slopes.ts";
import type { Trajectory } from "../stats/trajectory.ts";

/** Replicates by the paper's design: twenty runs of twenty rounds. */
const REPLICATES = 20;
const ROUNDS = 20;

/** A way to make replicates whose growth is known without measuring it. */
export interface KnownEnsemble {
  readonly label: string;
  /** How it is made, in a few words. */
  readonly made: string;
  /** Slope of ln D over rounds 3-20 that an estimate should have on average, nats per round. */
  readonly lambda: number;
  /** The law that its D(t) follows, if it is one of those compared by `growthLaws`. */
  readonly law?: GrowthLaw;
  /** Whether its replicates stay about where they are, part by independent steps, or part by steady growth. */
  readonly kind: "still" | "walk" | "growing";
  /** Twenty replicates, each [20][K]. */
  readonly draw: (rng: Rng) => Trajectory[];
}

/**
 * Ensembles with known answers, to check estimators on.
 *
 * Most are x_i(t) = f(t)·y_i(t) with y_i a stationary process, the same for every replicate: then D(t) is f(t) times
 * something whose law is the same in every round, so the slope of ln D is that of ln f, without bias. They move in a
 * plane, as committee means over three options do, and their scale means nothing. The two maps are embedded in the
 * simplex, with replicates some 1e-9 apart, so that the window ends long before they fill it.
 *
 * The rates 0.03 and 0.08 lie on either side of the random walk's slope and within the range that the paper reports.
 */
export const KNOWN_ENSEMBLES: readonly KnownEnsemble[] = [
  still("independent rounds", 0),
  still("AR(1) 0.8", 0.8),
  still("AR(1) 0.95", 0.95),
  {
    label: "random walk",
    made: "independent Gaussian steps from one start",
    lambda: referenceSlopes().randomWalk,
    law: "random-walk",
    kind: "walk",
    draw: (rng) => walks(rng, { spread: 0 }),
  },
  {
    label: "spread walk",
    made: "the same from starts three steps apart",
    // Start and steps are independent Gaussians, so D(t) is proportional to √(9 + t).
    lambda: slopeOf((t) => Math.sqrt(9 + t)),
    kind: "walk",
    draw: (rng) => walks(rng, { spread: 3 }),
  },
  {
    label: "pulled-back walk",
    made: "Ornstein-Uhlenbeck from one start, θ = 0.05",
    lambda: referenceSlopes({ reversion: 0.05 }).meanReverting!,
    law: "mean-reverting",
    kind: "walk",
    draw: (rng) => pulledBack(rng, 0.05),
  },
  {
    label: "unstable walk",
    made: "x → e^0.05·x and a Gaussian step, from starts five steps apart",
    // The variance is multiplied by e^0.1 each round, and 1 is added.
    lambda: slopeOf((t) => Math.sqrt(25 * Math.exp(0.1 * t) + Math.expm1(0.1 * t) / Math.expm1(0.1))),
    kind: "growing",
    draw: (rng) => walks(rng, { spread: 5, factor: Math.exp(0.05) }),
  },
  scaled("exponential 0.03", (t) => Math.exp(0.03 * t), { lambda: 0.03, law: "exponential" }),
  scaled("exponential 0.08", (t) => Math.exp(0.08 * t), { lambda: 0.08, law: "exponential" }),
  scaled("straight drift", (t) => t, { lambda: referenceSlopes().ballistic, law: "ballistic" }),
  scaled("growth to round 9", (t) => Math.exp(0.2 * Math.min(t, 9)), {
    lambda: slopeOf((t) => Math.exp(0.2 * Math.min(t, 9))),
    law: "plateau",
  }),
  {
    label: "two camps 0.08",
    made: "e^(0.08t) × (one of two places, one run in four at the second, and AR(1) 0.95)",
    lambda: 0.08,
    law: "exponential",
    kind: "growing",
    draw: (rng) => eachRun(rng, (one) => camp(one, (t) => Math.exp(0.08 * t))),
  },
  {
    label: "heavy tails 0.08",
    made: "e^(0.08t) × AR(1) 0.95, each run's size from a Pareto law of index 1.5",
    lambda: 0.08,
    law: "exponential",
    kind: "growing",
    draw: (rng) => eachRun(rng, (one) => heavy(one, (t) => Math.exp(0.08 * t))),
  },
  {
    label: "tent map",
    made: "x → 1 − |1 − 2x| with noise of half the first separation, 1e-9",
    lambda: Math.LN2,
    law: "exponential",
    kind: "growing",
    draw: (rng) => maps(rng, (x) => 1 - Math.abs(1 - 2 * x)),
  },
  {
    label: "logistic map",
    made: "x → 4x(1 − x) with noise of half the first separation, 1e-9",
    lambda: Math.LN2,
    law: "exponential",
    kind: "growing",
    draw: (rng) => maps(rng, (x) => 4 * x * (1 - x)),
  },
];

type Growth = (round: number) => number;

function slopeOf(growth: Growth): number {
  return lyapunovSlope(Array.from({ length: ROUNDS }, (_, t) => growth(t + 1))).lambda!;
}

function still(label: string, memory: number): KnownEnsemble {
  const made = memory === 0 ? "Gaussian, every round anew" : `stationary Gaussian AR(1), coefficient ${memory}`;
  const draw = (rng: Rng) => eachRun(rng, (one) => autoregressive(one, memory));
  return { label, made, lambda: 0, law: "steady", kind: "still", draw };
}

function scaled(label: string, growth: Growth, known: { lambda: number; law: GrowthLaw }): KnownEnsemble {
  const draw = (rng: Rng) => eachRun(rng, (one) => grown(autoregressive(one, 0.95), growth));
  return { label, made: "its growth × stationary AR(1) 0.95", ...known, kind: "growing", draw };
}

function eachRun(rng: Rng, make: (rng: Rng) => Trajectory): Trajectory[] {
  return Array.from({ length: REPLICATES }, (_, i) => make(rng.fork(i)));
}

function grown(run: Trajectory, growth: Growth): Trajectory {
  return run.map((state, t) => state.map((value) => value * growth(t + 1)));
}

/** Stationary from the first round, variance 1. */
function autoregressive(rng: Rng, memory: number): Trajectory {
  let state = [rng.normal(), rng.normal()];
  return Array.from({ length: ROUNDS }, () => {
    state = state.map((value) => memory * value + Math.sqrt(1 - memory * memory) * rng.normal());
    return state;
  });
}

function walks(rng: Rng, { spread, factor = 1 }: { spread: number; factor?: number }): Trajectory[] {
  return eachRun(rng, (one) => {
    let state = [spread * one.normal(), spread * one.normal()];
    return Array.from({ length: ROUNDS }, () => (state = state.map((value) => factor * value + one.normal())));
  });
}

/** The exact transition of an Ornstein-Uhlenbeck process over one round. */
function pulledBack(rng: Rng, reversion: number): Trajectory[] {
  const kept = Math.exp(-reversion), step = Math.sqrt(-Math.expm1(-2 * reversion));
  return eachRun(rng, (one) => {
    let state = [0, 0];
    return Array.from({ length: ROUNDS }, () => (state = state.map((value) => kept * value + step * one.normal())));
  });
}

function camp(rng: Rng, growth: Growth): Trajectory {
  const place = rng.next() < 0.25 ? 4 : 0;
  return grown(autoregressive(rng, 0.95).map(([x, y]) => [x! + place, y!]), growth);
}

function heavy(rng: Rng, growth: Growth): Trajectory {
  const size = (1 - rng.next()) ** (-1 / 1.5);
  return grown(autoregressive(rng, 0.95), (t) => size * growth(t));
}

/** All replicates follow one orbit closely: they start together but for 1e-9. */
function maps(rng: Rng, map: (x: number) => number): Trajectory[] {
  const start = 0.1 + 0.8 * rng.next(), apart = 1e-9;
  return eachRun(rng, (one) => {
    let x = start + apart * one.normal();
    return Array.from({ length: ROUNDS }, () => {
      x = Math.min(1, Math.max(0, map(x) + (apart / 2) * one.normal()));
      return [x / 2, (1 - x) / 2, 1 / 2];
    });
  });
}
