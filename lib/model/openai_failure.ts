import { APIConnectionError, APIConnectionTimeoutError, APIError, OpenAIError } from "openai";
import { UserError } from "../core/user_error.ts";
import type { ChatRequest, FailureCode } from "../schema/model_call.ts";
import { ModelError } from "./chat_model.ts";
import { redact } from "./redact.ts";

/** What an endpoint says of its failure; `words`: everything it wrote, in which the kind is looked for. */
interface EndpointError {
  status?: number | undefined;
  code?: unknown;
  words: string;
}

/** `deadlinePassed`: our own deadline ended the call; `secrets`: never to appear in the message. */
interface FailureContext {
  request: ChatRequest;
  timeoutMs: number;
  deadlinePassed: boolean;
  secrets: readonly string[];
}

/**
 * What the `openai` client threw, as a failed call.
 *
 * The client's error is not kept as `cause`: it holds response headers and bodies, in which a gateway may echo the key.
 *
 * @returns a `ModelError`; a `UserError` where Deno lacks the permission to reach the endpoint; anything the client is
 * not known to throw, unchanged, since that is a defect and not a failed call.
 */
export function openaiFailure(error: unknown, context: FailureContext): unknown {
  const { request, timeoutMs, deadlinePassed, secrets } = context;
  const say = (text: string) => `${request.model}: ${tidy(text, secrets)}`;
  if (error instanceof APIError && error.status !== undefined) return statusFailure(error, context);
  if (deadlinePassed || error instanceof APIConnectionTimeoutError) {
    return new ModelError("timeout", say(`no complete reply within ${timeoutMs} ms`));
  }
  if (chain(error).some(({ name }) => name === "NotCapable")) {
    return new UserError(`Deno may not reach the endpoint: ${tidy(lastWords(error), secrets)}`);
  }
  if (error instanceof APIConnectionError || error instanceof TypeError) {
    return new ModelError("network", say(chain(error).map(({ message }) => message.replace(/\.$/, "")).join(": ")));
  }
  if (error instanceof SyntaxError) return new ModelError("protocol", say(`the reply is not JSON: ${error.message}`));
  if (error instanceof OpenAIError) return new ModelError("protocol", say(error.message));
  return error;
}

/** The kind of failure an endpoint reports, by status first and by its words where the status is ambiguous. */
export function endpointFailureCode({ status, code, words }: EndpointError): FailureCode {
  if (status === 401) return "auth";
  // OpenRouter answers 403 when moderation flags a prompt; elsewhere 403 is a key without access.
  if (status === 403) return /moderation|flagged/i.test(words) ? "content_filter" : "auth";
  if (status === 402 || /insufficient_quota|billing_hard_limit|billing_not_active/.test(words)) return "quota";
  if (status === 429 || /rate_limit/.test(String(code))) return "rate_limit";
  if (status === 408) return "timeout";
  if (status !== undefined && status >= 500) return "server";
  if (/context_length|context (length|window)|maximum context|prompt is too long/i.test(words)) return "context_length";
  if (/content_filter|content_policy|content management policy/i.test(words)) return "content_filter";
  if (/server_error/.test(words)) return "server";
  return status !== undefined && status >= 400 ? "bad_request" : "protocol";
}

/** One line of at most 500 characters without control characters or credentials: an error body can be a whole page. */
export function tidy(text: string, secrets: readonly string[]): string {
  // Redacted before it is cut: otherwise half a key could remain at the end.
  // deno-lint-ignore no-control-regex
  const line = redact(text, { secrets }).replace(/[\s\x00-\x1f\x7f-\x9f]+/g, " ").trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

function statusFailure(error: APIError, { request, secrets }: FailureContext): ModelError {
  const words = `${error.message} ${JSON.stringify(error.error) ?? ""}`;
  const code = endpointFailureCode({ status: error.status, code: error.code, words });
  const remedy = code === "bad_request" ? unsupportedParameter(error.param, words) : REMEDIES.get(code) ?? "";
  return new ModelError(code, `${request.model}: ${tidy(error.message + metadata(error), secrets)}${remedy}`, {
    retryAfterMs: error.headers instanceof Headers ? openaiRetryAfter(error.headers) : undefined,
  });
}

/** OpenRouter says only "Provider returned error" and puts the provider's own words here. */
function metadata({ error }: APIError): string {
  const found = error instanceof Object && "metadata" in error ? JSON.stringify(error.metadata) : undefined;
  return found === undefined ? "" : ` ${found}`;
}

const REMEDIES: ReadonlyMap<FailureCode, string> = new Map([
  ["auth", "; check the key and that it may use this model"],
  ["quota", "; add credit, then resume"],
  ["context_length", "; show agents a smaller window or choose a model with a longer context"],
]);

const PARAMETER_REMEDIES: ReadonlyMap<string, string> = new Map([
  ["max_completion_tokens", 'create the chat with maxTokensName: "max_tokens"'],
  ["max_tokens", 'create the chat with maxTokensName: "max_completion_tokens"'],
  ["temperature", "choose a model that takes it, or create the chat with sendTemperature: false, which is recorded"],
  ["seed", "create the chat with sendSeed: false, which is recorded"],
]);

/** What to do about a parameter that the endpoint does not take; empty when the complaint is another. */
function unsupportedParameter(param: unknown, words: string): string {
  if (!/unsupported|not support|unrecognized|unknown|not permitted|extra_forbidden/i.test(words)) return "";
  // An endpoint that rejects one name often recommends another: without `param`, the first one named is the rejected one.
  const culprit = typeof param === "string" && PARAMETER_REMEDIES.has(param)
    ? param
    : words.match(new RegExp(`\\b(${[...PARAMETER_REMEDIES.keys()].join("|")})\\b`))?.[0];
  return culprit === undefined ? "" : `; parameter ${culprit} is not supported: ${PARAMETER_REMEDIES.get(culprit)}`;
}

/** An error and its causes, outermost first. */
function chain(error: unknown): Error[] {
  return error instanceof Error ? [error, ...chain(error.cause)] : [];
}

function lastWords(error: unknown): string {
  return chain(error).at(-1)?.message ?? "";
}

/**
 * How long an endpoint asks to be left alone, in milliseconds; absent when it does not say.
 *
 * Reads `retry-after-ms`, then `retry-after` as seconds or as an HTTP date. A date counts from the response's own
 * `Date` header where there is one, so that a wrong clock here does not shorten the wait. A date gone by is 0.
 */
export function openaiRetryAfter(headers: Headers, now: () => number = Date.now): number | undefined {
  const milliseconds = amount(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const header = headers.get("retry-after");
  const seconds = amount(header);
  if (seconds !== undefined) return seconds * 1000;
  // `Date.parse` would read "-3" as a year.
  const until = Date.parse(/GMT\s*$/.test(header ?? "") ? header ?? "" : "");
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers.get("date") ?? "");
  return Math.max(0, until - (Number.isNaN(sent) ? now() : sent));
}

function amount(header: string | null): number | undefined {
  return header !== null && /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : undefined;
}
