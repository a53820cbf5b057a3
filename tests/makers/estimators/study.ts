import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRng, type Rng } from "@/core/rng.ts";
import { allRecipes, POOL, type Recipe, surrogateRecipes } from "./recipes.ts";
import type { EstimatorRow } from "@/lab/paper/kept_tables.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";
import type { Ends, Inference } from "@/stats/intervals.ts";
import { diffusiveNull, permutationNull } from "@/stats/nulls.ts";
import { growthLaws } from "@/stats/growth_laws.ts";
import { labelPermutation } from "@/stats/label_permutation.ts";
import { referenceSlopes } from "@/stats/lyapunov_slope.ts";
import { slopeDifference, slopeInteraction } from "@/stats/slope_contrast.ts";
import type { Trajectory } from "@/stats/trajectory.ts";

/** How each ensemble is looked at. Nulls of 39 draws give an exact test at 5 %. */
export const STUDY = { seed: 1, ensembles: 2000, resamples: 500, permutations: 39, lawResamples: 60 } as const;

/** What was seen in one ensemble: whatever came true, and the estimate less the truth. */
export interface Seen {
  readonly true: readonly string[];
  readonly miss?: number;
}

/** Ensembles that are looked at in the same way: of one recipe, or of several groups whose slopes are compared. */
export interface Regime {
  readonly label: string;
  /** Of each group. */
  readonly replicates: readonly number[];
  /** The slope or the difference that intervals should hold, nats per round. */
  readonly truth: number;
  readonly look: (rng: Rng) => Seen;
}

export const holds = ({ low = NaN, high = NaN }: Ends, value: number): boolean => low <= value && value <= high;
const small = (p = 1): boolean => p <= 0.05;

/** Which intervals hold the truth, which there are, and what else came true. */
function seen(
  estimate: number | undefined,
  { percentile, ...studentised }: Inference,
  { truth, ...others }: { truth: number; [name: string]: number | boolean | undefined },
): Seen {
  const facts = {
    "percentile": holds(percentile, truth),
    "percentile given": percentile.low !== undefined,
    "studentised": holds(studentised, truth),
    "studentised given": studentised.low !== undefined,
    ...others,
  };
  return {
    ...(estimate !== undefined && { miss: estimate - truth }),
    true: Object.entries(facts).flatMap(([name, is]) => is ? [name] : []),
  };
}

/** Intervals and p-values of λ̂; with `all` also what asks how runs part. */
function one(recipe: Recipe, replicates: number, all: boolean): Regime {
  const { label, lambda: truth } = recipe;
  return {
    ...{ label, replicates: [replicates], truth },
    look(rng) {
      const { resamples, permutations } = STUDY;
      const runs = recipe.draw(rng.fork("runs"), replicates);
      const found = bootstrapSlope(runs, { rng, resamples });
      const shuffled = permutationNull(runs, { rng, permutations });
      return seen(found.lambda, found, {
        truth,
        "bimodal": found.bimodal,
        "rounds shuffled": small(shuffled.p),
        "rounds shuffled, studentised": small(shuffled.studentised.p),
        "studentised, λ ≤ 0": small(found.p),
        ...(all && partingOf(runs, rng)),
      });
    },
  };
}

const { randomWalk } = referenceSlopes();

function partingOf(runs: readonly Trajectory[], rng: Rng): Record<string, boolean> {
  // The lower end of a two-sided 90 % interval is a one-sided test at 5 %.
  const { low = -Infinity } = bootstrapSlope(runs, { rng, resamples: 199, level: 0.9 });
  const { best } = growthLaws(runs, { rng, resamples: STUDY.lawResamples });
  return {
    "diffusive null": small(diffusiveNull(runs, { rng, permutations: STUDY.permutations }).p),
    "λ ≤ random walk's": low > randomWalk,
    ...(best && { [`law ${best}`]: true }),
  };
}

interface Group {
  readonly recipe: Recipe;
  readonly replicates: number;
  /** Every distance of the group is multiplied by this, which changes no slope. */
  readonly times: number;
}

const drawn = (groups: readonly Group[], rng: Rng): Trajectory[][] =>
  groups.map(({ recipe, replicates, times }, i) =>
    recipe.draw(rng.fork("runs").fork(i), replicates).map((run) => run.map((state) => state.map((x) => times * x)))
  );

function two(label: string, ...groups: readonly [Group, Group]): Regime {
  const truth = groups[0].recipe.lambda - groups[1].recipe.lambda;
  return {
    ...{ label, replicates: groups.map(({ replicates }) => replicates), truth },
    look(rng) {
      const [a, b] = drawn(groups, rng);
      const found = slopeDifference(a!, b!, { rng, resamples: STUDY.resamples });
      const labels = labelPermutation(a!, b!, { rng, permutations: STUDY.permutations });
      const rejected = { "labels permuted": small(labels.plainP), "labels permuted, studentised": small(labels.p) };
      return seen(found.delta, found, { truth, ...rejected });
    },
  };
}

function four(label: string, ...cells: readonly [Group, Group, Group, Group]): Regime {
  const [both, first, second, neither] = cells.map(({ recipe }) => recipe.lambda);
  const truth = both! - first! - second! + neither!;
  return {
    ...{ label, replicates: cells.map(({ replicates }) => replicates), truth },
    look(rng) {
      const [both, first, second, neither] = drawn(cells, rng);
      const groups = { both: both!, first: first!, second: second!, neither: neither! };
      const found = slopeInteraction(groups, { rng, resamples: STUDY.resamples });
      return seen(found.delta, found, { truth });
    },
  };
}

/** All that is studied. */
export async function regimes(): Promise<Regime[]> {
  const all = await allRecipes();
  const named = (label: string) => all.find((recipe) => recipe.label === label)!;
  const of = (label: string, replicates = 20, times = 1): Group => ({ recipe: named(label), replicates, times });
  const [still, even, uneven, heavy] = ["AR(1) 0.8", "exponential 0.08", "exponential sizes 0.08", "heavy tails 0.08"];
  const [on, off] = ["surrogate HL-01, uniform, roles on", "surrogate HL-01, uniform, roles off"] as const;
  const fewer = ["random walk", still!, even!, uneven!, heavy!, "few leave", on, off];
  const sizes = [[20, 20], [20, 10]] as const;
  return [
    ...all.map((recipe) => one(recipe, 20, recipe.kind !== "surrogate")),
    ...[10, 7, 5, 3].flatMap((replicates) => fewer.map((label) => one(named(label), replicates, false))),
    ...[...sizes, [7, 7], [3, 3]].map(([m, n]) => two("alike", of(even!, m), of(even!, n))),
    ...sizes.flatMap(([m, n]) => [
      two("alike, the second three times as far apart", of(even!, m), of(even!, n, 3)),
      two("equal slopes, the second of uneven sizes", of(even!, m), of(uneven!, n)),
    ]),
    two("equal slopes, independent rounds and AR(1) 0.95", of("independent rounds"), of("AR(1) 0.95", 10)),
    two("alike, heavy tails", of(heavy!), of(heavy!)),
    two("slopes 0.08 and 0", of(even!), of(still!)),
    two("surrogate HL-01, roles on and off", of(on), of(off)),
    four("interaction of 2 × 2", of(even!), of("exponential 0.03"), of(still!), of("straight drift")),
  ];
}

/** Some ensembles of a regime. Each depends on the seed, the regime and its own number alone. */
export function seenIn({ label, replicates, look }: Regime, from: number, to: number): Seen[] {
  const rng = createRng(STUDY.seed).fork(label).fork(replicates.join());
  return Array.from({ length: to - from }, (_, i) => look(rng.fork(from + i)));
}

/** What was seen in some ensembles of a regime, counted. */
export function rowOf({ label, replicates, truth }: Regime, ensembles: readonly Seen[]): EstimatorRow {
  const misses = ensembles.flatMap(({ miss }) => miss ?? []);
  const mean = misses.reduce((sum, miss) => sum + miss, 0) / misses.length;
  const variance = misses.reduce((sum, miss) => sum + (miss - mean) ** 2, 0) / (misses.length - 1);
  const names = Map.groupBy(ensembles.flatMap((one) => one.true), (name) => name);
  return {
    ...{ regime: label, replicates: [...replicates], truth: digits(truth), ensembles: ensembles.length },
    ...{ bias: digits(mean), scatter: digits(Math.sqrt(variance)) },
    counts: Object.fromEntries([...names].map(([name, { length }]) => [name, length] as const).sort()),
  };
}

/** What is printed has four decimals; two more are kept. */
const digits = (value: number): number => Number(value.toFixed(6));

const LIB = fileURLToPath(new URL("../../../lib/", import.meta.url));

/**
 * The code of some modules and of all that they import of estimators, recipes and random numbers, without comments. The
 * compiled kernel is left out: it computes what plain modules do, and tests hold it to them.
 */
async function codeOf(modules: string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const module of modules) {
    if (found.has(module)) continue;
    const source = await Deno.readTextFile(module);
    found.set(module, source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").replace(/\s+/g, " "));
    const imported = [...source.matchAll(/ from "(@\/|\.)([^"]+)"/g)]
      .map(([, start, path]) => start === "@/" ? join(LIB, path!) : join(dirname(module), start! + path));
    modules.push(...imported.filter((path) => /\/(?:stats|estimators)\/[^/]+$|\/core\/rng\.ts$/.test(path)));
  }
  return found;
}

/** A hash of the code that decides what the table of a module's regimes holds, and of the surrogate's runs. */
export async function studyHash(module = import.meta.url): Promise<string> {
  const hash = createHash("sha256");
  const code = await codeOf([fileURLToPath(module)]);
  for (const [module, source] of [...code].sort()) hash.update(basename(module)).update(source);
  for (const { draw } of await surrogateRecipes()) hash.update(JSON.stringify(draw(createRng(STUDY.seed), POOL)));
  return hash.digest("hex").slice(0, 12);
}
