import { z } from "zod";
import { PublishedText } from "./published_cell.ts";

/** Where a quotation of the station paper comes from (Table 10); every cell as printed. */
export const PublishedQuoteRow = z.strictObject({
  excerpt: PublishedText,
  source_type: z.enum(["Model output", "Scripted event", "Scripted broadcast"]),
  run_id: PublishedText.describe("the run, or many seeds"),
  entity: PublishedText.describe("who said it"),
  source_file: PublishedText.describe("file and line in the paper's evidence package, which is not public"),
});
export type PublishedQuoteRow = z.infer<typeof PublishedQuoteRow>;
