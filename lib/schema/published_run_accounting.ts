import { z } from "zod";
import { publishedNumber, PublishedText } from "./published_cell.ts";

const Runs = publishedNumber(z.int().min(0));

/** One row of the deliberation paper's run accounting (Table S1); the condition is worded as printed. */
export const PublishedRunAccountingRow = z.strictObject({
  group: PublishedText,
  condition: PublishedText,
  target: Runs,
  realised: Runs,
  deficit: Runs.describe("target minus realised, as printed"),
});
export type PublishedRunAccountingRow = z.infer<typeof PublishedRunAccountingRow>;
