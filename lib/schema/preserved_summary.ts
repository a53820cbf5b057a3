import { z } from "zod";
import { Classification, Components } from "./station_summary.ts";

const level = z.number().min(0).max(1);

const NO_COMPONENTS = "is missing: a re-scoring reads the components that were stored; add them, as " +
  "qualityOfSurvival(summary).components gives them from the raw values";

/**
 * What a re-scoring reads of a `final_summary.json`, of this library or of another harness with the paper's names.
 *
 * Everything else in the file is ignored. A component that is absent is not known, which is neither 0 nor 1; a name that
 * is no component is refused. `q` and `classification` are those of the time.
 */
export const PreservedSummary = z.object({
  schema: z.string().optional().superRefine((schema, { addIssue }) => {
    const message = refusal(schema);
    if (message !== undefined) addIssue({ code: "custom", message });
  }),
  run_id: z.string().optional(),
  seed: z.int().optional(),
  model: z.string().optional(),
  ruleset: z.string().optional(),
  synthetic: z.boolean().optional(),
  stabilized: z.boolean(),
  passed_count: z.int().min(0).optional(),
  q: level.optional(),
  classification: Classification.optional(),
  components: z.strictObject(Components.shape, {
    error: ({ code, input }) => code === "invalid_type" && input === undefined ? NO_COMPONENTS : undefined,
  }),
});
export type PreservedSummary = z.infer<typeof PreservedSummary>;

/** What another harness calls its summaries is its own affair; ours are read in the version that we know. */
function refusal(schema: string | undefined): string | undefined {
  if (schema?.startsWith("rescoring/")) return "is that of a re-scoring, not of a summary; name what it was made from";
  if (schema === undefined || schema === "station-summary/1" || !schema.startsWith("station-summary/")) {
    return undefined;
  }
  return `is ${JSON.stringify(schema)}, this library reads "station-summary/1"; use the version that wrote it`;
}
