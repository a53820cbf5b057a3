import { z } from "zod";
import { NOT_PUBLISHED, publishedNumber, PublishedText } from "./published_cell.ts";

const Day = z.iso.date({ error: `must be a date YYYY-MM-DD or "${NOT_PUBLISHED}"` });

/** One batch of logged runs (station paper, Table 9). */
export const PublishedBatchRow = z.strictObject({
  batch: PublishedText.describe("as printed"),
  date: z.literal(NOT_PUBLISHED).transform((): undefined => undefined).or(Day).describe("of the batch"),
  runs: publishedNumber(z.int().min(0)),
  role: PublishedText.describe("in the paper, in our words"),
});
export type PublishedBatchRow = z.infer<typeof PublishedBatchRow>;
