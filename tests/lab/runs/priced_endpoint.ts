import { withEndpoint } from "../../model/endpoint.ts";
import { councilAnswers } from "../../faults/answers.ts";
import { tokenCounter } from "@/model/cost.ts";
import type { ChatMessage } from "@/schema/model_call.ts";

/** An endpoint on loopback that counts tokens as a provider does, and keeps what it was sent. */

export interface Sent {
  readonly key: string | null;
  readonly headers: Headers;
  readonly body: Record<string, unknown> & { readonly model: string; readonly messages: ChatMessage[] };
  /** Tokens that the answer was billed with; absent where there was none. */
  usage?: { promptTokens: number; completionTokens: number };
}

export interface PricedEndpoint {
  readonly baseUrl: string;
  readonly sent: readonly Sent[];
}

const counter = await tokenCounter();
const answer = await councilAnswers();

/**
 * Runs `use` against the endpoint.
 *
 * @param options `reply`: what becomes of an answer's text, by default nothing; `refuse`: what some requests get instead;
 * `latencyMs`: how long an answer takes; `hold`: what it waits for besides; `extra`: further fields of its usage.
 */
export async function withPricedEndpoint(
  use: (endpoint: PricedEndpoint) => Promise<void>,
  { reply = (text) => text, refuse = () => undefined, latencyMs = 0, hold, extra = {} }: {
    reply?: (text: string, number: number) => string;
    refuse?: (number: number, sent: Sent) => Response | undefined;
    latencyMs?: number;
    hold?: (number: number) => Promise<void> | undefined;
    extra?: Record<string, unknown>;
  } = {},
): Promise<void> {
  const sent: Sent[] = [];
  const handler = async (request: Request): Promise<Response> => {
    const body = await request.json() as Sent["body"];
    const one: Sent = { key: request.headers.get("authorization"), headers: request.headers, body };
    const number = sent.push(one);
    const refusal = refuse(number, one);
    if (refusal) return refusal;
    const { model, messages, temperature = 1 } = body;
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    await hold?.(number);
    const limit = Number(body.max_tokens ?? body.max_completion_tokens);
    const spoken = await answer({ model, messages, temperature: Number(temperature), maxTokens: limit }, number);
    const content = reply(spoken, number);
    one.usage = { promptTokens: counter.prompt(messages), completionTokens: Math.min(limit, counter.text(content)) };
    const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = one.usage;
    return Response.json({
      model,
      choices: [{
        ...{ index: 0, finish_reason: "stop", message: { role: "assistant", content } },
        ...(body.logprobs === true && { logprobs: { content: [{ token: content, logprob: -0.5 }] } }),
      }],
      usage: { prompt_tokens, completion_tokens, ...extra },
    });
  };
  await withEndpoint(handler, (baseUrl) => use({ baseUrl, sent }));
}

/** Tokens of all answers of an endpoint. */
export const tokensOf = (sent: readonly Sent[]): number =>
  sent.reduce((sum, { usage }) => sum + (usage ? usage.promptTokens + usage.completionTokens : 0), 0);

/** A reply whose argument, all before its first line end, has so many words; ballots and bare STATE lines stay as they are. */
export function ofWords(text: string, words: number): string {
  const [first = "", ...rest] = text.split("\n");
  if (rest.length === 0 || !/[a-z]\.$/.test(first)) return text;
  const argument = first.split(/\s+/);
  const longer = Array.from({ length: words }, (_, i) => argument[i % argument.length]);
  return [longer.join(" "), ...rest].join("\n");
}
