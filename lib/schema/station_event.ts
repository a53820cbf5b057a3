import * as z from "zod";
import type { EnumOf, Optional } from "./type_helpers.ts";
import { ActionName, Bot, CouncilRole, Plan } from "./station_ids.ts";

/** Kinds of shock, and the background role or the environment that brings it. */
const SHOCKS = [
  "rumor",
  "power_fault",
  "market_offer",
  "scandal",
  "leak",
  "panic_outer",
  "panic_sponsor",
] as const;
export const ShockKind: EnumOf<ShockKind> = z.enum(SHOCKS);
export type ShockKind = typeof SHOCKS[number];

export type Shock =
  /** `id`: such as R1, S2, unique in the card; `growth`: of a rumour, its heat is multiplied by this at each close. */
  { id: string; kind: ShockKind; by: Bot; severity: number; growth?: number | undefined; text: string };
export const Shock: z.ZodType<Shock> = z.strictObject({
  id: z.string(),
  kind: ShockKind,
  by: Bot,
  severity: z.number().min(0),
  growth: z.number().min(0).optional(),
  text: z.string(),
});

/** The whole weather of a seed: what happens when, and who speaks in which order. No council changes it. */
export type SeedCard = {
  schema: "seed-card/1";
  seed: number;
  rounds: { round: number; order: CouncilRole[]; shocks: Shock[] }[];
};
export const SeedCard: z.ZodType<SeedCard> = z.strictObject({
  schema: z.literal("seed-card/1"),
  seed: z.int(),
  rounds: z.array(z.strictObject({
    round: z.int().min(1).max(6),
    order: z.array(CouncilRole).length(6),
    shocks: z.array(Shock),
  })).length(6),
});

const round = z.int().min(1).max(6);

/** The two switches of the schema-interface study: v1 is both off, v2 both on. */
export type Switches = { schemaShown: boolean; normaliser: boolean };
export const Switches: z.ZodType<Switches> = z.strictObject({ schemaShown: z.boolean(), normaliser: z.boolean() });

/** The origin of a slot's action: the council's own words, or the clerk's fallback with its cause. */
type Origin =
  /** `calls`: indices in model_calls.jsonl. */
  | { kind: "model"; calls: number[] }
  | { kind: "fallback"; cause: string; calls: number[] };
const Origin: z.ZodType<Origin> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("model"), calls: z.array(z.int().min(0)).min(1) }),
  z.strictObject({ kind: z.literal("fallback"), cause: z.string(), calls: z.array(z.int().min(0)) }),
]);

/** Readings of a text: by the strict parser, and by the normaliser, whichever the ruleset goes by. */
export type Reading = {
  rawValid: boolean;
  normalisedValid: boolean;
  /** Of the reading that was used; empty when read as written. */
  repairs: string[];
  /** Why the reading that was used failed. */
  code?: string | undefined;
};
const Reading: z.ZodType<Reading> = z.strictObject({
  rawValid: z.boolean(),
  normalisedValid: z.boolean(),
  repairs: z.array(z.string()),
  code: z.string().optional(),
});

/** A plan put up with an action: its text as written, how it was read, and the plan where it could be. */
export type Filing =
  /** `plan`: absent where it could not be read; `flaw`: readable, but over budget: code. */
  { id: string; text: string; reading: Reading; plan?: Plan | undefined; flaw?: string | undefined };
const Filing: z.ZodType<Filing> = z.strictObject({
  id: z.string(),
  text: z.string(),
  reading: Reading,
  plan: Plan.optional(),
  flaw: z.string().optional(),
});

/**
 * The events of a station run, in order. Weather, dice and models act before an event is made, and their outcome is in
 * it; folding events with `applyEvent` needs none of them.
 */
export type StationEvent =
  /**
   * `replicate`: other dice for the council under the same weather, absent for the first; `prompts`: version of what
   * background roles tell, 2 adds scandals' loads and distances to the gate, absent: the first.
   */
  | { kind: "run.opened"; seed: number; ruleset: Switches; card: SeedCard }
    & Optional<{ replicate: number; prompts: 2 }>
  | { kind: "round.opened"; round: number; order: CouncilRole[] }
  | { kind: "shock.struck"; round: number; shock: Shock }
  | ActionTaken
  | { kind: "bot.acted"; round: number; bot: Bot; act: string; target?: string | undefined; text: string }
  | { kind: "gate.judged"; round: number; proposal: string; factionBacked: boolean; passed: boolean } & Judged
  | { kind: "plan.executed"; round: number; proposal: string }
  /** `degraded`: every role fell back. */
  | { kind: "round.closed"; round: number; degraded: boolean }
  | { kind: "run.closed"; stabilized: boolean; finalPlan?: string | undefined };
type Judged = Record<"support" | "against" | "executability", number>;
export const StationEvent: z.ZodType<StationEvent> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("run.opened"),
    seed: z.int(),
    ruleset: Switches,
    card: SeedCard,
    replicate: z.int().min(1).optional(),
    prompts: z.literal(2).optional(),
  }),
  z.strictObject({ kind: z.literal("round.opened"), round, order: z.array(CouncilRole) }),
  z.strictObject({ kind: z.literal("shock.struck"), round, shock: Shock }),
  z.strictObject({
    kind: z.literal("action.taken"),
    round,
    role: CouncilRole,
    origin: Origin,
    reading: Reading.optional(),
    action: ActionName,
    target: z.string().optional(),
    support: z.boolean().optional(),
    statement: z.string().optional(),
    filing: Filing.optional(),
    refused: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal("bot.acted"),
    round,
    bot: Bot,
    act: z.string(),
    target: z.string().optional(),
    text: z.string(),
  }),
  z.strictObject({
    kind: z.literal("gate.judged"),
    round,
    proposal: z.string(),
    support: z.number(),
    against: z.number(),
    factionBacked: z.boolean(),
    executability: z.number(),
    passed: z.boolean(),
  }),
  z.strictObject({ kind: z.literal("plan.executed"), round, proposal: z.string() }),
  z.strictObject({ kind: z.literal("round.closed"), round, degraded: z.boolean() }),
  z.strictObject({ kind: z.literal("run.closed"), stabilized: z.boolean(), finalPlan: z.string().optional() }),
]);

/** The action of a role, or of the clerk in its place, in one turn. */
export type ActionTaken =
  & { kind: "action.taken"; round: number; role: CouncilRole; origin: Origin; action: ActionName }
  /** `reading`: absent for a fallback without words. */
  & Optional<{ reading: Reading; target: string; support: boolean; statement: string; filing: Filing }>
  /** Code: read, but not allowed to the role or aimed at nothing; without effect. */
  & Optional<{ refused: string }>;
