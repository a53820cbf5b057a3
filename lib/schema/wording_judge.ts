import { z } from "zod";
import { PromptLines, promptTemplate } from "./prompt_template.ts";

const MeaningScore = z.number().min(0).max(10);

/**
 * How a model is asked whether two wordings of a scenario mean the same, as data. The words and the JSON format are
 * this project's own: the deliberation paper (S4.2) gives the judge, the scale and the lowest score, but no prompt.
 */
export const WordingJudge = z.strictObject({
  schema: z.literal("wording-judge/1"),
  id: z.string().min(1),
  model: z.string().min(1).describe("who judges; the paper's was GPT-4o"),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1),
  preserved: MeaningScore.describe("lowest score that counts as the same meaning; the paper's pairs all reached 8.5"),
  system: PromptLines,
  request: promptTemplate("original", "rewording"),
  packet: promptTemplate("title", "background", "options", "question").describe("a wording as the judge sees it"),
  option: promptTemplate("letter", "label", "text"),
});
export type WordingJudge = z.infer<typeof WordingJudge>;

/** The judge's whole reply: `{"meaning": 9.5}`. */
export const MeaningReply = z.strictObject({ meaning: MeaningScore });
export type MeaningReply = z.infer<typeof MeaningReply>;
