import { OpenAI } from "openai";
import { UserError } from "../core/user_error.ts";
import type { ChatRequest } from "../schema/model_call.ts";
import type { ChatModel } from "./chat_model.ts";
import { HttpAttempt } from "./http_attempt.ts";
import { openaiFailure } from "./openai_failure.ts";
import { bodyLimit, openaiReply } from "./openai_reply.ts";
import { configuredSecrets } from "./redact.ts";

/** Options for {@linkcode openaiChat}. */
export interface OpenaiChatOptions {
  /** The endpoint, such as `https://openrouter.ai/api/v1`; by default the client's own, OpenAI's. */
  baseUrl?: string | undefined;
  /** The key; may be left out for an endpoint on this machine alone. */
  apiKey?: string | undefined;
  /** The deadline of one attempt in milliseconds, from sending to the last byte of the reply; 120 000 by default. */
  timeoutMs?: number;
  /**
   * Whether the seed is sent; by default it is not, and `reply.dropped` says so. The deliberation paper sends none:
   * its replicates are nominally identical, and what is left of chance is the provider's.
   */
  sendSeed?: boolean;
  /** Whether the temperature is sent (default). Without it the endpoint's own holds, and `reply.dropped` says so. */
  sendTemperature?: boolean;
  /** The name under which `maxTokens` is sent; newer reasoning models take `max_completion_tokens` alone. */
  maxTokensName?: "max_tokens" | "max_completion_tokens";
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * A live model behind any OpenAI-compatible chat-completions endpoint. One call is one HTTP request: the client's own
 * retries are off, so that `queued` is the only retry layer. Creating it reaches no network.
 *
 * Nothing of the environment is read but `OPENAI_CUSTOM_HEADERS`, which the client always adds where it may.
 *
 * A reply is read up to 64 bytes a token asked for, and at least 64 KiB; an error up to 64 KiB. Redirects are followed
 * within one origin. The key, custom headers and parameters of the URL appear in no message and no reply.
 *
 * @returns a model whose failed calls are `ModelError`s with these codes: 401, 403 `auth`; 402 and 429 without credit
 * `quota`; other 429 `rate_limit`; 5xx `server`; no connection `network`; beyond the deadline, 60 s of standstill within
 * a reply, or 408 `timeout`; other 3xx and 4xx `bad_request`, except `context_length` and `content_filter`; in a reply
 * with status 200 `empty`, `truncated`, `oversize`, `content_filter` or `protocol`.
 * @throws {UserError} when the base URL or the key cannot be used, or a remote endpoint has no key.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const chat = openaiChat({ baseUrl: "http://127.0.0.1:11434/v1" });
 * assert.equal(typeof chat, "function");
 * ```
 */
export function openaiChat(options: OpenaiChatOptions = {}): ChatModel {
  const { apiKey, timeoutMs = 120_000 } = options;
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 2 ** 31 - 1) {
    throw new RangeError(`timeoutMs must be an integer from 1 to 2147483647, got ${timeoutMs}`);
  }
  const client = createClient(options, timeoutMs);
  const secrets = configuredSecrets({ apiKey, baseUrl: options.baseUrl, headers: customHeaders() });
  const dropped = [
    ...(options.sendSeed === true ? [] : ["seed"]),
    ...(options.sendTemperature === false ? ["temperature"] : []),
  ];

  return async (request, { signal } = {}) => {
    signal?.throwIfAborted();
    using attempt = new HttpAttempt({ timeoutMs, idleMs: IDLE_MS, signal });
    const started = performance.now();
    let text: string;
    try {
      // The client hands this on to `fetch`. It is not given the signal, of which it makes several more for every call.
      const fetchOptions: object = { attempt };
      const response = await client.chat.completions.create(parameters(request, options), { fetchOptions })
        .asResponse();
      text = await attempt.read(response, bodyLimit(request));
    } catch (error) {
      signal?.throwIfAborted();
      throw openaiFailure(error, { request, ended: attempt.ended, errorText: attempt.errorText, secrets });
    }
    return openaiReply(text, { request, latencyMs: performance.now() - started, dropped, secrets });
  };
}

/** How long a reply that has begun may stand still. */
const IDLE_MS = 60_000;

/** What the client adds to every request, where it may read it. */
function customHeaders(): string | undefined {
  try {
    return Deno.env.get("OPENAI_CUSTOM_HEADERS");
  } catch {
    return undefined;
  }
}

function parameters({ model, messages, temperature, seed, maxTokens }: ChatRequest, options: OpenaiChatOptions) {
  const { sendSeed = false, sendTemperature = true, maxTokensName = "max_tokens" } = options;
  return {
    model,
    messages,
    [maxTokensName]: maxTokens,
    ...(sendTemperature ? { temperature } : {}),
    ...(sendSeed ? { seed } : {}),
  };
}

function createClient({ baseUrl, apiKey, fetch: send = fetch }: OpenaiChatOptions, timeoutMs: number): OpenAI {
  const url = baseUrl === undefined ? undefined : checkedUrl(baseUrl);
  if (apiKey === undefined && (url === undefined || !isLoopback(url))) {
    throw new UserError(
      `an API key is needed for ${url?.host ?? "the OpenAI API"}: set OPENAI_API_KEY, or give apiKey`,
    );
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new UserError(
      "the API key (OPENAI_API_KEY) is empty or holds spaces or other characters no key has: copy it again",
    );
  }
  return new OpenAI({
    // What is null is not read from the environment, where it would be an input that no record shows.
    baseURL: baseUrl ?? null,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    apiKey: apiKey ?? "none",
    ...(apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    fetch: (url, init) => (init as unknown as { attempt: HttpAttempt }).attempt.fetch(send, String(url), init),
    maxRetries: 0,
    // Its own default of ten minutes would cut a longer deadline short.
    timeout: timeoutMs,
    logLevel: "off",
  });
}

function checkedUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UserError("the base URL (OPENAI_BASE_URL) must be a whole URL that begins with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") {
    throw new UserError(
      `the base URL (OPENAI_BASE_URL) holds a user name or password: set OPENAI_API_KEY, or give apiKey`,
    );
  }
  return url;
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

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
