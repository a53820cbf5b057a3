import { z } from "zod";

/** The six council roles, as in Table 12 of the station paper. */
export const COUNCIL = ["C1_COMMAND", "C2_EQUITY", "C3_ENGINEER", "C4_CIVIL", "F1_OUTER", "F2_SPONSOR"] as const;
export const CouncilRole = z.enum(COUNCIL);
export type CouncilRole = z.infer<typeof CouncilRole>;

/** Who is asked for which role: one id for all six, or ids by role, `default` for those that are not named. */
export const RoleModels = z.union([
  z.string().min(1),
  z.partialRecord(z.enum([...COUNCIL, "default"]), z.string().min(1)).refine(
    (models) => models.default !== undefined || COUNCIL.every((role) => role in models),
    { error: "must name a default, or all six roles" },
  ),
]);
export type RoleModels = z.infer<typeof RoleModels>;

/** Scripted background roles (Table 12 names their kinds; the ids are ours, after its X1_RUMOR). */
const BOTS = [
  "X0_ENVIRONMENT",
  "X1_RUMOR",
  "X2_MARKET",
  "X3_JOURNALIST",
  "X4_MODERATOR",
  "X5_AUDIT",
  "X6_FORECAST",
] as const;
export const Bot = z.enum(BOTS);
export type Bot = z.infer<typeof Bot>;

/** People by group (180 in all; the split is ours). */
export const GROUPS = ["outer_ring", "crew", "sponsor_deck", "medical"] as const;
export const Group = z.enum(GROUPS);
export type Group = z.infer<typeof Group>;

/** Power consumers (ours). */
export const SYSTEMS = ["life_support", "docking", "outer_ring", "sponsor_deck", "comms"] as const;
export const PowerSystem = z.enum(SYSTEMS);
export type PowerSystem = z.infer<typeof PowerSystem>;

/** Factions with a sentiment, a panic and a trust of their own, and the role that speaks for each. */
const FACTIONS = ["outer", "sponsor"] as const;
export const Faction = z.enum(FACTIONS);
export type Faction = z.infer<typeof Faction>;

/** The 22 canonical actions of Table 12. */
export const ACTIONS = [
  "speak",
  "propose",
  "endorse",
  "oppose",
  "vote",
  "form_coalition",
  "defect",
  "leak",
  "fact_check",
  "spread_rumor",
  "moderate",
  "appeal",
  "bribe",
  "auction",
  "allocate",
  "sabotage",
  "repair",
  "audit",
  "broadcast",
  "poll",
  "fork_proposal",
  "observe",
] as const;
export const ActionName = z.enum(ACTIONS);
export type ActionName = z.infer<typeof ActionName>;
