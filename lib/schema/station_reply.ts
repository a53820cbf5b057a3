import { z } from "zod";
import type { ActionName } from "./station_ids.ts";

const count = z.int().min(0);

/** What else a plan does, beside seats and power; each is optional and none changes the score. */
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

/** Characters of a statement that are kept. */
export const LONGEST_STATEMENT = 600;

const statement = z.string().max(LONGEST_STATEMENT).optional();
const proposal = z.unknown()
  .refine((value) => value !== undefined && value !== null)
  .describe("a plan, as the model wrote it; judged apart");
const proposalId = z.string().min(1).describe("a proposal, P1…");
const rumorId = z.string().min(1).describe("a rumour, R1…");
const roleId = z.string().min(1).describe("a council role, such as C2_EQUITY");

/** An action that needs no more than its name. */
const plain = <A extends ActionName>(action: A) => z.strictObject({ action: z.literal(action), statement });

/**
 * A council model's reply: one of the 22 canonical actions of Table 12, with what that action needs. Which fields an
 * action takes is ours. Whether the role may act so, and whether the target exists, is the engine's to judge.
 */
export const StationReply = z.discriminatedUnion("action", [
  plain("speak"),
  z.strictObject({ action: z.literal("propose"), proposal, statement }),
  z.strictObject({ action: z.literal("endorse"), target: proposalId, statement }),
  z.strictObject({ action: z.literal("oppose"), target: proposalId, statement }),
  z.strictObject({
    action: z.literal("vote"),
    target: proposalId,
    support: z.boolean().describe("true: for, false: against"),
    statement,
  }),
  z.strictObject({ action: z.literal("form_coalition"), target: roleId, statement }),
  plain("defect"),
  plain("leak"),
  z.strictObject({ action: z.literal("fact_check"), target: rumorId.optional(), statement }),
  plain("spread_rumor"),
  plain("moderate"),
  plain("appeal"),
  z.strictObject({ action: z.literal("bribe"), target: roleId, statement }),
  plain("auction"),
  plain("allocate"),
  plain("sabotage"),
  plain("repair"),
  plain("audit"),
  plain("broadcast"),
  plain("poll"),
  z.strictObject({ action: z.literal("fork_proposal"), target: proposalId, proposal, statement }),
  plain("observe"),
]);
export type StationReply = z.infer<typeof StationReply>;

/** The fields that a reply with this action may have. */
export function replyFields(action: ActionName): ReadonlySet<string> {
  const option = StationReply.options.find(({ shape }) => shape.action.value === action);
  return new Set(Object.keys(option?.shape ?? {}));
}
