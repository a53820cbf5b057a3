import { z } from "zod";
import { Classification } from "../schema/station_summary.ts";
import { COMPONENTS } from "../schema/quality_names.ts";
import {
  filesOf,
  findFact,
  loadTables,
  needing,
  NOT_PUBLISHED,
  type Printed,
  PublishedFact,
  PublishedFlag as Flag,
  PublishedFlagOrUnknown as FlagOrUnknown,
  type PublishedFolder,
  publishedNumber,
  publishedNumberOrNone,
  publishedTable,
  PublishedText as Text,
  type Tables,
} from "./published_table.ts";

// What the paper says does not exist, such as the first pass where no plan passed, is null.

const Count = publishedNumber(z.int().min(0));
const Seed = publishedNumber(z.int());
/** A value of q, of one of its components or of a level. */
const Unit = publishedNumber(z.number().min(0).max(1));

/** Place where a run is printed, and the rules that all printed runs were played by. */
const printedIn = (source: string): Printed & { ruleset: "v2" } => ({ ruleset: "v2", source, synthetic: false });

/** The effect of a round's end on each element of a run (Table 1), in our words. */
export const loadRoundEffects = publishedTable("station/table_1_inside_a_run.csv", {
  element: Text.describe("as printed"),
  end_of_round_effect: Text,
});

/** The distinctions that the old binary metric blurred (Table 2), in our words. */
export const loadEndStates = publishedTable("station/table_2_end_states.csv", {
  end_state: Text.describe("as printed"),
  what_happened: Text,
  why_it_matters: Text,
});

/** The phases of the experiment and their headline results (Table 3). */
export const loadPhases = publishedTable("station/table_3_arc.csv", {
  phase: Text.describe("as printed"),
  stabilized: Count.describe("runs"),
  runs: Count,
  glm_stabilized: Count.describe("of GLM's runs"),
  glm_runs: Count,
  mean_q: Unit,
  reading: Text.describe("the paper's interpretation, in our words"),
});

/** The components of q and their weights (Table 4). */
export const loadPublishedWeights = publishedTable("station/table_4_weights.csv", {
  component: z.enum(COMPONENTS),
  printed: Text.describe("its name in the table"),
  measures: Text.describe("in our words"),
  weight: Unit,
});

const Bound = publishedNumberOrNone(z.number().min(0).max(1));

/** The conditions of the outcome classes (Table 5). A bound that is null does not exist. */
export const loadOutcomeClasses = publishedTable("station/table_5_classes.csv", {
  classification: Classification,
  stabilized: FlagOrUnknown,
  q_from: Bound.describe("the class begins here"),
  q_below: Bound.describe("and ends before"),
  plan_passed: FlagOrUnknown.describe("whether at least one plan passed the gate"),
});

/** Clean-live q by model family (Table 6, without its total: that is the fact `clean-live-stabilized`). */
export const loadModelResults = publishedTable("station/table_6_models.csv", {
  model: Text.describe("as printed"),
  stabilized: Count,
  runs: Count,
  mean_q: Unit,
  sd_q: Unit.describe("sample standard deviation over seeds"),
  median_q: Unit,
  classes: Text.describe("as printed: S strong, A adequate, F failed without a valid plan"),
});

/** Clean-live q by seed, over the models (Table 7). */
export const loadSeedResults = publishedTable("station/table_7_seeds.csv", {
  seed: Seed,
  stabilized: Count.describe("models that stabilised"),
  models: Count,
  mean_q: Unit,
});

/** The fallback floor: runs without a model (Table 8, without its means: those are facts named `fallback-…`). */
export const loadNoModelRuns = publishedTable("station/table_8_no_model.csv", {
  seed: Seed,
  stabilized: Flag,
  q: Unit,
  classification: Classification,
  public_order_margin: publishedNumber(z.number()).describe("public order at the end less 0.35"),
  active_rumors: Count,
}, () => ({ model: "none", ...printedIn("Table 8") }));
export type PublishedNoModelRow = z.output<typeof loadNoModelRuns.schema>;

const Day = z.iso.date({ error: `must be a date YYYY-MM-DD or "${NOT_PUBLISHED}"` });

/** The batches of logged runs (Table 9). */
export const loadBatches = publishedTable("station/table_9_batches.csv", {
  batch: Text.describe("as printed"),
  date: z.literal(NOT_PUBLISHED).transform((): undefined => undefined).or(Day).describe("of the batch"),
  runs: Count,
  role: Text.describe("in the paper, in our words"),
});

/** Sources of the paper's quotations (Table 10); every cell as printed. */
export const loadQuotes = publishedTable("station/quote_provenance.csv", {
  excerpt: Text,
  source_type: z.enum(["Model output", "Scripted event", "Scripted broadcast"]),
  run_id: Text.describe("the run, or many seeds"),
  entity: Text.describe("who said it"),
  source_file: Text.describe("file and line in the paper's evidence package, which is not public"),
});

/** The letters of Tables 6 and 11. */
const CLASS = {
  S: "BENCHMARK_STRONG",
  A: "BENCHMARK_ADEQUATE",
  F: "FAILED_NO_VALID_PLAN",
} as const satisfies Record<string, Classification>;

const Letter = z.enum(Object.keys(CLASS) as (keyof typeof CLASS)[]);

/** The 30 clean-live runs (Table 11). */
export const loadCleanLiveRuns = publishedTable("station/table_11_runs.csv", {
  model: Text.describe("as printed"),
  seed: Seed,
  batch: z.enum(["primary", "cleanup"]),
  q: Unit,
  class: Letter.transform((letter): Classification => CLASS[letter]).describe("printed as a letter"),
  time_to_first_pass: publishedNumberOrNone(z.int().min(1).max(6)).describe("round; null: no plan passed"),
  passed_count: Count,
  public_order: Unit,
  active_rumors: Count,
}, () => printedIn("Table 11"));
export type PublishedRunRow = z.output<typeof loadCleanLiveRuns.schema>;

/** The interaction condition (Table 12). */
export const loadInteraction = publishedTable("station/table_12_interaction.csv", {
  field: Text.describe("as printed"),
  value: Text.describe("lists as printed, sentences in our words"),
});

/** Statements of the station paper's text and single values of its tables. */
export const loadStationFacts = publishedTable("station/facts.csv", PublishedFact.shape);

/**
 * One stated fact of the station paper by its id.
 *
 * @throws {UserError} when there is none of that id (`exitCode` 2, naming the nearest), or the file is malformed.
 */
export async function loadStationFact(id: string, options: PublishedFolder = {}): Promise<PublishedFact> {
  return findFact(await loadStationFacts(options), id);
}

/** Tables are recomputed and claims checked from these; no cell that is used may be missing. */
const TABLES = {
  runs: needing(
    loadCleanLiveRuns,
    ...["model", "seed", "q", "time_to_first_pass", "passed_count", "public_order", "active_rumors"] as const,
  ),
  floor: needing(loadNoModelRuns, "seed", "q", "public_order_margin", "active_rumors"),
  models: needing(loadModelResults, "stabilized", "runs", "mean_q", "sd_q", "median_q"),
  seeds: needing(loadSeedResults, "seed", "stabilized", "models", "mean_q"),
  weights: needing(loadPublishedWeights, "weight"),
  phases: loadPhases,
  batches: needing(loadBatches, "runs"),
  facts: loadStationFacts,
};

type TablesRead = Tables<typeof TABLES>;

/** A clean-live run of Table 11; a first pass of null says that no plan passed. */
export type LiveRun = TablesRead["runs"][number] & { readonly stabilized: boolean };
/** A run without a model, of Table 8. */
export type FloorRun = TablesRead["floor"][number];

/** The tables of the station paper that claims are checked and tables recomputed from. */
export interface StationTables extends Omit<TablesRead, "runs"> {
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
