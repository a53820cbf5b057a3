import type { Rng } from "@/core/rng.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import { divergence } from "@/stats/divergence.ts";
import type { GrowthLaw } from "@/stats/growth_laws.ts";
import { lyapunovSlope, referenceSlopes } from "@/stats/lyapunov_slope.ts";
import type { Trajectory } from "@/stats/trajectory.ts";
import { simulateCondition } from "@/lab/paper/surrogate/simulate_condition.ts";

/** How to make replicates whose slope of ln D over rounds 3 to 20 is known. */
export interface Recipe {
  readonly label: string;
  readonly made: string;
  /** The true slope, nats per round. */
  readonly lambda: number;
  /** Replicates stay about where they are, part by independent steps, part by growth that goes on, or are a surrogate's. */
  readonly kind: "still" | "walk" | "growing" | "surrogate";
  /** The law that D(t) follows; absent where it is none of the six. */
  readonly law?: GrowthLaw;
  /** One ensemble, shape [replicates][T][K]. */
  readonly draw: (rng: Rng, replicates: number) => Trajectory[];
}

const ROUNDS = 20;
/** Of round t, 1-based: what D(t) is proportional to. */
type Growth = (round: number) => number;

const slopeOf = (f: Growth): number => lyapunovSlope(Array.from({ length: ROUNDS }, (_, t) => f(t + 1))).lambda!;
const path = (next: (round: number) => number[]): number[][] => Array.from({ length: ROUNDS }, (_, t) => next(t + 1));
const eachRun = (make: (rng: Rng) => Trajectory) => (rng: Rng, replicates: number) =>
  Array.from({ length: replicates }, (_, i) => make(rng.fork(i)));

/** Gaussian AR(1) in a plane, unit variance in every round, times a growth. */
function stationary(rng: Rng, memory: number, f: Growth = () => 1): number[][] {
  const step = Math.sqrt(1 - memory * memory);
  let state = [rng.normal(), rng.normal()];
  return path((round) => {
    state = state.map((x) => memory * x + step * rng.normal());
    return state.map((x) => x * f(round));
  });
}

/** x → factor · x and a step. */
function walk(rng: Rng, { spread = 0, factor = 1, step = 1 }): number[][] {
  let state = [spread * rng.normal(), spread * rng.normal()];
  return path(() => state = state.map((x) => factor * x + step * rng.normal()));
}

/** All runs follow one orbit of a map, 1e-9 apart at first, so that the window ends long before they fill the simplex. */
const orbit = (map: (x: number) => number) => (rng: Rng, replicates: number): Trajectory[] => {
  const start = 0.1 + 0.8 * rng.next(), apart = 1e-9;
  return eachRun((one) => {
    let x = start + apart * one.normal();
    return path(() => {
      x = Math.min(1, Math.max(0, map(x) + (apart / 2) * one.normal()));
      return [x / 2, (1 - x) / 2, 1 / 2];
    });
  })(rng, replicates);
};

/** Mean length of a plane vector whose components have variance 2 and whose mean has length g (Rice). */
function meanLength(g: number): number {
  const x = g * g / 4;
  let term = 1, sum = 1;
  for (let k = 1; term > 1e-17 * sum; k++) sum += term *= (k + 0.5) * x / (k * k);
  return Math.sqrt(Math.PI) * Math.exp(-x) * sum;
}

const still = (label: string, memory: number): Recipe => ({
  ...{ label, made: `stationary AR(1), coefficient ${memory}`, lambda: 0, kind: "still", law: "steady" },
  draw: eachRun((one) => stationary(one, memory)),
});
const grown = (label: string, f: Growth, law: GrowthLaw): Recipe => ({
  ...{ label, made: "its growth × stationary AR(1) 0.95", lambda: slopeOf(f), kind: "growing", law },
  draw: eachRun((one) => stationary(one, 0.95, f)),
});
/** Growth e^(0.08t) of runs that differ in size, or in place. */
const uneven = (label: string, made: string, draw: (rng: Rng, f: Growth) => number[][]): Recipe => ({
  ...{ label, made: `e^(0.08t) × AR(1) 0.95 ${made}`, lambda: slopeOf(e08), kind: "growing", law: "exponential" },
  draw: eachRun((one) => draw(one, e08)),
});

const e08: Growth = (t) => Math.exp(0.08 * t);
// The variance of the unstable walk is multiplied by e^0.1 each round, and 1 is added.
const unstable: Growth = (t) => Math.sqrt(25 * Math.exp(0.1 * t) + Math.expm1(0.1 * t) / Math.expm1(0.1));
const walks = referenceSlopes({ reversion: 0.05 });

/** The share of runs that leave, and how far from the others they are by round t. */
const LEAVING = 3 / 19;
const left: Growth = (t) => Math.exp(0.18 * t);
const fewLeave: Growth = (t) => {
  const apart = 2 * LEAVING * (1 - LEAVING);
  return (1 - apart) * meanLength(0) + apart * meanLength(left(t));
};

export const RECIPES: readonly Recipe[] = [
  still("independent rounds", 0),
  still("AR(1) 0.8", 0.8),
  still("AR(1) 0.95", 0.95),
  {
    ...{ label: "random walk", made: "Gaussian steps from one start: D ∝ √t" },
    ...{ lambda: walks.randomWalk, kind: "walk", law: "random-walk" },
    draw: eachRun((one) => walk(one, {})),
  },
  {
    ...{ label: "spread walk", made: "the same from starts three steps apart: D ∝ √(9 + t)" },
    ...{ lambda: slopeOf((t) => Math.sqrt(9 + t)), kind: "walk" },
    draw: eachRun((one) => walk(one, { spread: 3 })),
  },
  {
    ...{ label: "pulled-back walk", made: "Ornstein-Uhlenbeck from one start, θ = 0.05" },
    ...{ lambda: walks.meanReverting!, kind: "walk", law: "mean-reverting" },
    draw: eachRun((one) => walk(one, { factor: Math.exp(-0.05), step: Math.sqrt(-Math.expm1(-0.1)) })),
  },
  {
    ...{ label: "unstable walk", made: "x → e^0.05·x and a step, from starts five steps apart" },
    ...{ lambda: slopeOf(unstable), kind: "growing" },
    draw: eachRun((one) => walk(one, { spread: 5, factor: Math.exp(0.05) })),
  },
  grown("exponential 0.03", (t) => Math.exp(0.03 * t), "exponential"),
  grown("exponential 0.08", e08, "exponential"),
  grown("straight drift", (t) => t, "ballistic"),
  grown("growth to round 9", (t) => Math.exp(0.2 * Math.min(t, 9)), "plateau"),
  uneven("two camps 0.08", "around one of two places, one run in four at the other", (rng, f) => {
    const place = rng.next() < 0.25 ? 4 : 0;
    return stationary(rng, 0.95).map(([x, y], t) => [(x! + place) * f(t + 1), y! * f(t + 1)]);
  }),
  uneven("exponential sizes 0.08", "× a size, exponentially distributed", (rng, f) => {
    const size = -Math.log(1 - rng.next());
    return stationary(rng, 0.95, (t) => size * f(t));
  }),
  uneven("heavy tails 0.08", "× a Pareto size, index 1.5", (rng, f) => {
    const size = (1 - rng.next()) ** (-1 / 1.5);
    return stationary(rng, 0.95, (t) => size * f(t));
  }),
  {
    ...{
      label: "few leave",
      made: "AR(1) 0.95; each run leaves with chance 3/19, to a place at e^(0.18t)",
    },
    ...{ lambda: slopeOf(fewLeave), kind: "growing" },
    draw: eachRun((one) => {
      const leaves = one.next() < LEAVING;
      return stationary(one, 0.95).map(([x, y], t) => [x! + (leaves ? left(t + 1) : 0), y!]);
    }),
  },
  {
    ...{ label: "tent map", made: "x → 1 − |1 − 2x|, runs 1e-9 apart on one orbit" },
    ...{ lambda: Math.LN2, kind: "growing", law: "exponential" },
    draw: orbit((x) => 1 - Math.abs(1 - 2 * x)),
  },
  {
    ...{ label: "logistic map", made: "x → 4x(1 − x), runs 1e-9 apart on one orbit" },
    ...{ lambda: Math.LN2, kind: "growing", law: "exponential" },
    draw: orbit((x) => 4 * x * (1 - x)),
  },
];

/** Simulated runs that stand for all there could be of a condition. */
export const POOL = 400;
const POOLS: readonly ConditionSpec[] = [
  { scenario: "HL-01", roles: true },
  { scenario: "HL-01", roles: false },
  { scenario: "IM-01", roles: true },
  { scenario: "IM-01", roles: false, lineup: "gpt-4-1", temperature: 0.1 },
  { scenario: "IM-01", roles: false, lineup: "gemini-2-5-flash", temperature: 0.1 },
];

/** Runs of the surrogate, drawn with replacement from many that were simulated; their slope is that of all of them. */
export async function surrogateRecipes(): Promise<Recipe[]> {
  const parameters = await loadSurrogateParameters();
  return await Promise.all(POOLS.map(async (spec) => {
    const runs = simulateCondition(await loadCondition(spec), parameters, { replicates: POOL, seed: 1 });
    const means = runs.map(({ means }) => means);
    const { scenario, roles, lineup = "uniform", temperature = 0 } = spec;
    return {
      label: `surrogate ${scenario}, ${lineup}, roles ${roles ? "on" : "off"}`,
      made: `T = ${temperature}, drawn from ${POOL} simulated runs`,
      lambda: lyapunovSlope(divergence(means)).lambda!,
      kind: "surrogate",
      draw: (rng, replicates) => Array.from({ length: replicates }, () => means[rng.int(POOL)]!),
    } satisfies Recipe;
  }));
}

/** All recipes, those of the surrogate last. */
export const allRecipes = async (): Promise<Recipe[]> => [...RECIPES, ...await surrogateRecipes()];
