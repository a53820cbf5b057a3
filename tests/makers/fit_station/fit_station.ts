import { createRng } from "@/core/rng.ts";
import { Mosaic } from "@/schema/mosaic.ts";
import type { StationSummary } from "@/schema/station_summary.ts";
import { runStation } from "@/station/run_station.ts";
import { summarise } from "@/station/summary.ts";
import { evolve } from "../fit/evolve.ts";

/**
 * What the station paper says of runs without a model (Table 8, section 6): six seeds, so the scatter of these numbers
 * is large and the fit needs no more than come close.
 */
export const FLOOR_TARGETS = {
  q: { value: 0.713, unit: 0.01 },
  qSpread: { value: 0.045, unit: 0.01 },
  margin: { value: 0.175, unit: 0.02 },
  marginSpread: { value: 0.085, unit: 0.02 },
  rumors: { value: 2.5, unit: 0.3 },
  adequate: { value: 0.5, unit: 0.1 },
  stabilized: { value: 1, unit: 0.02 },
} as const;

export type FloorFacts = Readonly<Record<keyof typeof FLOOR_TARGETS, number>>;

/** The same facts of some runs made here. */
export function floorFacts(summaries: readonly StationSummary[]): FloorFacts {
  const mean = (pick: (one: StationSummary) => number) =>
    summaries.reduce((sum, one) => sum + pick(one), 0) / summaries.length;
  const deviation = (pick: (one: StationSummary) => number) => {
    const middle = mean(pick);
    return Math.sqrt(summaries.reduce((sum, one) => sum + (pick(one) - middle) ** 2, 0) / (summaries.length - 1));
  };
  return {
    q: mean(({ q }) => q),
    qSpread: deviation(({ q }) => q),
    margin: mean(({ public_order }) => public_order - 0.35),
    marginSpread: deviation(({ public_order }) => public_order),
    rumors: mean(({ active_rumors }) => active_rumors),
    adequate: mean(({ classification }) => (classification === "BENCHMARK_ADEQUATE" ? 1 : 0)),
    stabilized: mean(({ stabilized }) => (stabilized ? 1 : 0)),
  };
}

/** Runs without a model, one a seed. */
export async function floorRuns(seeds: readonly number[], rules: Mosaic): Promise<StationSummary[]> {
  const labels = { runId: "fit", model: "none", synthetic: true, made: { library: "fit", deno: Deno.version.deno } };
  const summaries: StationSummary[] = [];
  for (const seed of seeds) {
    const events = await Array.fromAsync(runStation({ seed, ruleset: "v2", council: "none", rules }));
    summaries.push(summarise(events, labels, rules));
  }
  return summaries;
}

/** The seeds the constants may be fitted on: never the panel. */
export function fitSeeds({ seeds }: Mosaic): number[] {
  const [from, to] = seeds.fit;
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((seed) => !seeds.panel.includes(seed));
}

type Path = readonly (string | number)[];

/** The fitted constants. The others are kept as they stand: the published floor does not determine them. */
const KNOBS: readonly Path[] = [
  ["start", "order"],
  ["shock", "rumorHeat"],
  ["deck", "growth", 1],
  ["deck", "severity", 1],
  ["close", "orderHeat"],
  ["close", "orderScandal"],
  ["close", "orderOffer"],
  ["close", "scandalKeep"],
];

/** Levels and shares among them, which mean nothing above 1. */
const AT_MOST_1 = new Set(["start.order", "close.scandalKeep"]);

type Tree = Record<string | number, unknown>;

const at = (tree: unknown, path: Path): unknown => path.reduce((node, key) => (node as Tree)[key], tree);
const read = (rules: Mosaic, path: Path): number => at(rules, path) as number;

export function write(tree: unknown, path: Path, value: number): void {
  (at(tree, path.slice(0, -1)) as Tree)[path.at(-1)!] = value;
}

/** How far a constant may move from where it stands before it costs as much as a target missed by its unit: one fifth. */
const STIFFNESS = Math.log(1.2);

/**
 * Fits a few constants of the rules to the published facts of runs without a model, each kept within its meaning by a
 * ridge around its present value.
 *
 * @returns the rules with the fitted constants to three digits, the loss, and the facts on the fit seeds.
 */
export async function fitStation(
  start: Mosaic,
  { seed, generations, onGeneration }: {
    seed: number;
    generations: number;
    onGeneration?: (generation: number, loss: number) => void;
  },
): Promise<
  { rules: Mosaic; loss: number; facts: FloorFacts; constants: Record<string, [before: number, after: number]> }
> {
  const seeds = fitSeeds(start);
  const moved = (point: readonly number[], digits?: number): Mosaic => {
    const rules = structuredClone(start);
    KNOBS.forEach((path, i) => {
      const wanted = read(start, path) * Math.exp(STIFFNESS * point[i]!);
      const value = AT_MOST_1.has(path.join(".")) ? Math.min(1, wanted) : wanted;
      write(rules, path, digits === undefined ? value : Number(value.toPrecision(digits)));
    });
    return rules;
  };
  const loss = async (point: readonly number[]): Promise<number> => {
    const facts = floorFacts(await floorRuns(seeds, moved(point)));
    const misfit = Object.entries(FLOOR_TARGETS)
      .reduce((sum, [name, { value, unit }]) => sum + ((facts[name as keyof FloorFacts] - value) / unit) ** 2, 0);
    return misfit + point.reduce((sum, x) => sum + x * x, 0);
  };
  const { best, loss: reached } = await evolve(loss, KNOBS.map(() => 0), {
    rng: createRng(seed).fork("fit-station"),
    generations,
    population: 12,
    step: 0.3,
    ...(onGeneration && { onGeneration }),
  });
  const rules = moved(best, 3);
  const constants = Object.fromEntries(
    KNOBS.map((path) => [path.join("."), [read(start, path), read(rules, path)] as [number, number]]),
  );
  return { rules, loss: reached, facts: floorFacts(await floorRuns(seeds, rules)), constants };
}
