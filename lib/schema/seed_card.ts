import { z } from "zod";
import { Bot, CouncilRole } from "./station_ids.ts";

/** Kinds of shock, and the background role or the environment that brings it. */
export const SHOCKS = [
  "rumor",
  "power_fault",
  "market_offer",
  "scandal",
  "leak",
  "panic_outer",
  "panic_sponsor",
] as const;
export const ShockKind = z.enum(SHOCKS);
export type ShockKind = z.infer<typeof ShockKind>;

export const Shock = z.strictObject({
  id: z.string().describe("such as R1, S2: unique in the card"),
  kind: ShockKind,
  by: Bot,
  severity: z.number().min(0),
  growth: z.number().min(0).optional().describe("of a rumour: its heat is multiplied by this at each close"),
  text: z.string(),
});
export type Shock = z.infer<typeof Shock>;

/** The whole weather of a seed: what happens when, and who speaks in which order. No council changes it. */
export const SeedCard = z.strictObject({
  schema: z.literal("seed-card/1"),
  seed: z.int(),
  rounds: z.array(z.strictObject({
    round: z.int().min(1).max(6),
    order: z.array(CouncilRole).length(6),
    shocks: z.array(Shock),
  })).length(6),
});
export type SeedCard = z.infer<typeof SeedCard>;
