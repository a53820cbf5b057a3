import { createRng } from "../../core/rng.ts";
import { type BootstrapSlope, bootstrapSlope } from "../../stats/bootstrap_slope.ts";
import { type GrowthLaws, growthLaws } from "../../stats/growth_laws.ts";
import type { RoundWindow } from "../../stats/round_window.ts";
import { slopeDifference } from "../../stats/slope_contrast.ts";
import type { Trajectory } from "../../stats/trajectory.ts";

/** The complete runs of a condition. */
export interface Group {
  /** As its ledger is called: its resampling's chance is forked from it. */
  readonly name: string;
  /** Shape [R][T][K], R ≥ 2. */
  readonly means: readonly Trajectory[];
}

export interface MeasureOptions extends RoundWindow {
  /** Master seed. */
  readonly seed: number;
  readonly resamples: number;
  /** Runs of the reader's own, which are compared with nothing. */
  readonly beside?: Group | undefined;
}

/** What takes resampling. */
export interface Measures {
  /** In the order of the groups, those beside last. */
  readonly slopes: readonly { readonly bootstrap: BootstrapSlope; readonly laws: GrowthLaws }[];
  /** λ̂ of the first less that of the second; absent where there is one condition. */
  readonly difference?: ReturnType<typeof slopeDifference> | undefined;
}

/** Intervals, laws of growth and the difference, by the same streams of chance as in the notebooks. */
export function measure(groups: readonly Group[], { seed, resamples, from, to, beside }: MeasureOptions): Measures {
  const options = (fork: string) => ({ rng: createRng(seed).fork(fork), resamples, from, to });
  const [first, second] = groups;
  return {
    slopes: [...groups, ...(beside ? [beside] : [])].map(({ name, means }) => {
      const { draws: _, ...bootstrap } = bootstrapSlope(means, options(name));
      return { bootstrap: { ...bootstrap, draws: [] }, laws: growthLaws(means, options(name)) };
    }),
    ...(second && { difference: slopeDifference(first!.means, second.means, options("difference")) }),
  };
}
