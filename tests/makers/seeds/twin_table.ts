import { createRng, type Rng } from "@/core/rng.ts";
import type { TwinRow } from "../kept_tables.ts";
import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { surrogateCouncil } from "@/lab/live/council.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { twinRuns } from "@/lab/runs/perturb.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";
import { twinDistances, twinSlope } from "@/stats/twin_slope.ts";
import { digits, mechanismHash, rounded } from "./seed_slopes.ts";

/** How the table is made: runs of each condition, and twins as many as can be had; the round of the change; five master seeds. */
export const TWINS = { replicates: 40, changed: 2, near: 0.005, seeds: [1, 2, 3, 4, 5], resamples: 1000 } as const;

/** Every scenario with and without roles. */
export async function twinPlan(): Promise<{ scenario: string; roles: boolean }[]> {
  const { scenarios } = await loadSurrogateParameters();
  return Object.keys(scenarios).flatMap((scenario) => [false, true].map((roles) => ({ scenario, roles })));
}

/** The rows of one condition: one a master seed, then all pairs together. */
export async function twinRows(spec: { scenario: string; roles: boolean }): Promise<TwinRow[]> {
  const made = [];
  for (const seed of TWINS.seeds) made.push(await twinsUnder(spec, seed));
  const rng = createRng(0).fork(`${spec.scenario} ${spec.roles}`);
  return [...made.map(({ row }) => row), { ...spec, ...pairsRow(made.flatMap(({ study }) => study), rng) }];
}

/** One condition under one seed, in memory: the row, and the pairs with their distances. */
export async function twinsUnder(spec: { scenario: string; roles: boolean }, seed: number) {
  const { replicates, changed, resamples } = TWINS;
  const council = await surrogateCouncil();
  const condition = await loadCondition(spec);
  const { runs, name } = await collectRuns(condition, { council, replicates, seed });
  const { pairs, unmoved, flagged } = await twinRuns({ condition, runs }, { council, seed, round: changed });
  const distances = twinDistances(pairs.map(({ run }) => run.means), pairs.map(({ twin }) => twin.means), { changed });
  const study: Study = {
    ...{ distances, unmoved: unmoved.length, flagged: flagged.length },
    flips: pairs.filter(({ run, twin }) => run.decision !== twin.decision).length,
  };
  const rng = createRng(seed).fork(name);
  const { lambda, low, high } = bootstrapSlope(runs.map(({ means }) => means), { rng, resamples });
  const spread = rounded({ lambda, lambdaLow: low, lambdaHigh: high });
  const row: TwinRow = { ...spec, seed, ...spread, ...pairsRow([study], rng) };
  return { row, study };
}

/** The twins of one seed: distances [N][T], and counts. */
interface Study {
  readonly distances: readonly (readonly number[])[];
  readonly unmoved: number;
  readonly flagged: number;
  readonly flips: number;
}

function pairsRow(studies: readonly Study[], rng: Rng) {
  const distances = studies.flatMap((one) => one.distances);
  const count = (key: "unmoved" | "flagged" | "flips") => studies.reduce((sum, one) => sum + one[key], 0);
  const { slope, low, high } = twinSlope(distances, { rng, resamples: TWINS.resamples });
  return {
    ...{ pairs: distances.length, unmoved: count("unmoved"), flagged: count("flagged") },
    ...rounded({ slope, low, high }),
    met: digits(distances.filter((row) => row.at(-1)! < TWINS.near).length / distances.length),
    flips: digits(count("flips") / distances.length),
  };
}

/** A hash of all that decides the table: the surrogate, and how twins are made and measured. */
export const twinMechanism = (): Promise<string> =>
  mechanismHash(undefined, "model/surrogate/", "lab/runs/perturb.ts", "stats/twin_slope.ts");
