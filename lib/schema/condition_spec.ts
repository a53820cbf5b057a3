import { z } from "zod";
import { Role } from "./role.ts";

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
