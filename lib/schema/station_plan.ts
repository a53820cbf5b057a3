import { z } from "zod";
import { Group, PowerSystem } from "./station_ids.ts";

const count = z.int().min(0);

/** What else a plan does, beside seats and power; each is optional and none is worth anything by itself. */
export const Measures = z.strictObject({
  rumor: z.enum(["none", "fact_check", "moderate", "broadcast"]).optional(),
  market: z.enum(["none", "restrict", "allocate"]).optional(),
  authority: z.enum(["none", "joint_command", "emergency_powers", "delegate"]).optional(),
});
export type Measures = z.infer<typeof Measures>;

/**
 * The proposal schema, strict: what ruleset v2 shows in the prompt and v1 demands unseen. Whole numbers of seats by
 * group and of power units by system, every key there, none other. Budgets (seats ≤ 100 and headcount, power ≤ what
 * there is) are judged apart: breaking them is a reasoning failure, not a parse failure.
 */
export const Plan = z.strictObject({
  seats: z.strictObject({ outer_ring: count, crew: count, sponsor_deck: count, medical: count }),
  power: z.strictObject({ life_support: count, docking: count, outer_ring: count, sponsor_deck: count, comms: count }),
  measures: Measures.optional(),
  rationale: z.string().optional(),
});
export type Plan = z.infer<typeof Plan>;

/** A plan as read, and every change the normaliser made; no repairs where it was read as written. */
export const Proposal = z.strictObject({
  schema: z.literal("proposal/1"),
  plan: Plan,
  repairs: z.array(z.string()),
});
export type Proposal = z.infer<typeof Proposal>;

/** Seats and power as tables for those who need every key. */
export type Seats = Readonly<Record<Group, number>>;
export type Power = Readonly<Record<PowerSystem, number>>;
