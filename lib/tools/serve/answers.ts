import { sum } from "d3-array";
import { estimateTokens } from "../../model/cost.ts";
import type { ChatMessage } from "../../schema/model_call.ts";

/** A chat completion as an OpenAI-compatible endpoint answers it, whole. */
export interface Completion {
  readonly id: string;
  readonly object: "chat.completion";
  readonly created: number;
  readonly model: string;
  /** An extension, which this project's client takes down. */
  readonly synthetic: true;
  readonly choices: readonly [
    { index: 0; finish_reason: string; message: { role: "assistant"; content: string | null } },
  ];
  readonly usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** A completion with the words `text`, its tokens estimated. */
export function completion(
  { number, model, messages, text }: { number: number; model: string; messages: readonly ChatMessage[]; text: string },
): Completion {
  const prompt = 3 + sum(messages, ({ content }) => 3 + estimateTokens(content));
  const words = estimateTokens(text);
  return {
    id: `chatcmpl-surrogate-${number}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: `${model} (surrogate)`,
    synthetic: true,
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text } }],
    usage: { prompt_tokens: prompt, completion_tokens: words, total_tokens: prompt + words },
  };
}

/** The completion as server-sent events, a few words each. */
export function streamed({ choices: [{ message, finish_reason }], usage, ...head }: Completion): Response {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${
      JSON.stringify({
        ...head,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: finish }],
      })
    }\n\n`;
  const parts = (message.content ?? "").match(/[^]{1,40}/g) ?? [];
  const events = [
    chunk({ role: "assistant", content: "" }, null),
    ...parts.map((content) => chunk({ content }, null)),
    chunk({}, finish_reason),
    ...(usage ? [`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [], usage })}\n\n`] : []),
    "data: [DONE]\n\n",
  ];
  const body = ReadableStream.from(events).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** What an endpoint says where it gives no completion. */
export const failure = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message, type: status < 500 ? "invalid_request_error" : "server_error" } }, {
    status,
    headers,
  });
