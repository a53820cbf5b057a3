import * as z from "zod";
import type { EnumOf, Optional } from "./type_helpers.ts";

type MessageShape = { role: EnumOf<"system" | "user" | "assistant">; content: z.ZodString };
export const ChatMessage: z.ZodObject<MessageShape, z.core.$strict> = z.strictObject({
  role: z.enum(["system", "user", "assistant"]),
  content: z.string(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A council's request to a model, live or not. */
export type ChatRequest =
  & { model: string; messages: ChatMessage[] }
  & Record<"temperature" | "seed" | "maxTokens", number>
  & {
    /** How much the model may think; absent: not sent. */
    reasoningEffort?: string | undefined;
    /** A JSON schema that the reply shall have, `strict`: that the endpoint must keep to; absent: words are asked for. */
    responseFormat?: { name: string; strict: boolean; schema: Record<string, z.core.util.JSONType> } | undefined;
  };
export const ChatRequest: z.ZodType<ChatRequest> = z.strictObject({
  model: z.string().min(1),
  messages: z.array(ChatMessage).min(1),
  temperature: z.number().min(0),
  seed: z.int(),
  maxTokens: z.int().min(1),
  reasoningEffort: z.string().min(1).optional(),
  responseFormat: z.strictObject({
    name: z.string().min(1),
    strict: z.boolean(),
    schema: z.record(z.string(), z.json()),
  }).optional(),
});

const FAILURES = [
  "auth",
  "bad_request",
  "budget_stop",
  "content_filter",
  "context_length",
  "empty",
  "interrupted",
  "network",
  "oversize",
  "protocol",
  "quota",
  "rate_limit",
  "server",
  "timeout",
  "tool_call",
  "truncated",
] as const;

/**
 * Reasons for a call without a usable reply. Failures of the model or the request are final and stay on record:
 * `content_filter`, `context_length`, `empty`, `oversize`, `tool_call`, `truncated`. `budget_stop`: not sent, since it
 * might have cost more than is left. `interrupted`: broken off by the caller. All others are the endpoint's failures, and a
 * live run waits for it to recover.
 */
export const FailureCode: EnumOf<FailureCode> = z.enum(FAILURES);
export type FailureCode = typeof FAILURES[number];

type Tokens = { promptTokens: number; completionTokens: number };
const tokens = { promptTokens: z.int().min(0), completionTokens: z.int().min(0) };

/** The tokens and cost of a call, as the endpoint reports them. */
export type Usage =
  & Tokens
  /** Of the prompt, read from the provider's cache; of the completion, not shown; and the provider's own figure. */
  & Optional<{ cachedTokens: number; reasoningTokens: number; usd: number }>;
const Usage: z.ZodType<Usage> = z.strictObject({
  ...tokens,
  cachedTokens: z.int().min(0).optional(),
  reasoningTokens: z.int().min(0).optional(),
  usd: z.number().min(0).optional(),
});

/** The maximum that a call can be billed; `usd` where bills have exceeded the price of its tokens. */
export type AtMost = Tokens & { usd?: number | undefined };
export const AtMost: z.ZodType<AtMost> = z.strictObject({ ...tokens, usd: z.number().min(0).optional() });

const atMost = AtMost.optional();

/** One try of a call that brought nothing usable, before another try was made or the call was given up. */
export type FailedTry =
  /** `waitedMs`: pause before the next try; `usage`: what the endpoint says the try took. */
  & { code: FailureCode; message: string; waitedMs: number; usage?: Usage | undefined }
  /** The maximum that can have been billed, where the endpoint reported no usage. */
  & { atMost?: AtMost | undefined };
export const FailedTry: z.ZodType<FailedTry> = z.strictObject({
  code: FailureCode,
  message: z.string(),
  waitedMs: z.number().min(0),
  usage: Usage.optional(),
  atMost,
});

/** A reply, with what is known of how it came about. Unknown fields are absent, never zero. */
export type ChatReply =
  & { text: string }
  & Optional<{
    /** Present when no language model wrote the text. */
    synthetic: true;
    /** Present when a configured key was cut out of it, before it was read. */
    redacted: true;
    /** Ln of each token's probability, in nats, where they were asked for and the endpoint gave them. */
    logprobs: { token: string; logprob: number }[];
    /** The maximum that can have been billed, where the endpoint reported no usage. */
    atMost: AtMost;
    /** Request parameters that were not sent to the endpoint. */
    dropped: string[];
  }>
  & Optional<Record<"servedModel" | "fingerprint" | "finishReason", string> & { usage: Usage; latencyMs: number }>
  & Optional<{ failedTries: FailedTry[] }>;
export const ChatReply: z.ZodType<ChatReply> = z.strictObject({
  text: z.string(),
  synthetic: z.literal(true).optional(),
  redacted: z.literal(true).optional(),
  servedModel: z.string().optional(),
  fingerprint: z.string().optional(),
  finishReason: z.string().optional(),
  usage: Usage.optional(),
  logprobs: z.array(z.strictObject({ token: z.string(), logprob: z.number() })).optional(),
  atMost,
  latencyMs: z.number().min(0).optional(),
  dropped: z.array(z.string()).optional(),
  failedTries: z.array(FailedTry).optional(),
});

/** One recorded exchange, whole: what `replay` answers from. */
export type ModelCall = {
  schema: "model-call/1";
  request: ChatRequest;
  reply?: ChatReply | undefined;
  /** `received`: what came with an unusable reply, such as its usage. */
  failure?: { code: FailureCode; message: string; received?: ChatReply | undefined } | undefined;
};
export const ModelCall: z.ZodType<ModelCall> = z.strictObject({
  schema: z.literal("model-call/1"),
  request: ChatRequest,
  reply: ChatReply.optional(),
  failure: z.strictObject({ code: FailureCode, message: z.string(), received: ChatReply.optional() }).optional(),
}).refine(({ reply, failure }) => (reply === undefined) !== (failure === undefined), {
  error: "a call has either a reply or a failure",
});
