import { mean, median } from "simple-statistics";
import { createRng } from "@/core/rng.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import { simulateCondition } from "@/lab/paper/surrogate/simulate_condition.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import { ROLES } from "@/schema/scenario.ts";
import { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";
import { divergence } from "@/stats/divergence.ts";
import { lyapunovSlope } from "@/stats/lyapunov_slope.ts";
import type { Trajectory } from "@/stats/trajectory.ts";
import alternatives from "../../../data/surrogate/alternatives.json" with { type: "json" };
import { digits, mechanismHash } from "./seed_slopes.ts";

/** How the table is made: master seeds that no fit, no search and no other table uses. */
export const READINGS = { from: 101, to: 200, replicates: 20, resamples: 500 } as const;

export type Alternative = typeof alternatives.alternatives[number];
export const ALTERNATIVES: readonly Alternative[] = alternatives.alternatives;

/** HL-01's four committees, its ablations, and four scenarios with and without the Chair's mandate. */
const SPECS: Readonly<Record<string, ConditionSpec>> = {
  neither: { scenario: "HL-01", roles: false },
  roles: { scenario: "HL-01" },
  mixed: { scenario: "HL-01", lineup: "mixed", roles: false },
  both: { scenario: "HL-01", lineup: "mixed" },
  ...Object.fromEntries(ROLES.map((ablate) => [`-${ablate}`, { scenario: "HL-01", ablate }])),
  ...Object.fromEntries(
    ["IM-01", "CL-01", "SP-03", "AI-01"].flatMap((scenario): [string, ConditionSpec][] => [
      [scenario, { scenario }],
      [`${scenario} -Chair`, { scenario, ablate: "Chair" }],
    ]),
  ),
};

/** What one committee shows under one seed; `lambda` is NaN where it is undefined. */
type Draw = ReturnType<typeof drawOf>;

function drawOf(means: readonly Trajectory[]) {
  const D = divergence(means);
  return { means, D, lambda: lyapunovSlope(D).lambda ?? NaN };
}

/** The parameters on file with an alternative's numbers in their place. */
export async function alternativeParameters({ change }: Alternative): Promise<SurrogateParameters> {
  const { mechanism, anchors, scenarios, ...rest } = await loadSurrogateParameters();
  return SurrogateParameters.parse({
    ...rest,
    mechanism: { ...mechanism, ...change.mechanism },
    anchors: { ...anchors, ...change.anchors },
    scenarios: Object.fromEntries(
      Object.entries(scenarios).map(([id, of]) => [id, { ...of, ...change.scenarios?.[id as "HL-01"] }]),
    ),
  });
}

/** How one set of constants does on the readings and signs: one row of the table. */
export async function readingsRow(alternative: Alternative, { from, to, replicates, resamples } = READINGS as Options) {
  const parameters = await alternativeParameters(alternative);
  const seeds = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const drawn: Record<string, Draw[]> = {};
  for (const [name, spec] of Object.entries(SPECS)) {
    const condition = await loadCondition(spec);
    drawn[name] = seeds.map((seed) =>
      drawOf(simulateCondition(condition, parameters, { replicates, seed }).map(({ means }) => means))
    );
  }
  const of = (name: string, seed: number): Draw => drawn[name]![seed]!;
  const share = (holds: (seed: number) => boolean) => seeds.filter((_, i) => holds(i)).length / seeds.length;
  const over = (value: (seed: number) => number) => seeds.map((_, i) => value(i));
  const slope = (name: string) => digits(mean(over((i) => of(name, i).lambda)));
  const fall = (whole: string, without: string) => (i: number) => of(whole, i).lambda - of(without, i).lambda;
  const falls = Object.fromEntries(
    ["IM-01", "HL-01", "CL-01", "SP-03", "AI-01"].map((id) => {
      const by = id === "HL-01" ? fall("roles", "-Chair") : fall(id, `${id} -Chair`);
      return [id, share((i) => by(i) > 0)];
    }),
  );
  return {
    ...{ name: alternative.name, about: alternative.about, D1: digits(mean(over((i) => of("neither", i).D[0]!))) },
    rolesAbove: share((i) => of("roles", i).D.at(-1)! > of("neither", i).D.at(-1)!),
    mixedAbove: share((i) => of("mixed", i).D.at(-1)! > of("neither", i).D.at(-1)!),
    slopes: { neither: slope("neither"), roles: slope("roles"), mixed: slope("mixed"), both: slope("both") },
    falls,
    chairLargest: share((i) =>
      ROLES.every((role) => role === "Chair" || of("-Chair", i).lambda < of(`-${role}`, i).lambda)
    ),
    rightsFall: digits(median(over(fall("roles", "-Rights")))),
    carried: digits(median(over((i) => Math.max(...ROLES.map((role) => carriedBy(of(`-${role}`, i))))))),
    widest: digits(Math.max(...ROLES.flatMap((role) => over((i) => width(of(`-${role}`, i), seeds[i]!, resamples))))),
    "AI-01": slope("AI-01"),
  };
}

type Options = Readonly<Record<"from" | "to" | "replicates" | "resamples", number>>;

/** The largest change of λ̂ by leaving one run out. */
const carriedBy = ({ means, lambda }: Draw): number =>
  Math.max(...means.map((_, i) => Math.abs(drawOf(means.toSpliced(i, 1)).lambda - lambda)));

/** Width of the studentised interval, nats per round. */
function width({ means }: Draw, seed: number, resamples: number): number {
  const { low = NaN, high = NaN } = bootstrapSlope(means, { rng: createRng(seed), resamples });
  return high - low;
}

/** A hash of all that decides the table. */
export const readingsMechanism = async (): Promise<string> =>
  await mechanismHash(
    [await loadSurrogateParameters(), alternatives, READINGS],
    "model/surrogate/",
    "lab/paper/surrogate/",
  );
