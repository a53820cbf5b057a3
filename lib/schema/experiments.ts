import { z } from "zod";
import { Switches } from "./station_event.ts";
import { ConditionSpec } from "./condition_spec.ts";

const Experiment = z.strictObject({
  title: z.string().min(1),
  shows: z.string().min(1).describe("the figure or table of the paper that it stands for"),
  replicates: z.int().min(1),
  conditions: z.array(ConditionSpec).min(1),
});
export type Experiment = z.infer<typeof Experiment>;

const Ruleset = z.union([z.enum(["v1", "v2"]), Switches]);

const StationExperiment = z.strictObject({
  title: z.string().min(1),
  shows: z.string().min(1),
  seeds: z.union([z.enum(["panel", "heldOut"]), z.array(z.int()).min(1)]).describe("named sets are in mosaic-9.json"),
  councils: z.array(z.string()).min(1).describe("none, live, or a persona"),
  rulesets: z.array(Ruleset).min(1),
});
export type StationExperiment = z.infer<typeof StationExperiment>;

/** Experiments by name: data, so that a new one needs no code. */
export const Experiments = z.strictObject({
  schema: z.literal("experiments/1"),
  station: z.record(z.string().regex(/^station-[a-z0-9-]+$/, "must begin with station-"), StationExperiment).default(
    {},
  ),
  experiments: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, "must be lower case with hyphens"), Experiment),
});
export type Experiments = z.infer<typeof Experiments>;
