import {
  loadBatches,
  loadCleanLiveRuns,
  loadModelResults,
  loadNoModelRuns,
  loadPhases,
  loadSeedResults,
  loadStationFacts,
} from "./published_station.ts";
import { filesOf, loadTables, needing, type PublishedFolder, type Tables } from "./published_table.ts";

/** Tables are recomputed and claims checked from these; no cell that is used may be missing. */
const TABLES = {
  runs: needing(
    loadCleanLiveRuns,
    ...["model", "seed", "q", "time_to_first_pass", "passed_count", "public_order", "active_rumors"] as const,
  ),
  floor: needing(loadNoModelRuns, "seed", "q", "public_order_margin", "active_rumors"),
  models: needing(loadModelResults, "stabilized", "runs", "mean_q", "sd_q", "median_q"),
  seeds: needing(loadSeedResults, "seed", "stabilized", "models", "mean_q"),
  phases: loadPhases,
  batches: needing(loadBatches, "runs"),
  facts: loadStationFacts,
};

type Printed = Tables<typeof TABLES>;

/** A clean-live run of Table 11; a first pass of null says that no plan passed. */
export type LiveRun = Printed["runs"][number] & { readonly stabilized: boolean };
/** A run without a model, of Table 8. */
export type FloorRun = Printed["floor"][number];
/** A model family of Table 6. */
export type ModelRow = Printed["models"][number];
/** A seed of Table 7. */
export type SeedRow = Printed["seeds"][number];

/** What the station paper publishes of its runs, as far as tables are recomputed and claims checked from it. */
export interface StationTables extends Omit<Printed, "runs"> {
  readonly runs: readonly LiveRun[];
}

/** The file in `data/published/` that each table comes from. */
export const STATION_TABLE_FILES = filesOf(TABLES);

/**
 * The tables of the station paper that tables are recomputed and claims checked from.
 *
 * @throws {UserError} on a malformed file, and on a cell that says `not published` where a number is needed.
 */
export async function loadStationTables(options: PublishedFolder = {}): Promise<StationTables> {
  const { runs, ...others } = await loadTables(TABLES, options);
  return { ...others, runs: runs.map((run) => ({ ...run, stabilized: !run.class.startsWith("FAILED") })) };
}
