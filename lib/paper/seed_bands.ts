import { mean } from "simple-statistics";
import type { SeedLane, SeedPlotOptions } from "../plots/seed_plot.ts";
import type { PreservedSummary } from "../schema/station_summary.ts";
import type { PublishedRun } from "./published_rows.ts";

/** A run on a seed, of whatever origin. */
interface RunOnSeed {
  readonly series: string;
  readonly seed: number;
  readonly label: string;
  readonly q: number;
  readonly stabilized: boolean;
}

/** What one seed cost: for each series its mean q, and that of the runs that stabilised. */
interface SeedMean {
  readonly seed: number;
  readonly series: string;
  readonly runs: number;
  readonly stabilized: number;
  readonly mean: number;
  /** Absent where none stabilised. */
  readonly stabilizedMean?: number;
}

/** Names of the four series, in the order drawn. */
export const SEED_SERIES = {
  live: "published, live",
  floor: "published, no model",
  surrogates: "surrogates here",
  ownFloor: "no model here",
} as const;

/**
 * The runs of each seed, published ones beside ours, for `seedPlot`. Seeds share numbers, not weather: the paper's
 * generator is not public, so the same number is another storm.
 *
 * @param summaries of runs made here; those without a seed or q are left out.
 */
export function seedBands(
  published: readonly PublishedRun[],
  summaries: readonly PreservedSummary[],
): SeedPlotOptions["seeds"] {
  const runs = runsOnSeeds(published, summaries);
  return seedsOf(runs).map((seed) => ({
    label: `seed ${seed}`,
    lanes: Object.values(SEED_SERIES).flatMap((series) => lane(series, runs.filter((run) => run.seed === seed))),
  }));
}

/** The numbers behind `seedBands`, one record a seed and series. */
export function seedMeans(published: readonly PublishedRun[], summaries: readonly PreservedSummary[]): SeedMean[] {
  const runs = runsOnSeeds(published, summaries);
  return Object.values(SEED_SERIES).flatMap((series) =>
    seedsOf(runs).flatMap((seed) => {
      const own = runs.filter((run) => run.series === series && run.seed === seed);
      const stable = own.filter(({ stabilized }) => stabilized);
      return own.length === 0 ? [] : [{
        ...{ seed, series, runs: own.length, stabilized: stable.length, mean: mean(own.map(({ q }) => q)) },
        ...(stable.length > 0 && { stabilizedMean: mean(stable.map(({ q }) => q)) }),
      }];
    })
  );
}

function runsOnSeeds(published: readonly PublishedRun[], summaries: readonly PreservedSummary[]): RunOnSeed[] {
  return [
    ...published.map(({ model, seed, source, row: { q, stabilized } }) => ({
      ...{ series: source === "Table 11" ? SEED_SERIES.live : SEED_SERIES.floor, seed, label: model, q, stabilized },
    })),
    ...summaries.flatMap(({ seed, q, stabilized, model = "unnamed" }) =>
      seed === undefined || q === undefined ? [] : [{
        ...{
          series: model === "none" ? SEED_SERIES.ownFloor : SEED_SERIES.surrogates,
          seed,
          label: model,
          q,
          stabilized,
        },
      }]
    ),
  ];
}

const seedsOf = (runs: readonly RunOnSeed[]): number[] =>
  [...new Set(runs.map(({ seed }) => seed))].toSorted((a, b) => a - b);

function lane(series: string, runs: readonly RunOnSeed[]): SeedLane[] {
  const own = runs.filter((run) => run.series === series);
  if (own.length === 0) return [];
  return [{
    series,
    runs: own.map(({ q, label, stabilized }) => ({ value: q, label, failed: !stabilized })),
    mean: mean(own.map(({ q }) => q)),
  }];
}
