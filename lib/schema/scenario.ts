import * as z from "zod";

/** Letters of up to eight options, in order. */
export const OPTION_LETTERS = ["A", "B", "C", "D", "E", "F", "G", "H"] as const;

const PolicyOption = z.strictObject({
  label: z.string().min(1).describe("the option's short name"),
  text: z.string().min(1).describe("two or three balanced sentences"),
});

/**
 * One policy question as the committee reads it. Options are lettered A, B, … by position; their number K is taken
 * from here everywhere, never assumed to be three.
 */
export const ScenarioPacket = z.strictObject({
  schema: z.literal("scenario/1"),
  id: z.string().regex(/^[A-Z]{2}-\d{2}$/, "must look like HL-01"),
  variant: z.string().regex(/^[a-z][a-z-]*$/).optional().describe("name of a rewording; absent for the canonical text"),
  domain: z.string().min(1),
  type: z.enum(["choice", "allocation"]).describe("one option is chosen, or shares are allocated among all"),
  title: z.string().min(1),
  background: z.string().min(1).describe("150 to 250 words, with figures"),
  options: z.array(PolicyOption).min(2).max(OPTION_LETTERS.length),
  question: z.string().min(1),
});
export type ScenarioPacket = z.infer<typeof ScenarioPacket>;

/** The five mandates of the deliberation paper (S2.2), in its order of listing. */
export const ROLES = ["Chair", "Welfare", "Rights", "Equity", "Security"] as const;

export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;
