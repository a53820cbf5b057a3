import { z } from "zod";
import { publishedNumber, PublishedText } from "./published_cell.ts";

/**
 * One statement of a paper's text or captions. `value` is a single number, `low` and `high` are the printed bounds
 * of a range; what the paper gives in words alone has none of them.
 */
export const PublishedFact = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, "must be lower case with hyphens"),
  value: publishedNumber(z.number()),
  low: publishedNumber(z.number()),
  high: publishedNumber(z.number()),
  unit: PublishedText,
  statement: PublishedText.describe("what is stated, in our words"),
  source: PublishedText.describe("section, table or figure"),
});
export type PublishedFact = z.infer<typeof PublishedFact>;
