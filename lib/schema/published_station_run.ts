import { z } from "zod";
import { publishedNumber, PublishedText } from "./published_cell.ts";
import { publishedNumberOrNone } from "./published_station_cell.ts";
import type { Classification } from "./station_summary.ts";

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
