import { z } from "zod";
import { Classification, COMPONENTS } from "../schema/station_summary.ts";
import {
  NOT_PUBLISHED,
  PublishedFlag,
  PublishedFlagOrUnknown,
  publishedNumber,
  publishedNumberOrNone,
  PublishedText,
} from "./published_cell.ts";

const Day = z.iso.date({ error: `must be a date YYYY-MM-DD or "${NOT_PUBLISHED}"` });

/** One batch of logged runs (station paper, Table 9). */
export const PublishedBatchRow = z.strictObject({
  batch: PublishedText.describe("as printed"),
  date: z.literal(NOT_PUBLISHED).transform((): undefined => undefined).or(Day).describe("of the batch"),
  runs: publishedNumber(z.int().min(0)),
  role: PublishedText.describe("in the paper, in our words"),
});
export type PublishedBatchRow = z.infer<typeof PublishedBatchRow>;

const Bound = publishedNumberOrNone(z.number().min(0).max(1));

/** The condition of one outcome class (station paper, Table 5). A bound that is null does not exist. */
export const PublishedClassRow = z.strictObject({
  classification: Classification,
  stabilized: PublishedFlagOrUnknown,
  q_from: Bound.describe("the class begins here"),
  q_below: Bound.describe("and ends before"),
  plan_passed: PublishedFlagOrUnknown.describe("whether at least one plan passed the gate"),
});
export type PublishedClassRow = z.infer<typeof PublishedClassRow>;

/** One of the end states that a binary metric blurs (station paper, Table 2), in our words. */
export const PublishedEndStateRow = z.strictObject({
  end_state: PublishedText.describe("as printed"),
  what_happened: PublishedText,
  why_it_matters: PublishedText,
});
export type PublishedEndStateRow = z.infer<typeof PublishedEndStateRow>;

const Runs = publishedNumber(z.int().min(0));
const Q = publishedNumber(z.number().min(0).max(1));

/** The clean-live runs of one model family (station paper, Table 6). */
export const PublishedModelRow = z.strictObject({
  model: PublishedText.describe("as printed"),
  stabilized: Runs,
  runs: Runs,
  mean_q: Q,
  sd_q: Q.describe("sample standard deviation over seeds"),
  median_q: Q,
  classes: PublishedText.describe("as printed: S strong, A adequate, F failed without a valid plan"),
});
export type PublishedModelRow = z.infer<typeof PublishedModelRow>;

/** One run in which no model acted, only the harness's fallback (station paper, Table 8). */
export const PublishedNoModelRow = z.strictObject({
  seed: publishedNumber(z.int()),
  stabilized: PublishedFlag,
  q: publishedNumber(z.number().min(0).max(1)),
  classification: Classification,
  public_order_margin: publishedNumber(z.number()).describe("public order at the end less 0.35"),
  active_rumors: publishedNumber(z.int().min(0)),
});
export type PublishedNoModelRow = z.infer<typeof PublishedNoModelRow>;

/** One phase of the experiment and its headline result (station paper, Table 3). */
export const PublishedPhaseRow = z.strictObject({
  phase: PublishedText.describe("as printed"),
  stabilized: Runs.describe("runs"),
  runs: Runs,
  glm_stabilized: Runs.describe("of GLM's runs"),
  glm_runs: Runs,
  mean_q: publishedNumber(z.number().min(0).max(1)),
  reading: PublishedText.describe("the paper's interpretation, in our words"),
});
export type PublishedPhaseRow = z.infer<typeof PublishedPhaseRow>;

/** Where a quotation of the station paper comes from (Table 10); every cell as printed. */
export const PublishedQuoteRow = z.strictObject({
  excerpt: PublishedText,
  source_type: z.enum(["Model output", "Scripted event", "Scripted broadcast"]),
  run_id: PublishedText.describe("the run, or many seeds"),
  entity: PublishedText.describe("who said it"),
  source_file: PublishedText.describe("file and line in the paper's evidence package, which is not public"),
});
export type PublishedQuoteRow = z.infer<typeof PublishedQuoteRow>;

/** The letters of Tables 6 and 11. */
const CLASS = {
  S: "BENCHMARK_STRONG",
  A: "BENCHMARK_ADEQUATE",
  F: "FAILED_NO_VALID_PLAN",
} as const satisfies Record<string, Classification>;

const Letter = z.enum(Object.keys(CLASS) as (keyof typeof CLASS)[]);

/** One clean-live run (station paper, Table 11). */
export const PublishedRunRow = z.strictObject({
  model: PublishedText.describe("as printed"),
  seed: publishedNumber(z.int()),
  batch: z.enum(["primary", "cleanup"]),
  q: publishedNumber(z.number().min(0).max(1)),
  class: Letter.transform((letter): Classification => CLASS[letter]).describe("printed as a letter"),
  time_to_first_pass: publishedNumberOrNone(z.int().min(1).max(6)).describe("round; null: no plan passed"),
  passed_count: publishedNumber(z.int().min(0)),
  public_order: publishedNumber(z.number().min(0).max(1)),
  active_rumors: publishedNumber(z.int().min(0)),
});
export type PublishedRunRow = z.infer<typeof PublishedRunRow>;

const Count = publishedNumber(z.int().min(0));

/** The clean-live runs of one seed, over the models (station paper, Table 7). */
export const PublishedSeedRow = z.strictObject({
  seed: publishedNumber(z.int()),
  stabilized: Count.describe("models that stabilised"),
  models: Count,
  mean_q: publishedNumber(z.number().min(0).max(1)),
});
export type PublishedSeedRow = z.infer<typeof PublishedSeedRow>;

/** One field of the interaction condition (station paper, Table 12). */
export const PublishedSettingRow = z.strictObject({
  field: PublishedText.describe("as printed"),
  value: PublishedText.describe("lists as printed, sentences in our words"),
});
export type PublishedSettingRow = z.infer<typeof PublishedSettingRow>;

/** The weight of one component of q (station paper, Table 4). */
export const PublishedWeightRow = z.strictObject({
  component: z.enum(COMPONENTS),
  printed: PublishedText.describe("its name in the table"),
  measures: PublishedText.describe("in our words"),
  weight: publishedNumber(z.number().min(0).max(1)),
});
export type PublishedWeightRow = z.infer<typeof PublishedWeightRow>;
