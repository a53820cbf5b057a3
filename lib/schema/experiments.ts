import { z } from "zod";
import { ConditionSpec } from "./condition_spec.ts";

const Experiment = z.strictObject({
  title: z.string().min(1),
  shows: z.string().min(1).describe("the figure or table of the paper that it stands for"),
  replicates: z.int().min(1),
  conditions: z.array(ConditionSpec).min(1),
});
export type Experiment = z.infer<typeof Experiment>;

/** Experiments by name: data, so that a new one needs no code. */
export const Experiments = z.strictObject({
  schema: z.literal("experiments/1"),
  experiments: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, "must be lower case with hyphens"), Experiment),
});
export type Experiments = z.infer<typeof Experiments>;
