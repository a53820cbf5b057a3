import * as z from "zod";
import { Role, ROLES } from "./scenario.ts";

const Price = z.strictObject({
  input: z.number().min(0).describe("US dollars per million prompt tokens"),
  output: z.number().min(0).describe("US dollars per million completion tokens"),
});

const Lineup = z.strictObject({
  title: z.string().min(1),
  models: z.record(Role, z.string().min(1)).describe("model id of each seat"),
});

const Asked = z.strictObject({
  maxTokens: z.int().min(1).optional().describe("of its replies, thinking included; goes before a condition's own"),
  reasoningEffort: z.string().min(1).optional().describe("such as low"),
});

/** Which model sits in which seat, how a model is asked live and what it costs. Prices are estimates for people to edit. */
export const Lineups = z.strictObject({
  schema: z.literal("lineups/1"),
  lineups: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, "must be lower case with hyphens"), Lineup),
  asked: z.record(z.string(), Asked).optional().describe("by model, of live councils alone"),
  prices: z.record(z.string(), Price),
}).superRefine(({ lineups, prices }, context) => {
  for (const [name, { models }] of Object.entries(lineups)) {
    for (const role of ROLES) {
      if (!(models[role] in prices)) {
        context.addIssue({
          code: "custom",
          path: ["prices"],
          message: `no price for ${models[role]} (lineups.${name}.${role})`,
        });
      }
    }
  }
});
export type Lineups = z.infer<typeof Lineups>;
