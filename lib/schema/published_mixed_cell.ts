import { z } from "zod";
import { PublishedFlag, publishedNumber, PublishedScenarioId } from "./published_cell.ts";

/** One cell of a mixed line-up at T = 0 (deliberation paper, Fig. 4). */
export const PublishedMixedCellRow = z.strictObject({
  scenario: PublishedScenarioId,
  roles: PublishedFlag,
  lambda: publishedNumber(z.number()).describe("nats per round; the text gives HL-01's alone"),
  n: publishedNumber(z.int().min(0)).describe("runs"),
});
export type PublishedMixedCellRow = z.infer<typeof PublishedMixedCellRow>;
