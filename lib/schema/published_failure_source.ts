import { z } from "zod";
import { PublishedText } from "./published_cell.ts";

/** What the deliberation paper's artifacts can tell of one cause of a missing run (Table S3). */
export const PublishedFailureSourceRow = z.strictObject({
  failure_source: PublishedText.describe("as printed"),
  status: z.enum(["Known", "Partially known", "Unknown"]),
  notes: PublishedText.describe("in our words"),
});
export type PublishedFailureSourceRow = z.infer<typeof PublishedFailureSourceRow>;
