import { createRng } from "../core/rng.ts";
import { type Measurement, measureRuns } from "../runs/measure_runs.ts";
import { diffusiveNull } from "../stats/diffusive_null.ts";
import { GROWTH_LAWS, type GrowthLaw } from "../stats/growth_law_fits.ts";
import { type GrowthLawFit, growthLaws } from "../stats/growth_laws.ts";
import type { UndefinedReason } from "../stats/input_checks.ts";
import type { Trajectory } from "../stats/trajectory.ts";

/** One condition's growth: its slope with both usual tests, its laws, and the diffusive null. */
interface GrowthStudy {
  readonly label: string;
  readonly measured: Measurement;
  readonly laws: readonly GrowthLawFit[];
  /** The law that fits best, or why none was fitted. */
  readonly best?: GrowthLaw;
  readonly reason?: UndefinedReason;
  /** Share of resamples in which each law is the best; empty where none was fitted. */
  readonly shares: Readonly<Partial<Record<GrowthLaw, number>>>;
  readonly diffusive: { readonly p?: number; readonly draws: readonly number[]; readonly reason?: UndefinedReason };
}

/**
 * Everything this project has to say on how the replicates of one condition part.
 *
 * @param runs R replicates of committee means, each [20][K]; the window is rounds 3 to 20.
 * @throws {RangeError} as the estimators do.
 */
export function growthStudy(
  label: string,
  runs: readonly Trajectory[],
  { seed, resamples, permutations }: { seed: number; resamples: number; permutations: number },
): GrowthStudy {
  const rng = createRng(seed);
  const { laws, best, reason } = growthLaws(runs, { rng, resamples });
  return {
    label,
    measured: measureRuns(runs, { seed, resamples, permutations }),
    laws,
    ...(best && { best }),
    ...(reason && { reason }),
    shares: Object.fromEntries(laws.map(({ law, share }) => [law, share])),
    diffusive: diffusiveNull(runs, { rng, permutations }),
  };
}

/** How many conditions each law fits best, those without any left out; in the order of `GROWTH_LAWS`. */
export function bestLaws(studies: readonly GrowthStudy[]): { law: GrowthLaw; conditions: number }[] {
  return GROWTH_LAWS.map((law) => ({ law, conditions: studies.filter(({ best }) => best === law).length }))
    .filter(({ conditions }) => conditions > 0);
}
