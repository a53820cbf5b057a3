import type { ChatReply, ChatRequest } from "../schema/model_call.ts";
import { type ChatModel, ModelError } from "./chat_model.ts";

/** What a script answers: a reply's text, a whole reply, or a failure. */
export type ScriptedReply = string | ChatReply | ModelError;

/**
 * A model that answers from a script: the replies in order of calls, or what a function makes of each request and
 * the number of calls before it. Every reply is marked synthetic.
 *
 * @returns a model that rejects with a scripted `ModelError`, and with a RangeError naming the call, counted from 0,
 * when the script has no reply left.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const chat = scripted((request) => `my model is ${request.model}`);
 * const reply = await chat({ model: "m", messages: [], temperature: 0, seed: 1, maxTokens: 9 });
 * assert.deepEqual(reply, { text: "my model is m", synthetic: true });
 * ```
 */
export function scripted(
  replies: readonly ScriptedReply[] | ((request: ChatRequest, index: number) => ScriptedReply),
): ChatModel {
  const next = typeof replies === "function" ? replies : (_: ChatRequest, index: number) => {
    const reply = replies[index];
    if (reply === undefined) {
      throw new RangeError(`the script has no reply for call ${index}: it holds ${replies.length}, counted from 0`);
    }
    return reply;
  };
  let calls = 0;
  // deno-lint-ignore require-await -- what it throws must reject, as with any model
  return async (request, { signal } = {}) => {
    signal?.throwIfAborted();
    const reply = next(request, calls++);
    if (reply instanceof ModelError) throw reply;
    return { ...(typeof reply === "string" ? { text: reply } : reply), synthetic: true };
  };
}
