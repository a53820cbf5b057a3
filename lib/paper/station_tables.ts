import { type With, withCells } from "./published_cell.ts";
import type { PublishedFact } from "./published_facts.ts";
import {
  loadBatches,
  loadCleanLiveRuns,
  loadModelResults,
  loadNoModelRuns,
  loadPhases,
  loadSeedResults,
  loadStationFacts,
} from "./published_station.ts";
import type { PublishedFolder } from "./published_table.ts";
import type {
  PublishedBatchRow,
  PublishedModelRow,
  PublishedNoModelRow,
  PublishedPhaseRow,
  PublishedRunRow,
  PublishedSeedRow,
} from "./station_rows.ts";

type RunCell = "model" | "seed" | "q" | "time_to_first_pass" | "passed_count" | "public_order" | "active_rumors";

/** A clean-live run of Table 11; a first pass of null says that no plan passed. */
export type LiveRun = With<PublishedRunRow, RunCell> & { readonly stabilized: boolean };
/** A run without a model, of Table 8. */
export type FloorRun = With<PublishedNoModelRow, "seed" | "q" | "public_order_margin" | "active_rumors">;
/** A model family of Table 6. */
export type ModelRow = With<PublishedModelRow, "stabilized" | "runs" | "mean_q" | "sd_q" | "median_q">;
/** A seed of Table 7. */
export type SeedRow = With<PublishedSeedRow, "seed" | "stabilized" | "models" | "mean_q">;
/** A batch of Table 9. */
export type BatchRow = With<PublishedBatchRow, "runs">;

/** What the station paper publishes of its runs, as far as tables are recomputed and claims checked from it. */
export interface StationTables {
  readonly runs: readonly LiveRun[];
  readonly floor: readonly FloorRun[];
  readonly models: readonly ModelRow[];
  readonly seeds: readonly SeedRow[];
  readonly phases: readonly PublishedPhaseRow[];
  readonly batches: readonly BatchRow[];
  readonly facts: readonly PublishedFact[];
}

/** The file in `data/published/` that each table comes from. */
export const STATION_TABLE_FILES: Readonly<Record<keyof StationTables, string>> = Object.freeze({
  runs: "station/table_11_runs.csv",
  floor: "station/table_8_no_model.csv",
  models: "station/table_6_models.csv",
  seeds: "station/table_7_seeds.csv",
  phases: "station/table_3_arc.csv",
  batches: "station/table_9_batches.csv",
  facts: "station/facts.csv",
});

/**
 * The tables of the station paper that tables are recomputed and claims checked from.
 *
 * @throws {UserError} on a malformed file, and on a cell that says `not published` where a number is needed.
 */
export async function loadStationTables(options: PublishedFolder = {}): Promise<StationTables> {
  const [runs, floor, models, seeds, phases, batches, facts] = await Promise.all([
    loadCleanLiveRuns(options),
    loadNoModelRuns(options),
    loadModelResults(options),
    loadSeedResults(options),
    loadPhases(options),
    loadBatches(options),
    loadStationFacts(options),
  ]);
  const published = <Row extends object, Name extends keyof Row & string>(
    rows: readonly Row[],
    table: keyof StationTables,
    cells: readonly Name[],
  ) => withCells(rows, { file: STATION_TABLE_FILES[table], cells });
  return {
    runs: published(runs, "runs", RUN_CELLS).map((run) => ({ ...run, stabilized: !run.class.startsWith("FAILED") })),
    floor: published(floor, "floor", ["seed", "q", "public_order_margin", "active_rumors"]),
    models: published(models, "models", ["stabilized", "runs", "mean_q", "sd_q", "median_q"]),
    seeds: published(seeds, "seeds", ["seed", "stabilized", "models", "mean_q"]),
    phases,
    batches: published(batches, "batches", ["runs"]),
    facts,
  };
}

const RUN_CELLS = [
  ...["model", "seed", "q", "time_to_first_pass", "passed_count", "public_order", "active_rumors"] as const,
];
