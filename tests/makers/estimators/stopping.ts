import { known } from "@/core/options.ts";
import type { Rng } from "@/core/rng.ts";
import { lookAtGrowth, type LookedAt, lookSizes, POCOCK_LEVELS } from "@/stats/looks.ts";
import { type Recipe, RECIPES } from "./recipes.ts";
import { holds, type Regime, type Seen, studyHash } from "./study.ts";

/** Runs of the whole design, as many as conditions have by default. */
export const STOPPING = { replicates: 20, resamples: 1000 } as const;

/** Numbers of looks that are studied. */
const DESIGNS = [2, 4, 6] as const;

export const stoppingHash = (): Promise<string> => studyHash(import.meta.url);

/**
 * One ensemble under designs of so many looks, each of which reads the same runs. `4 looks: stops`: at one of them p was at
 * or below the level; `ends at 10`: runs there were then; `given` and `holds`: the interval of a fixed number of runs, at the
 * end of the design, is there and holds the slope; `stopped holds`: it does after a stop. The estimate is that of 4 looks.
 */
function look({ draw, lambda, kind }: Recipe, rng: Rng): Seen {
  const { replicates, resamples } = STOPPING, runs = draw(rng.fork("runs"), replicates);
  const facts: string[] = [];
  let miss: number | undefined;
  for (const against of kind === "still" ? ["zero"] as const : ["zero", "walk"] as const) {
    const seen = new Map<number, LookedAt>();
    const at = (n: number) =>
      seen.get(n) ?? seen.set(n, lookAtGrowth(runs.slice(0, n), { rng: rng.fork(n), resamples, against })).get(n)!;
    for (const looks of DESIGNS) {
      const sizes = lookSizes({ looks, replicates });
      const stop = sizes.find((n) => (at(n).p ?? 1) <= POCOCK_LEVELS[looks]), end = at(stop ?? replicates);
      const held = holds(end, lambda);
      if (against === "zero" && looks === 4 && end.lambda !== undefined) miss = end.lambda - lambda;
      const names = {
        "stops": stop !== undefined,
        [`ends at ${stop ?? replicates}`]: true,
        "given": end.low !== undefined,
        "holds": held,
        "stopped holds": held && stop !== undefined,
        "peeking": against === "zero" && sizes.some((n) => (at(n).p ?? 1) <= 0.05),
      };
      const words = `${looks} looks${against === "walk" ? " against a walk" : ""}`;
      facts.push(...Object.entries(names).flatMap(([name, is]) => is ? [`${words}: ${name}`] : []));
    }
    if (against === "zero" && (at(replicates).p ?? 1) <= 0.05) facts.push("fixed finds it");
  }
  return { true: facts, ...known({ miss }) };
}

const NAMES = ["independent rounds", "AR(1) 0.95", "random walk", "exponential 0.03", "exponential 0.08"];

/** All that is studied. */
export function stoppingRegimes(): Promise<Regime[]> {
  const recipes = NAMES.map((name) => RECIPES.find(({ label }) => label === name)!);
  return Promise.resolve(recipes.map((recipe) => ({
    ...{ label: recipe.label, replicates: [STOPPING.replicates], truth: recipe.lambda },
    look: (rng) => look(recipe, rng),
  })));
}
