import { findFact, PublishedFact } from "./published_facts.ts";
import { type PublishedFolder, type PublishedLoader, publishedTable } from "./published_table.ts";
import {
  PublishedBatchRow,
  PublishedClassRow,
  PublishedEndStateRow,
  PublishedModelRow,
  PublishedNoModelRow,
  PublishedPhaseRow,
  PublishedQuoteRow,
  PublishedRunRow,
  PublishedSeedRow,
  PublishedSettingRow,
  PublishedWeightRow,
} from "./station_rows.ts";

// Every loader throws a UserError on a malformed file. What the paper says does not exist, such as the first pass where no
// plan passed, is null.

/** What the old binary metric blurred (Table 2). */
export const loadEndStates: PublishedLoader<PublishedEndStateRow> = publishedTable(
  "station/table_2_end_states.csv",
  PublishedEndStateRow,
);

/** The phases of the experiment and their headline results (Table 3). */
export const loadPhases: PublishedLoader<PublishedPhaseRow> = publishedTable(
  "station/table_3_arc.csv",
  PublishedPhaseRow,
);

/** The components of q and their weights (Table 4). */
export const loadPublishedWeights: PublishedLoader<PublishedWeightRow> = publishedTable(
  "station/table_4_weights.csv",
  PublishedWeightRow,
);

/** The conditions of the outcome classes (Table 5). */
export const loadOutcomeClasses: PublishedLoader<PublishedClassRow> = publishedTable(
  "station/table_5_classes.csv",
  PublishedClassRow,
);

/** Clean-live q by model family (Table 6, without its total: that is the fact `clean-live-stabilized`). */
export const loadModelResults: PublishedLoader<PublishedModelRow> = publishedTable(
  "station/table_6_models.csv",
  PublishedModelRow,
);

/** Clean-live q by seed (Table 7). */
export const loadSeedResults: PublishedLoader<PublishedSeedRow> = publishedTable(
  "station/table_7_seeds.csv",
  PublishedSeedRow,
);

/** The fallback floor: runs without a model (Table 8, without its means: those are facts named `fallback-…`). */
export const loadNoModelRuns: PublishedLoader<PublishedNoModelRow> = publishedTable(
  "station/table_8_no_model.csv",
  PublishedNoModelRow,
);

/** The batches of logged runs (Table 9). */
export const loadBatches: PublishedLoader<PublishedBatchRow> = publishedTable(
  "station/table_9_batches.csv",
  PublishedBatchRow,
);

/** Where the paper's quotations come from (Table 10). */
export const loadQuotes: PublishedLoader<PublishedQuoteRow> = publishedTable(
  "station/quote_provenance.csv",
  PublishedQuoteRow,
);

/** The 30 clean-live runs (Table 11). */
export const loadCleanLiveRuns: PublishedLoader<PublishedRunRow> = publishedTable(
  "station/table_11_runs.csv",
  PublishedRunRow,
);

/** The interaction condition (Table 12). */
export const loadInteraction: PublishedLoader<PublishedSettingRow> = publishedTable(
  "station/table_12_interaction.csv",
  PublishedSettingRow,
);

/** Statements of the station paper's text and single values of its tables. */
export const loadStationFacts: PublishedLoader<PublishedFact> = publishedTable("station/facts.csv", PublishedFact);

/**
 * One stated fact of the station paper by its id.
 *
 * @throws {UserError} when there is none of that id (`exitCode` 2, naming the nearest), or the file is malformed.
 */
export async function loadStationFact(id: string, options: PublishedFolder = {}): Promise<PublishedFact> {
  return findFact(await loadStationFacts(options), id);
}
