import { z } from "zod";
import { publishedNumber, PublishedText } from "./published_cell.ts";

const Runs = publishedNumber(z.int().min(0));

/** One phase of the experiment and its headline result (station paper, Table 3). */
export const PublishedPhaseRow = z.strictObject({
  phase: PublishedText.describe("as printed"),
  stabilized: Runs.describe("runs"),
  runs: Runs,
  glm_stabilized: Runs.describe("of GLM's runs"),
  glm_runs: Runs,
  mean_q: publishedNumber(z.number().min(0).max(1)),
  reading: PublishedText.describe("the paper's interpretation, in our words"),
});
export type PublishedPhaseRow = z.infer<typeof PublishedPhaseRow>;
