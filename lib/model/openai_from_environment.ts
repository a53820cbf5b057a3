import type { ChatModel } from "./chat_model.ts";
import { openaiChat, type OpenaiChatOptions } from "./openai_chat.ts";

/** Where variables are read from: `Deno.env`, or a `Map` in tests. */
export interface Environment {
  get(name: string): string | undefined;
}

/**
 * A live model whose key and endpoint come from the variables `OPENAI_API_KEY` and `OPENAI_BASE_URL`.
 *
 * Without a base URL the endpoint is OpenAI's own. A base URL on this machine (127.0.0.1, localhost) needs no key.
 *
 * @throws {UserError} naming the variable that is missing or cannot be used, before anything is sent or spent.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.throws(() => openaiFromEnvironment(new Map()), /OPENAI_API_KEY/);
 * ```
 */
export function openaiFromEnvironment(
  env: Environment,
  options: Omit<OpenaiChatOptions, "apiKey" | "baseUrl"> = {},
): ChatModel {
  const read = (name: string) => env.get(name)?.trim() || undefined;
  return openaiChat({ ...options, apiKey: read("OPENAI_API_KEY"), baseUrl: read("OPENAI_BASE_URL") });
}
