import { z } from "zod";
import { RESCORING_SCHEMA } from "@/lab/runs/rescoring.ts";
import { Provenance } from "@/schema/ledger_line.ts";
import { Classification, OwnComponents, PreservedSummary } from "@/schema/station_summary.ts";

const level = z.number().min(0).max(1);

const Scored = z.strictObject({
  q: level.optional(),
  classification: Classification.optional(),
  rank: z.int().min(1).optional().describe("among all rows; 1 is the largest q"),
  gained: z.int().optional().describe("ranks gained, among the rows with a q both before and now"),
  contributions: z.record(z.string(), level).describe("weight times component, of those that are used and known"),
});

/** One summary under the weights of the record; fields as in `rescore`. */
const RescoringRow = z.strictObject({
  ...Scored.shape,
  name: z.string().describe("file and line of the summary, from the folder of the record"),
  ...PreservedSummary.pick({ run_id: true, seed: true, model: true, ruleset: true, synthetic: true }).shape,
  old: Scored.describe("as preserved; contributions under the published weights"),
  reason: z.enum(["missing-components", "ungoverned"]).optional().describe("why there is no q"),
  missing: z.array(z.string()).optional().describe("components that the weights use and the summary lacks"),
});

/**
 * `rescored-….json`: preserved summaries under other weights or thresholds, beside the summaries. The summaries stay as
 * they were; this says what else they would have been called.
 */
export const Rescoring = z.strictObject({
  schema: z.literal(RESCORING_SCHEMA),
  made: Provenance,
  weights: z.record(z.string(), z.number().min(0)).describe("as used, so they sum to 1"),
  components: OwnComponents.optional().describe("of one's own, as declared"),
  thresholds: z.strictObject({ strong: z.number(), adequate: z.number() }),
  normalised: z.boolean().describe("the weights were divided by their sum"),
  inputs: z.strictObject({
    hash: z.string().regex(/^[0-9a-f]{64}$/, { error: "must be 64 hexadecimal digits" })
      .describe("SHA-256 of the files that were read, one after another, in the order of the rows"),
    count: z.int().min(1).describe("summaries, and rows"),
    source: z.array(z.string()).min(1).describe("what was named to be scored, from the folder of the record"),
  }),
  rows: z.array(RescoringRow),
});
