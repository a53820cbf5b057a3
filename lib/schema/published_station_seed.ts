import { z } from "zod";
import { publishedNumber } from "./published_cell.ts";

const Count = publishedNumber(z.int().min(0));

/** The clean-live runs of one seed, over the models (station paper, Table 7). */
export const PublishedSeedRow = z.strictObject({
  seed: publishedNumber(z.int()),
  stabilized: Count.describe("models that stabilised"),
  models: Count,
  mean_q: publishedNumber(z.number().min(0).max(1)),
});
export type PublishedSeedRow = z.infer<typeof PublishedSeedRow>;
