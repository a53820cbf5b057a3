import { z } from "zod";

/** Statements about the surrogate, written down before the runs that decide them. */
export const Predictions = z.strictObject({
  schema: z.literal("predictions/1"),
  about: z.string(),
  masterSeeds: z.array(z.int()).min(1),
  predictions: z.array(z.strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]*$/),
    statement: z.string(),
    promised: z.boolean().describe("whether it should hold for every master seed, or is reported as a share"),
  })).min(1),
});
export type Predictions = z.infer<typeof Predictions>;
