import { contentHash } from "@/core/json.ts";
import { createRng } from "@/core/rng.ts";
import { stationPersona } from "@/model/station/station_persona.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import type { ChatMessage } from "@/schema/model_call.ts";
import { COUNCIL } from "@/schema/station_ids.ts";

/** As much of a chat-completions request as an answer depends on. */
export interface Question {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly temperature: number;
  readonly maxTokens: number;
}

/** What identifies a prompt: two requests with one hash ask the same. */
export const promptHash = ({ model, messages, temperature, maxTokens }: Question): string =>
  contentHash({ model, messages, temperature, maxTokens });

/**
 * Answers as a member of either council would: a committee's seat, its clerk, or a role of the station, by what the
 * system prompt says. Every run of them closes complete.
 *
 * @returns a function from a request and its dice, a whole number, to the text; equal requests with equal dice get equal
 * texts. Rejects where no council would send such a prompt.
 */
export async function councilAnswers(): Promise<(question: Question, dice: number) => Promise<string>> {
  // Some first replies are spoilt, so that repair requests are among the calls; every repair can be read.
  const committee = surrogate({ ...await loadSurrogateParameters(), malformedShare: 0.02, malformedAgainShare: 0 });
  const station = stationPersona("coalition");
  return async ({ model, messages, temperature, maxTokens }, dice) => {
    const system = messages[0]?.content ?? "";
    const chat = COUNCIL.some((role) => system.includes(` as ${role} `)) ? station : committee;
    const seed = createRng(dice).fork(promptHash({ model, messages, temperature, maxTokens })).key;
    return (await chat({ model, messages: [...messages], temperature, maxTokens, seed })).text;
  };
}
