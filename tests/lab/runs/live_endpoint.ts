import { z } from "zod";
import { withEndpoint } from "../../model/endpoint.ts";
import { createRng } from "@/core/rng.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import { ChatMessage } from "@/schema/model_call.ts";

/** An OpenAI-compatible endpoint on loopback, behind which programs answer: what a live run talks to in tests. */

/** What the client sends; anything else in the body is refused, so that no parameter slips in unseen. */
const Body = z.strictObject({
  model: z.string(),
  messages: z.array(ChatMessage),
  temperature: z.number(),
  max_tokens: z.int(),
});

export interface LiveEndpoint {
  readonly baseUrl: string;
  /** The Authorization header of every request so far. */
  readonly keys: readonly (string | null)[];
}

/**
 * Runs `use` against the endpoint.
 *
 * @param options `refuse`: what some requests get instead of an answer, by their number from 1; `chat`: who answers the
 * others, by default a committee's surrogates.
 */
export async function withLiveEndpoint(
  use: (endpoint: LiveEndpoint) => Promise<void>,
  { refuse = () => undefined, chat }: {
    refuse?: (request: number, key: string) => Response | undefined;
    chat?: ChatModel;
  } = {},
): Promise<void> {
  const answer = chat ?? surrogate({ ...await loadSurrogateParameters(), malformedShare: 0 });
  const keys: (string | null)[] = [];
  const handler = async (request: Request): Promise<Response> => {
    const key = request.headers.get("authorization");
    const number = keys.push(key);
    if (new URL(request.url).pathname !== "/v1/chat/completions") return new Response("no such path", { status: 404 });
    const { model, messages, temperature, max_tokens: maxTokens } = Body.parse(await request.json());
    const refusal = refuse(number, key ?? "");
    if (refusal !== undefined) return refusal;
    // No seed is sent, so the dice are the provider's own, as with the paper's models.
    const seed = createRng(number).key;
    const { text } = await answer({ model, messages, temperature, seed, maxTokens });
    return Response.json({
      id: `chatcmpl-${number}`,
      object: "chat.completion",
      model: `${model}-served`,
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text } }],
      usage: { prompt_tokens: 2000 + number, completion_tokens: 100 },
    });
  };
  await withEndpoint(handler, (baseUrl) => use({ baseUrl, keys }));
}
