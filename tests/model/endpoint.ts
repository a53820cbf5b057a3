import assert from "node:assert/strict";
import { ModelError } from "@/model/chat_model.ts";
import { openaiChat, type OpenaiChatOptions } from "@/model/openai_chat.ts";
import type { ChatRequest } from "@/schema/model_call.ts";

/** What tests of the model layer share: requests, completions, and endpoints on loopback. */

/** A key that must turn up nowhere. */
export const apiKey = "canary-7f3a9-0b1c2d";

export function request(overrides: Partial<ChatRequest> = {}): ChatRequest {
  const messages = [{ role: "user" as const, content: "Which option?" }];
  return { model: "test/model", messages, temperature: 0.7, seed: 11, maxTokens: 64, ...overrides };
}

/** A chat completion as OpenAI documents it, its one choice and its other fields replaceable. */
export function completion(choice: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "test/model-2026-01-01",
    system_fingerprint: "fp_1",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Option B." }, ...choice }],
    usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    ...rest,
  };
}

/** Runs `use` against an HTTP endpoint on loopback. */
export async function withEndpoint(handler: Deno.ServeHandler, use: (baseUrl: string) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const options = { port: 0, hostname: "127.0.0.1", signal: stop.signal, onListen() {} };
  const server = Deno.serve(options, handler);
  try {
    await use(`http://127.0.0.1:${server.addr.port}/v1`);
  } finally {
    stop.abort();
    await server.finished;
  }
}

/** Runs `use` against a listener that reads one request, writes `bytes`, and hangs up. */
export async function withHangUp(bytes: string, use: (baseUrl: string) => Promise<void>): Promise<void> {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const serving = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(65_536));
      await connection.write(new TextEncoder().encode(bytes));
      connection.close();
    }
  })();
  try {
    await use(`http://127.0.0.1:${listener.addr.port}/v1`);
  } finally {
    listener.close();
    await serving;
  }
}

/** A body that sends `text` and then a space every few milliseconds, for ever. */
export function drip(text: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(text));
      timer = setInterval(() => controller.enqueue(encoder.encode(" ")), 5);
    },
    cancel: () => clearInterval(timer),
  });
}

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("expected a rejection");
}

/** The failure of one call to an endpoint that answers as `respond` does, and how often the endpoint was asked. */
export async function failureOf(respond: () => Response, options: OpenaiChatOptions = {}) {
  let asked = 0;
  let failure: unknown;
  await withEndpoint(() => (asked++, respond()), async (baseUrl) => {
    failure = await rejection(openaiChat({ baseUrl, apiKey, ...options })(request()));
  });
  assert.ok(failure instanceof ModelError, `expected a ModelError, got ${Deno.inspect(failure)}`);
  return { failure, asked };
}

/** An error response as OpenAI documents it. */
export const error = (status: number, fields: Record<string, unknown> = {}, headers: HeadersInit = {}) => () =>
  Response.json({ error: { message: "no", ...fields } }, { status, headers });
