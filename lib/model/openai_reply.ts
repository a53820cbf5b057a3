import { z } from "zod";
import type { ChatReply, ChatRequest, Usage } from "../schema/model_call.ts";
import { ModelError } from "./chat_model.ts";
import { endpointFailureCode, tidy } from "./openai_failure.ts";
import { redact } from "./redact.ts";

const Count = z.int().min(0);

/** An endpoint's trouble inside a reply with status 200, as OpenRouter reports it. */
const BodyError = z.object({
  code: z.union([z.number(), z.string()]).nullish(),
  type: z.string().nullish().catch(undefined),
  message: z.string().catch("no message"),
});

const CalledTool = z.object({ name: z.string(), arguments: z.string().catch("") });

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
    cost: z.number().min(0).nullish().catch(undefined),
  }).nullish().catch(undefined),
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    message: z.object({
      content: z.string().nullish(),
      refusal: z.string().nullish(),
      tool_calls: z.array(z.object({ function: CalledTool.nullish() })).nullish().catch(undefined),
      // The older form of the same.
      function_call: CalledTool.nullish().catch(undefined),
    }),
    // As with usage: malformed is unknown.
    logprobs: z.object({
      content: z.array(z.object({ token: z.string(), logprob: z.number() })).min(1),
    }).nullish().catch(undefined),
    error: BodyError.nullish().catch(undefined),
  })).min(1),
});
type Completion = z.infer<typeof Completion>;

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

/** The largest body of a reply that is read, in bytes: many times what its tokens can hold, and the JSON around them. */
export const bodyLimit = ({ maxTokens }: ChatRequest, { logprobs = false }: { logprobs?: boolean | undefined } = {}) =>
  Math.max(65_536, (logprobs ? 576 : 64) * maxTokens);

/** The longest text that so many tokens can be, with some room: English takes four characters a token. */
const textLimit = ({ maxTokens }: ChatRequest): number => Math.max(4096, 16 * maxTokens);

/**
 * The body of an HTTP 200 response, read as a reply.
 *
 * @throws {ModelError} when there is no usable reply: `protocol` for a body that is not a chat completion, `content_filter`,
 * `truncated`, `oversize`, `tool_call`, `empty`, or what an error inside the body stands for. What did come is in its `received`.
 */
export function openaiReply(text: string, context: ReplyContext): ChatReply {
  const { request, secrets } = context;
  const say = (text: string) => `${request.model}: ${tidy(text, secrets)}`;
  const body = parseJson(text);
  if (body === undefined) throw new ModelError("protocol", say(`the reply is not JSON: ${beginning(text)}`));
  const bodyError = bodyErrorOf(body);
  if (bodyError) throw endpointTrouble(bodyError, context);
  const completion = Completion.safeParse(body);
  if (!completion.success) throw new ModelError("protocol", say(`the reply is no chat completion: ${shape(body)}`));

  const [{ finish_reason: finishReason, message: { refusal }, error }] = completion.data.choices as [Choice];
  const received = chatReply(completion.data, context);
  const failed = (code: ModelError["code"], text: string) => new ModelError(code, say(text), { received });
  if (error) throw endpointTrouble(error, context, received);
  if (refusal) throw failed("content_filter", `the model refused: ${refusal}`);
  if (finishReason === "content_filter") throw failed("content_filter", "the provider's filter stopped the reply");
  if (received.text.length > textLimit(request)) {
    const { length } = received.text;
    throw failed("oversize", `${length} characters came where ${request.maxTokens} tokens (maxTokens) were asked for`);
  }
  if (finishReason === "length") {
    throw failed("truncated", `the reply was cut at ${request.maxTokens} tokens (maxTokens)`);
  }
  if (finishReason === "error") throw failed("server", "the provider failed while writing the reply");
  if (received.text.trim() !== "") return received;
  const [tool] = toolsCalled(completion.data);
  if (tool === undefined) throw failed("empty", "the reply has no text");
  throw failed(
    "tool_call",
    `the reply calls the tool ${tool.name} and has no text, though it was offered none: turn tools off where the model is ` +
      `served, or ask another model (its arguments: ${tool.arguments})`,
  );
}

function toolsCalled({ choices: [choice] }: Completion): z.infer<typeof CalledTool>[] {
  const { tool_calls: calls, function_call: called } = choice!.message;
  return [...calls ?? [], { function: called }].flatMap((call) => call.function ?? []);
}

type Choice = Completion["choices"][number];

function chatReply(completion: Completion, { latencyMs, dropped, secrets }: ReplyContext): ChatReply {
  const { model, system_fingerprint: fingerprint, usage, choices: [choice] } = completion;
  // The model's words stay as written, except that our own key never leaves.
  const clean = (text: string) => redact(text, { secrets, lookAlikes: false });
  const tokens = choice?.logprobs?.content;
  // A key could stand in pieces, which are not found one by one.
  const whole = tokens?.map(({ token }) => token).join("") ?? "";
  return {
    text: clean(choice?.message.content ?? ""),
    ...(completion.synthetic ? { synthetic: true as const } : {}),
    ...(model ? { servedModel: clean(model) } : {}),
    ...(fingerprint ? { fingerprint: clean(fingerprint) } : {}),
    ...(choice?.finish_reason ? { finishReason: clean(choice.finish_reason) } : {}),
    ...(usage ? { usage: usageOf(usage) } : {}),
    ...(tokens && clean(whole) === whole ? { logprobs: tokens } : {}),
    latencyMs,
    ...(dropped.length > 0 ? { dropped: [...dropped] } : {}),
  };
}

function usageOf(usage: NonNullable<Completion["usage"]>): Usage {
  const { prompt_tokens: promptTokens, completion_tokens: told, total_tokens: total, cost } = usage;
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    promptTokens,
    // Some count the tokens of reasoning in the total alone; they are billed all the same.
    completionTokens: Math.max(told, (total ?? 0) - promptTokens),
    ...(typeof cached === "number" && { cachedTokens: cached }),
    ...(typeof reasoning === "number" && { reasoningTokens: reasoning }),
    ...(typeof cost === "number" && { usd: cost }),
  };
}

function endpointTrouble(
  { code, type, message }: z.infer<typeof BodyError>,
  { request, secrets }: ReplyContext,
  received?: ChatReply,
): ModelError {
  const status = /^[1-5]\d\d$/.test(String(code)) ? Number(code) : undefined;
  const kind = endpointFailureCode({ status, code, words: `${code ?? ""} ${type ?? ""} ${message}` });
  return new ModelError(
    kind,
    `${request.model}: error inside the reply: ${tidy(`${code ?? ""} ${message}`, secrets)}`,
    {
      received,
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const beginning = (text: string): string => text.trim() === "" ? "an empty body" : `it begins ${text.slice(0, 200)}`;

/** What a body looks like, for a message: its keys when it is an object. */
function shape(body: unknown): string {
  if (body === null || typeof body !== "object") return beginning(JSON.stringify(body));
  if ("choices" in body && Array.isArray(body.choices) && body.choices.length === 0) return "no choices";
  return `an object with keys ${Object.keys(body).slice(0, 10).join(", ")}`;
}
