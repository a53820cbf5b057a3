import type { z } from "zod";
import { unknownName } from "../core/unknown_name.ts";
import { PublishedFact } from "../schema/published_fact.ts";
import { PublishedBatchRow } from "../schema/published_station_batch.ts";
import { PublishedClassRow } from "../schema/published_station_class.ts";
import { PublishedEndStateRow } from "../schema/published_station_end_state.ts";
import { PublishedModelRow } from "../schema/published_station_model.ts";
import { PublishedNoModelRow } from "../schema/published_station_no_model.ts";
import { PublishedPhaseRow } from "../schema/published_station_phase.ts";
import { PublishedQuoteRow } from "../schema/published_station_quote.ts";
import { PublishedRunRow } from "../schema/published_station_run.ts";
import { PublishedSeedRow } from "../schema/published_station_seed.ts";
import { PublishedSettingRow } from "../schema/published_station_setting.ts";
import { PublishedWeightRow } from "../schema/published_station_weight.ts";
import { folderUrl } from "./folder_url.ts";
import type { PublishedFolder } from "./published.ts";
import { readCsv } from "./read_csv.ts";

const PUBLISHED = new URL("../../data/published/", import.meta.url);

type Loader<Row extends z.ZodObject> = (options?: PublishedFolder) => Promise<z.output<Row>[]>;

/**
 * A loader of one file of the station paper. A value that the paper does not give is `undefined`; one that it says
 * does not exist, such as the first pass where no plan passed, is null. Throws a UserError on a malformed file.
 */
function table<Row extends z.ZodObject>(file: string, schema: Row): Loader<Row> {
  return async ({ folder = PUBLISHED } = {}) => await readCsv(new URL(`station/${file}`, folderUrl(folder)), schema);
}

/** What the old binary metric blurred (Table 2). */
export const loadEndStates: Loader<typeof PublishedEndStateRow> = table("table_2_end_states.csv", PublishedEndStateRow);

/** The phases of the experiment and their headline results (Table 3). */
export const loadPhases: Loader<typeof PublishedPhaseRow> = table("table_3_arc.csv", PublishedPhaseRow);

/** The components of q and their weights (Table 4). */
export const loadPublishedWeights: Loader<typeof PublishedWeightRow> = table(
  "table_4_weights.csv",
  PublishedWeightRow,
);

/** The conditions of the outcome classes (Table 5). */
export const loadOutcomeClasses: Loader<typeof PublishedClassRow> = table("table_5_classes.csv", PublishedClassRow);

/** Clean-live q by model family (Table 6, without its total: that is the fact `clean-live-stabilized`). */
export const loadModelResults: Loader<typeof PublishedModelRow> = table("table_6_models.csv", PublishedModelRow);

/** Clean-live q by seed (Table 7). */
export const loadSeedResults: Loader<typeof PublishedSeedRow> = table("table_7_seeds.csv", PublishedSeedRow);

/** The fallback floor: runs without a model (Table 8, without its means: those are facts named `fallback-…`). */
export const loadNoModelRuns: Loader<typeof PublishedNoModelRow> = table("table_8_no_model.csv", PublishedNoModelRow);

/** The batches of logged runs (Table 9). */
export const loadBatches: Loader<typeof PublishedBatchRow> = table("table_9_batches.csv", PublishedBatchRow);

/** Where the paper's quotations come from (Table 10). */
export const loadQuotes: Loader<typeof PublishedQuoteRow> = table("quote_provenance.csv", PublishedQuoteRow);

/** The 30 clean-live runs (Table 11). */
export const loadCleanLiveRuns: Loader<typeof PublishedRunRow> = table("table_11_runs.csv", PublishedRunRow);

/** The interaction condition (Table 12). */
export const loadInteraction: Loader<typeof PublishedSettingRow> = table(
  "table_12_interaction.csv",
  PublishedSettingRow,
);

/** Statements of the station paper's text and single values of its tables. */
export const loadStationFacts: Loader<typeof PublishedFact> = table("facts.csv", PublishedFact);

/**
 * One stated fact of the station paper by its id.
 *
 * @throws {UserError} when there is none of that id (`exitCode` 2, naming the nearest), or the file is malformed.
 */
export async function loadStationFact(id: string, options: PublishedFolder = {}): Promise<PublishedFact> {
  const facts = await loadStationFacts(options);
  const fact = facts.find((fact) => fact.id === id);
  if (fact === undefined) throw unknownName("published fact", id, facts.map(({ id }) => id));
  return fact;
}
