import { mean, median, sampleStandardDeviation } from "simple-statistics";
import { CLASSIFICATIONS, type StationSummary } from "../schema/station_summary.ts";
import type { CsvRow } from "../storage/station_csv.ts";

/** Runs of one council under one ruleset. */
export interface CouncilAggregate {
  readonly council: string;
  readonly ruleset: string;
  readonly synthetic: boolean;
  readonly summaries: readonly StationSummary[];
  readonly n: number;
  readonly stabilized: number;
  readonly q: { readonly mean: number; readonly sd?: number; readonly median: number };
  /** Share of all turns that the clerk took, in [0, 1]. */
  readonly fallbackShare: number;
  /** Plans put up by the council, and how many of them could be read. */
  readonly proposals: { readonly filed: number; readonly rawValid: number; readonly normalisedValid: number };
  /** Mean q less that of the runs without a model, over the seeds that both have; absent where there are none. */
  readonly aboveFloor?: { readonly mean: number; readonly seeds: number };
}

/** A batch split into what was governed and what was not. */
export interface StationAggregate {
  /** Runs in which some role acted for itself, by council and ruleset, in the order of the alphabet: no ranking. */
  readonly councils: readonly CouncilAggregate[];
  /** Runs without a single action of a council's own, whatever their label: the no-model floor. */
  readonly floor?: CouncilAggregate;
  readonly fallbackShare: number;
}

/**
 * The comparison of a batch. A run without any action of its own is evidence about the clerk alone, so it counts as the
 * floor and never as its council's; `floor.summaries` still say whose label it bore.
 */
export function aggregateStation(summaries: readonly StationSummary[]): StationAggregate {
  const idle = summaries.filter(({ model_actions }) => model_actions === 0);
  const governed = Map.groupBy(
    summaries.filter(({ model_actions }) => model_actions > 0),
    ({ model, ruleset, synthetic }) => JSON.stringify([model, ruleset, synthetic]),
  );
  const floor = idle.length > 0 ? aggregate(idle, []) : undefined;
  const councils = [...governed.values()].map((own) => aggregate(own, idle));
  return {
    councils: councils.toSorted((a, b) => compare(a.council, b.council) || compare(a.ruleset, b.ruleset)),
    ...(floor &&
      {
        floor: { ...floor, council: "no model", ruleset: [...new Set(idle.map(({ ruleset }) => ruleset))].join("; ") },
      }),
    fallbackShare: fallbackShare(summaries),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Share of the turns of some runs that the clerk took; 0 turns are not asked for. */
function fallbackShare(summaries: readonly StationSummary[]): number {
  const clerk = sum(summaries, ({ fallback_actions }) => fallback_actions);
  return clerk / (clerk + sum(summaries, ({ model_actions }) => model_actions));
}

function aggregate(summaries: readonly StationSummary[], floor: readonly StationSummary[]): CouncilAggregate {
  const { model, ruleset, synthetic } = summaries[0]!;
  const q = summaries.map(({ q }) => q);
  const gaps = summaries.flatMap(({ seed, q }) => {
    const below = floor.filter((one) => one.seed === seed).map(({ q }) => q);
    return below.length > 0 ? [q - mean(below)] : [];
  });
  return {
    council: model,
    ruleset,
    synthetic,
    summaries,
    n: summaries.length,
    stabilized: summaries.filter(({ stabilized }) => stabilized).length,
    q: { mean: mean(q), ...(q.length > 1 && { sd: sampleStandardDeviation(q) }), median: median(q) },
    fallbackShare: fallbackShare(summaries),
    proposals: {
      filed: sum(summaries, ({ proposals }) => proposals.filed),
      rawValid: sum(summaries, ({ proposals }) => proposals.raw_valid),
      normalisedValid: sum(summaries, ({ proposals }) => proposals.normalised_valid),
    },
    ...(gaps.length > 0 && { aboveFloor: { mean: mean(gaps), seeds: gaps.length } }),
  };
}

const sum = (summaries: readonly StationSummary[], pick: (one: StationSummary) => number): number =>
  summaries.reduce((total, one) => total + pick(one), 0);

/** The councils, and the floor last, as rows of a table. */
export function councilRows({ councils, floor }: StationAggregate): CsvRow[] {
  return [...councils, ...(floor ? [floor] : [])].map((one) => ({
    council: one.council,
    ruleset: one.ruleset,
    synthetic: one.synthetic,
    runs: one.n,
    stabilized: one.stabilized,
    q_mean: one.q.mean,
    q_sd: one.q.sd,
    q_median: one.q.median,
    q_above_floor: one.aboveFloor?.mean,
    seeds_shared_with_floor: one.aboveFloor?.seeds ?? 0,
    fallback_share: one.fallbackShare,
    plans_filed: one.proposals.filed,
    plans_raw_valid: one.proposals.rawValid,
    plans_normalised_valid: one.proposals.normalisedValid,
    ...Object.fromEntries(
      CLASSIFICATIONS.map((
        name,
      ) => [name, one.summaries.filter(({ classification }) => classification === name).length]),
    ),
  }));
}

/** Every run as a row of a table: what a summary says, without its nested parts. */
export function runRows(summaries: readonly StationSummary[]): CsvRow[] {
  return summaries.map(({ components, fallback_reasons, proposals, degraded_rounds, made, schema: _, ...flat }) => ({
    ...flat,
    plans_filed: proposals.filed,
    plans_raw_valid: proposals.raw_valid,
    plans_normalised_valid: proposals.normalised_valid,
    plans_infeasible: proposals.infeasible,
    degraded_rounds: degraded_rounds.join(" "),
    fallback_reasons: Object.entries(fallback_reasons).map(([cause, n]) => `${cause}: ${n}`).join("; "),
    ...Object.fromEntries(Object.entries(components).map(([name, value]) => [`component_${name}`, value])),
    library: made.library,
  }));
}

/** Seeds as rows of a table, over the runs in which a council acted. */
export function seedRows({ councils }: StationAggregate): CsvRow[] {
  const seeds = Map.groupBy(councils.flatMap(({ summaries }) => summaries), ({ seed }) => seed);
  return [...seeds].toSorted(([a], [b]) => a - b).map(([seed, own]) => ({
    seed,
    runs: own.length,
    stabilized: own.filter(({ stabilized }) => stabilized).length,
    q_mean: mean(own.map(({ q }) => q)),
  }));
}
