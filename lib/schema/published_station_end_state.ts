import { z } from "zod";
import { PublishedText } from "./published_cell.ts";

/** One of the end states that a binary metric blurs (station paper, Table 2), in our words. */
export const PublishedEndStateRow = z.strictObject({
  end_state: PublishedText.describe("as printed"),
  what_happened: PublishedText,
  why_it_matters: PublishedText,
});
export type PublishedEndStateRow = z.infer<typeof PublishedEndStateRow>;
