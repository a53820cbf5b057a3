import { z } from "zod";
import { parsedJson } from "../core/json.ts";
import { known } from "../core/options.ts";
import type { ChatReply, ChatRequest, Usage } from "../schema/model_call.ts";
import type { ModelError } from "./chat_model.ts";
import { credibleUsage } from "./cost.ts";
import { endpointFailureCode, failedCall, redact, unmistakable } from "./openai_failure.ts";

const Count = z.int().min(0);

/** US dollars; no call costs a thousand. */
const Cost = z.number().min(0).max(1000).nullish().catch(undefined);

/** An endpoint's trouble inside a reply with status 200, as OpenRouter reports it. */
const BodyError = z.object({
  code: z.union([z.number(), z.string()]).nullish(),
  type: z.string().nullish().catch(undefined),
  message: z.string().catch("no message"),
});
type BodyError = z.infer<typeof BodyError>;

/** Words whole or in parts; what a model thought before it spoke is no part of them. */
const Words = z.union([
  z.string(),
  z.array(z.union([
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({ type: z.enum(["thinking", "reasoning"]) }).transform(() => ({ text: "" })),
  ])).transform((parts) => parts.map(({ text }) => text).join("")),
]);

const CalledTool = z.object({ name: z.string(), arguments: z.string().catch("") });

const Token = z.object({ token: z.string(), logprob: z.number() });

/** A token and the likeliest other one in its place, where the endpoint names any: likely ones come first. */
const Written = Token.extend({ top_logprobs: z.array(Token).nullish().catch(undefined) }).transform(
  ({ top_logprobs: best, token, logprob }) => (
    { token, logprob, ...known({ next: best?.find((other) => other.token !== token) }) }
  ),
);

/** As much of a chat completion as is read; endpoints add fields and leave out others. */
const Completion = z.object({
  model: z.string().nullish().catch(undefined),
  // As `deno task serve` answers; a model's endpoint has no such field.
  synthetic: z.literal(true).optional().catch(undefined),
  system_fingerprint: z.string().nullish().catch(undefined),
  // A malformed usage is an unknown one: the reply beside it is still good.
  usage: z.object({
    prompt_tokens: Count,
    completion_tokens: Count,
    total_tokens: Count.nullish().catch(undefined),
    prompt_tokens_details: z.object({ cached_tokens: Count.nullish() }).nullish().catch(undefined),
    completion_tokens_details: z.object({ reasoning_tokens: Count.nullish() }).nullish().catch(undefined),
    cost: Cost,
    // As OpenRouter tells whether one's own key at a provider was used, and what that provider bills.
    is_byok: z.boolean().nullish().catch(undefined),
    cost_details: z.object({ upstream_inference_cost: Cost }).nullish().catch(undefined),
  }).nullish().catch(undefined),
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    message: z.object({
      content: Words.nullish(),
      refusal: z.string().nullish(),
      tool_calls: z.array(z.object({ function: CalledTool.nullish() })).nullish().catch(undefined),
      // The older form of the same.
      function_call: CalledTool.nullish().catch(undefined),
    }),
    // As with usage: malformed is unknown.
    logprobs: z.object({
      content: z.array(Written).min(1),
    }).nullish().catch(undefined),
    error: BodyError.nullish().catch(undefined),
  })).min(1),
});
type Completion = z.infer<typeof Completion>;

/** A part of a completion, as an endpoint sends it that streams. */
const Chunk = z.looseObject({
  id: z.string().nullish(),
  choices: z.array(z.object({
    index: z.literal(0).optional(),
    delta: z.object({ content: Words.nullish(), refusal: z.string().nullish(), tool_calls: z.unknown().optional() }),
    finish_reason: z.string().nullish(),
  })).max(1).default([]),
});

/** `dropped`: request parameters that were not sent; `secrets`: never to appear in text or messages. */
interface ReplyContext {
  request: ChatRequest;
  latencyMs: number;
  dropped: readonly string[];
  secrets: readonly string[];
}

/** Looked for by hand first: a schema that does not fit costs more than reading a whole reply. */
const bodyErrorOf = (body: unknown) =>
  body instanceof Object && "error" in body ? BodyError.safeParse(body.error).data : undefined;

/** The largest body that is read, in bytes: enough to tell a model that does not stop from a page that is no reply. */
export const bodyLimit = ({ maxTokens }: ChatRequest, { logprobs = false }: { logprobs?: boolean | undefined } = {}) =>
  Math.max(2 ** 23, (logprobs ? 576 : 64) * maxTokens);

/** The longest text that so many tokens can be, in bytes, with much room: English takes four a token. */
const textLimit = ({ maxTokens }: ChatRequest): number => Math.max(65_536, 64 * maxTokens);

/**
 * The body of an HTTP 200 response, read as a reply: a completion, alone or among other lines of JSON, its words whole or in
 * parts, or a completion that was streamed without being asked to. A body that speaks for a model in any other form is
 * `hopeless`.
 *
 * @throws {ModelError} when there is no usable reply: `protocol` for a body that is not a chat completion, `content_filter`,
 * `truncated`, `oversize`, `tool_call`, `empty`, or what an error inside the body stands for. What did come is in its `received`.
 */
export function openaiReply(text: string, context: ReplyContext): ChatReply {
  const { request } = context;
  const completion = completionIn(text, context);
  const [{ finish_reason: finishReason, message: { refusal }, error }] = completion.choices as [Choice];
  const received = chatReply(completion, context);
  const failed = (code: ModelError["code"], text: string) => failedCall(context, code, text, { received });
  if (error) throw endpointTrouble(error, context, received);
  if (refusal) throw failed("content_filter", `the model refused: ${refusal}`);
  if (finishReason === "content_filter") throw failed("content_filter", "the provider's filter stopped the reply");
  const { length } = new TextEncoder().encode(received.text);
  if (length > textLimit(request)) {
    throw failed("oversize", `${length} bytes of text came for the ${request.maxTokens} tokens (maxTokens) asked for`);
  }
  if (finishReason === "length") {
    throw failed("truncated", `the reply was cut at ${request.maxTokens} tokens (maxTokens)`);
  }
  if (finishReason === "error") throw failed("server", "the provider failed while writing the reply");
  if (received.text.trim() !== "") return received;
  const [tool] = toolsCalled(completion);
  if (tool === undefined) throw failed("empty", "the reply has no text");
  throw failed(
    "tool_call",
    `the reply calls the tool ${tool.name} and has no text, though it was offered none: turn tools off where the model is ` +
      `served, or ask another model (its arguments: ${tool.arguments})`,
  );
}

/** The one completion that a body holds. */
function completionIn(text: string, context: ReplyContext): Completion {
  const failed = (text: string, hopeless = false) => failedCall(context, "protocol", text, { hopeless });
  const found = documents(text);
  if (found.length === 0) throw failed(`the reply is not JSON: ${beginning(text)}`);
  const bodyError = found.map(bodyErrorOf).find((error) => error !== undefined);
  if (bodyError) throw endpointTrouble(bodyError, context);
  const said = found.filter((one) => choicesOf(one).length > 0);
  const isStream = said.some(isChunk);
  const completion = Completion.safeParse(isStream ? joined(found) : said.length > 1 ? undefined : said[0] ?? found[0]);
  if (completion.success) return completion.data;
  const { path } = completion.error.issues[0]!;
  if (isStream) throw failed("the reply is no one whole stream; turn streaming off where the model is served", true);
  if (found.length > 1) throw failed(`the reply is ${found.length} lines of JSON and no one chat completion`, true);
  if (said.length > 0) throw failed(`the reply is no chat completion: ${path.join(".")} has an unknown form`, true);
  throw failed(`the reply is no chat completion: ${shape(found[0])}`);
}

function toolsCalled({ choices: [choice] }: Completion): z.infer<typeof CalledTool>[] {
  const { tool_calls: calls, function_call: called } = choice!.message;
  return [...calls ?? [], { function: called }].flatMap((call) => call.function ?? []);
}

type Choice = Completion["choices"][number];

function chatReply(completion: Completion, { request, latencyMs, dropped, secrets }: ReplyContext): ChatReply {
  const { model, system_fingerprint: fingerprint, usage, choices: [choice] } = completion;
  let redacted: true | undefined;
  // The model's words stay as written, except that our own key never leaves.
  const clean = (text: string) => {
    const cut = redact(text, { secrets: unmistakable(secrets), lookAlikes: false });
    if (cut !== text) redacted = true;
    return cut;
  };
  const tokens = choice?.logprobs?.content;
  // A key could stand in pieces, which are not found one by one.
  const whole = tokens?.map(({ token }) => token).join("") ?? "";
  const text = clean(choice?.message.content ?? "");
  const told = credibleUsage({ usage: usage ? usageOf(usage) : undefined, text }, request);
  return {
    text,
    ...known({
      synthetic: completion.synthetic,
      servedModel: model ? clean(model) : undefined,
      fingerprint: fingerprint ? clean(fingerprint) : undefined,
      finishReason: choice?.finish_reason ? clean(choice.finish_reason) : undefined,
      usage: told,
      logprobs: tokens && clean(whole) === whole ? tokens : undefined,
      latencyMs,
      dropped: dropped.length > 0 ? [...dropped] : undefined,
      redacted,
    }),
  };
}

function usageOf(usage: NonNullable<Completion["usage"]>): Usage {
  const { prompt_tokens: promptTokens, completion_tokens: told, total_tokens: total } = usage;
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  // Without a key of one's own there, the router's bill holds what it pays its provider; with one, it is the fee alone.
  const upstream = usage.is_byok === false ? undefined : usage.cost_details?.upstream_inference_cost;
  const fee = usage.is_byok && typeof upstream !== "number" ? undefined : usage.cost;
  const cost = typeof upstream === "number" ? (fee ?? 0) + upstream : fee;
  return {
    promptTokens,
    // Some count the tokens of reasoning in the total alone; they are billed all the same.
    completionTokens: Math.max(told, (total ?? 0) - promptTokens),
    ...known({ cachedTokens: cached ?? undefined, reasoningTokens: reasoning ?? undefined, usd: cost ?? undefined }),
  };
}

function endpointTrouble({ code, type, message }: BodyError, context: ReplyContext, received?: ChatReply): ModelError {
  const status = /^[1-5]\d\d$/.test(String(code)) ? Number(code) : undefined;
  const kind = endpointFailureCode({ status, code, words: `${code ?? ""} ${type ?? ""} ${message}` });
  return failedCall(context, kind, `error inside the reply: ${code ?? ""} ${message}`, { received });
}

/** The JSON of a body: the whole, or that of its lines, events of a stream among them; none where some line is not JSON. */
function documents(text: string): unknown[] {
  const whole = parsedJson(text);
  if (whole !== undefined) return [whole];
  const found: unknown[] = [];
  for (const line of text.split(/[\r\n]+/)) {
    if (/^\s*$|^:|^(event|id|retry):|^data:\s*\[DONE\]/.test(line)) continue;
    const json = parsedJson(line.replace(/^data:/, ""));
    if (json === undefined) return [];
    found.push(json);
  }
  return found;
}

const choicesOf = (json: unknown): unknown[] =>
  json instanceof Object && "choices" in json && Array.isArray(json.choices) ? json.choices : [];

const isChunk = (json: unknown): boolean =>
  choicesOf(json).some((choice) => choice instanceof Object && "delta" in choice && !("message" in choice));

/** The one completion that was streamed in parts; undefined where they are of several, or its end is missing. */
function joined(parts: readonly unknown[]): unknown {
  const chunks = z.array(Chunk).safeParse(parts).data ?? [];
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const end = choices.findLast(({ finish_reason }) => finish_reason);
  if (end === undefined || new Set(chunks.flatMap(({ id }) => id || [])).size > 1) return undefined;
  const text = (key: "content" | "refusal") => choices.map(({ delta }) => delta[key] ?? "").join("");
  const message = {
    content: text("content"),
    refusal: text("refusal"),
    tool_calls: choices.find(({ delta }) => delta.tool_calls)?.delta.tool_calls,
  };
  // Each part tells what it knows; what it does not know yet is null.
  const told = Object.fromEntries(chunks.flatMap((one) => Object.entries(one).filter(([, value]) => value !== null)));
  return { ...told, choices: [{ finish_reason: end.finish_reason, message }] };
}

const beginning = (text: string): string => text.trim() === "" ? "an empty body" : `it begins ${text.slice(0, 200)}`;

/** A body's shape in words: its keys when it is an object. */
function shape(body: unknown): string {
  if (body === null || typeof body !== "object") return beginning(JSON.stringify(body));
  if ("choices" in body && Array.isArray(body.choices) && body.choices.length === 0) return "no choices";
  return `an object with keys ${Object.keys(body).slice(0, 10).join(", ")}`;
}
