import { z } from "zod";
import { NOT_PUBLISHED, publishedNumber, PublishedText } from "./published_cell.ts";

/** One batch of logged runs (station paper, Table 9). */
export const PublishedBatchRow = z.strictObject({
  batch: PublishedText.describe("as printed"),
  date: z.iso.date().or(z.literal(NOT_PUBLISHED).transform(() => undefined)).describe("of the batch, YYYY-MM-DD"),
  runs: publishedNumber(z.int().min(0)),
  role: PublishedText.describe("in the paper, in our words"),
});
export type PublishedBatchRow = z.infer<typeof PublishedBatchRow>;
