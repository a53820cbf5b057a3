import { z } from "zod";
import { PromptPack } from "./prompt_pack.ts";
import { Role, ScenarioPacket } from "./scenario.ts";

const Seat = z.strictObject({
  label: z.string().min(1).describe("how the others see the agent: a role, or a neutral name where roles are off"),
  role: Role.describe("the seat's place in the line-up, also where roles are off"),
  mandate: z.string().describe("empty where roles are off or the role is ablated"),
  model: z.string().min(1),
});
export type Seat = z.infer<typeof Seat>;

/**
 * Everything that makes one experimental condition of a committee, whole: two runs of one condition differ in
 * seed and replicate alone. Its content hash keys the ledger, so a changed word in a prompt is another condition.
 */
export const Condition = z.strictObject({
  schema: z.literal("condition/1"),
  packet: ScenarioPacket,
  prompts: PromptPack,
  seats: z.array(Seat).min(2),
  order: z.array(z.int().min(0)).describe("seat indices in speaking order, the same in every round and replicate"),
  roles: z.boolean(),
  lineup: z.string().min(1),
  ablate: Role.optional(),
  temperature: z.number().min(0).max(2),
  window: z.int().min(0).describe("arguments each agent sees, k"),
  rounds: z.int().min(1),
  maxTokens: z.int().min(1),
}).superRefine(({ seats, order }, context) => {
  const sorted = order.toSorted((a, b) => a - b);
  if (sorted.length !== seats.length || sorted.some((seat, i) => seat !== i)) {
    context.addIssue({ code: "custom", path: ["order"], message: "must name every seat exactly once" });
  }
});
export type Condition = z.infer<typeof Condition>;

/**
 * A condition by its names, as experiments declare it: what is left out takes the paper's default. The texts and models
 * behind the names are looked up when it is run.
 */
export const ConditionSpec = z.strictObject({
  scenario: z.string().min(1),
  variant: z.string().min(1).optional().describe("a rewording of the packet"),
  roles: z.boolean().default(true),
  ablate: Role.optional().describe("the seat that keeps its label and loses its mandate"),
  lineup: z.string().min(1).default("uniform"),
  temperature: z.number().min(0).max(2).default(0),
  window: z.int().min(0).default(15).describe("arguments each agent sees, k"),
  agents: z.int().min(2).max(26).default(5),
  rounds: z.int().min(1).default(20),
  prompts: z.string().min(1).default("standard"),
  maxTokens: z.int().min(1).default(600),
}).refine(({ ablate, roles }) => ablate === undefined || roles, {
  path: ["ablate"],
  error: "there is no mandate to take away where roles are off",
});
export type ConditionSpec = z.infer<typeof ConditionSpec>;
export type ConditionSpecInput = z.input<typeof ConditionSpec>;
