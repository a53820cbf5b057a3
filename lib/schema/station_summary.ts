import { z } from "zod";
import { CLASSIFICATIONS } from "./quality_names.ts";
import { Provenance } from "./ledger_line.ts";

export { CLASSIFICATIONS, type ComponentName, COMPONENTS } from "./quality_names.ts";

const level = z.number().min(0).max(1);

/** Component values; a missing one is not known, which is not zero. */
export const Components = z.strictObject({
  executability: level.optional(),
  public_order: level.optional(),
  info_integrity: level.optional(),
  trust: level.optional(),
  time_to_pass: level.optional(),
  passed_depth: level.optional(),
  containment: level.optional(),
  coalition: level.optional(),
  schema_independence: level.optional(),
});
export type Components = z.infer<typeof Components>;

export const Classification = z.enum(CLASSIFICATIONS);
export type Classification = z.infer<typeof Classification>;

/**
 * `final_summary.json` of one station run, with the station paper's names. Raw values stand at the top level; the same
 * names inside `components` are normalised to [0, 1].
 */
export const StationSummary = z.strictObject({
  schema: z.literal("station-summary/1"),
  run_id: z.string(),
  seed: z.int(),
  model: z.string().describe("label of the council"),
  ruleset: z.string(),
  synthetic: z.boolean(),
  stabilized: z.boolean(),
  public_order: level,
  info_integrity: level,
  trust: level,
  command_authority: level,
  active_rumors: z.int().min(0),
  scandal_load: z.number().min(0),
  coalition_edges: z.int().min(0).max(15),
  plan_executability: level,
  time_to_first_pass: z.int().min(1).max(6).nullable().describe("null: no plan passed"),
  passed_count: z.int().min(0),
  raw_validity: level,
  norm_dependency: level,
  validity_note: z.string().optional().describe("why raw_validity and norm_dependency have the value of our rule"),
  proposals: z.strictObject({
    filed: z.int().min(0).describe("by the council itself"),
    raw_valid: z.int().min(0),
    normalised_valid: z.int().min(0),
    infeasible: z.int().min(0).describe("readable, but over budget: reasoning, not parsing"),
  }),
  model_actions: z.int().min(0).max(36),
  fallback_actions: z.int().min(0).max(36),
  fallback_reasons: z.record(z.string(), z.int().min(1)),
  degraded_rounds: z.array(z.int()).describe("rounds in which every role fell back"),
  manipulation_pressure: z.number().min(0).describe("at the close of the last round"),
  turbulence: z.number().min(0),
  q: level,
  components: Components,
  classification: Classification,
  made: Provenance,
});
export type StationSummary = z.infer<typeof StationSummary>;
