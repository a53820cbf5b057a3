import assert from "node:assert/strict";
import { type Cause, causeOf, CAUSES, fits, type Told } from "@/model/causes.ts";
import type { FailureCode } from "@/schema/model_call.ts";
import { completion, failureOf } from "./endpoint.ts";

type Body = readonly [name: string, status: number, body: unknown, code: FailureCode, says?: RegExp];

const oai = (message: string, more: object = {}) => ({ error: { message, type: "invalid_request_error", ...more } });
const vllm = (message: string) => ({ object: "error", message, type: "BadRequestError", param: null, code: 400 });
const tgi = (error: string) => ({ error, error_type: "validation" });
const ended = (finish_reason: string, content: string | null = "Option B.") =>
  completion({ finish_reason, message: { content } });

const WINDOW = /--window K/, MODEL = /--council live:MODEL/, KEY = /check OPENAI_API_KEY \(apiKey\)/;

/** As servers, gateways and providers write: one body, one cause. */
const BODIES: readonly Body[] = [
  [
    "OpenAI, too long",
    400,
    oai(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
      { code: "context_length_exceeded" },
    ),
    "context_length",
    WINDOW,
  ],
  [
    "OpenAI, a new model, too long",
    400,
    oai("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.", {
      code: "context_length_exceeded",
    }),
    "context_length",
  ],
  [
    "OpenAI, a text beyond all bounds",
    400,
    oai("Invalid 'messages[1].content': string too long.", { code: "string_above_max_length" }),
    "context_length",
  ],
  [
    "vLLM, too long",
    400,
    vllm(
      "This model's maximum context length is 4096 tokens. However, you requested 4711 tokens (4111 in the messages, 600 in the completion).",
    ),
    "context_length",
  ],
  ["vLLM, no room for a reply", 400, vllm("max_tokens must be at least 1, got -615."), "context_length"],
  [
    "vLLM, little room for a reply",
    400,
    vllm(
      "'max_tokens' or 'max_completion_tokens' is too large: 600. This model's maximum context length is 4096 tokens and your request has 3800 input tokens",
    ),
    "context_length",
  ],
  [
    "vLLM, the engine",
    500,
    vllm("The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
    "context_length",
  ],
  [
    "SGLang, too long",
    400,
    vllm("The input (5000 tokens) is longer than the model's context length (4096 tokens)."),
    "context_length",
  ],
  [
    "SGLang, too much asked for",
    400,
    vllm("Requested token count exceeds the model's maximum context length of 4096 tokens."),
    "context_length",
  ],
  [
    "TGI, too long",
    422,
    tgi(
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 600 `max_new_tokens`",
    ),
    "context_length",
  ],
  [
    "TGI, an input too long",
    422,
    tgi("Input validation error: `inputs` must have less than 1024 tokens. Given: 2000"),
    "context_length",
  ],
  ["llama.cpp, too long", 400, {
    error: {
      code: 400,
      message: "request (4711 tokens) exceeds the available context size (4096 tokens)",
      type: "exceed_context_size_error",
    },
  }, "context_length"],
  ["llama.cpp of old", 500, {
    error: {
      code: 500,
      message:
        "the request exceeds the available context size. try increasing the context size or enable context shift",
      type: "server_error",
    },
  }, "context_length"],
  ["Ollama, too long", 400, oai("prompt too long; exceeded max context length by 12 tokens"), "context_length"],
  ["LM Studio, too long", 400, {
    error:
      "Trying to keep the first 4711 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
  }, "context_length"],
  ["LM Studio, n_keep", 400, { error: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)" }, "context_length"],
  ["Gemini, too long", 400, [{
    error: {
      code: 400,
      message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      status: "INVALID_ARGUMENT",
    },
  }], "context_length"],
  ["Anthropic, too long", 400, {
    type: "error",
    error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
  }, "context_length"],
  ["Anthropic, too large", 413, {
    type: "error",
    error: { type: "request_too_large", message: "Request exceeds the maximum size" },
  }, "context_length"],
  ["Bedrock, too long", 400, { message: "Input is too long for requested model." }, "context_length"],
  ["Mistral, too long", 400, {
    object: "error",
    message: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    type: "invalid_request_error",
    code: "3051",
  }, "context_length"],
  [
    "Groq, too long",
    400,
    oai("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" }),
    "context_length",
  ],
  ["xAI, too long", 400, {
    code: "Client specified an invalid argument",
    error: "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
  }, "context_length"],
  ["OpenRouter, too long", 400, {
    error: {
      message: "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens.",
      code: 400,
    },
  }, "context_length"],
  [
    "Fireworks, too long",
    400,
    oai("The prompt is too long: 5000, model maximum context length: 4096"),
    "context_length",
  ],
  [
    "Copilot, too long",
    400,
    oai("prompt token count of 70000 exceeds the limit of 64000", { code: "model_max_prompt_tokens_exceeded" }),
    "context_length",
  ],
  [
    "Moonshot, too long",
    400,
    oai("Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)"),
    "context_length",
  ],
  ["DashScope, too long", 400, oai("Range of input length should be [1, 30720]"), "context_length"],
  ["Databricks, too long", 400, {
    error_code: "BAD_REQUEST",
    message: "prompt token count (5000) cannot exceed 4096. Please decrease the length of the prompt.",
  }, "context_length"],
  [
    "Cohere, too long",
    400,
    { message: "too many tokens: total number of tokens in the prompt cannot exceed 4081" },
    "context_length",
  ],
  [
    "LiteLLM, too long",
    400,
    oai("litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - too much"),
    "context_length",
  ],
  ["a proxy, too large", 413, "<html><h1>413 Request Entity Too Large</h1></html>", "context_length"],
  [
    "Groq, larger than a minute's limit",
    413,
    oai(
      "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9012, please reduce your message size",
      { code: "rate_limit_exceeded" },
    ),
    "context_length",
  ],
  [
    "OpenAI, larger than a minute's limit",
    429,
    oai(
      "Request too large for gpt-4o on tokens per min (TPM): Limit 30,000, Requested 45,000. The input or output tokens must be reduced in order to run successfully.",
      { code: "rate_limit_exceeded" },
    ),
    "context_length",
  ],
  [
    "Groq, a minute's limit",
    429,
    oai(
      "Rate limit reached for model `m` on tokens per minute (TPM): Limit 6000, Used 5800, Requested 900. Please try again in 7.2s.",
      { code: "rate_limit_exceeded" },
    ),
    "rate_limit",
  ],
  [
    "OpenAI, a limit on a reply",
    400,
    oai("max_tokens is too large: 600. This model supports at most 512 completion tokens, whereas you provided 600."),
    "bad_request",
    /--max-tokens/,
  ],
  [
    "Groq, a limit on a reply",
    400,
    oai(
      "`max_tokens` must be less than or equal to `512`, the maximum value for `max_tokens` is less than the `context_window` for this model",
    ),
    "bad_request",
    /--max-tokens/,
  ],
  [
    "Anthropic, a limit on a reply",
    400,
    oai("max_tokens: 5000 > 4096, which is the maximum allowed number of output tokens for m"),
    "bad_request",
    /--max-tokens/,
  ],
  [
    "OpenAI, no credit",
    429,
    oai("You exceeded your current quota, please check your plan and billing details.", { code: "insufficient_quota" }),
    "quota",
    /add credit/,
  ],
  ["Anthropic, no credit", 400, oai("Your credit balance is too low to access the Anthropic API."), "quota"],
  ["DeepSeek, no credit", 402, oai("Insufficient Balance"), "quota"],
  [
    "MiniMax, no credit",
    200,
    { choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
    "quota",
  ],
  ["OpenRouter, no credit", 402, {
    error: { message: "This request requires more credits, or fewer max_tokens.", code: 402 },
  }, "quota"],
  ["Gemini, a quota that comes back", 429, [{
    error: {
      code: 429,
      message: "You exceeded your current quota, limit: 50. Please retry in 33.5s.",
      status: "RESOURCE_EXHAUSTED",
    },
  }], "rate_limit"],
  [
    "Azure, busy",
    429,
    oai(
      "Requests to the ChatCompletions_Create Operation have exceeded call rate limit. Please retry after 20 seconds.",
      { code: "429" },
    ),
    "rate_limit",
  ],
  ["Bedrock, busy", 400, {
    __type: "ThrottlingException",
    message: "Too many tokens, please wait before trying again.",
  }, "rate_limit"],
  ["a router's limit in a 200", 200, { error: { code: 429, message: "upstream" } }, "rate_limit"],
  [
    "Anthropic, overloaded",
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    "server",
  ],
  ["llama.cpp, loading", 503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }, "server"],
  ["Hugging Face, loading, in a 200", 200, { error: "Model m is currently loading", estimated_time: 20 }, "server"],
  ["a page of a gateway", 502, "<html>Bad gateway</html>", "server"],
  ["SGLang, an error in a 200", 200, {
    object: "error",
    message: "Internal server error",
    type: "InternalServerError",
    code: 500,
  }, "server"],
  ["FastAPI, an error in a 200", 200, { detail: "Internal Server Error" }, "server"],
  [
    "Azure, filtered",
    400,
    oai("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", {
      code: "content_filter",
      innererror: { code: "ResponsibleAIPolicyViolation" },
    }),
    "content_filter",
  ],
  ["DeepSeek, filtered", 400, oai("Content Exists Risk"), "content_filter"],
  [
    "DashScope, filtered",
    400,
    oai("Output data may contain inappropriate content.", { code: "data_inspection_failed" }),
    "content_filter",
  ],
  [
    "OpenAI, flagged",
    400,
    oai("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", {
      code: "invalid_prompt",
    }),
    "content_filter",
  ],
  ["OpenRouter, flagged", 403, {
    error: { code: 403, message: "Input was flagged", metadata: { reasons: ["violence"] } },
  }, "content_filter"],
  ["an engine, too long", 400, vllm("Prompt length 5000 is above max_model_len 4096"), "context_length"],
  ["a gateway, a daily limit", 429, oai("You reached your token limit per day"), "rate_limit"],
  [
    "an invalid role",
    422,
    { detail: [{ msg: "Input should be 'user' or 'assistant': invalid role: system" }] },
    "bad_request",
    /"foldSystem": true/,
  ],
  [
    "a role that is none",
    400,
    oai("'system' is not one of ['user', 'assistant'] - 'messages.0.role'"),
    "bad_request",
    /"foldSystem": true/,
  ],
  ["Apigee, a fault", 500, { fault: { faultstring: "Gateway failed" } }, "server", /500 Gateway failed/],
  [
    "transformers, temperature 0",
    400,
    vllm("`temperature` (=0.0) has to be a strictly positive float"),
    "bad_request",
    /--temperature 0\.01/,
  ],
  ["FastAPI, no such path in a 200", 200, { detail: "Not Found" }, "bad_request", /check OPENAI_BASE_URL/],
  [
    "errors in a list",
    200,
    { errors: [{ message: "the sky" }, { message: "is falling" }] },
    "unknown",
    /the sky; is falling/,
  ],
  ["an error within an error", 503, { error: { error: { message: "deep down" } } }, "server", /503 deep down/],
  ["vLLM, no system role", 400, vllm("System role not supported"), "bad_request", /"foldSystem": true/],
  [
    "llama.cpp, no system role",
    500,
    {
      error: {
        code: 500,
        message: "Only user, assistant and tool roles are supported, got system. at row 189",
        type: "server_error",
      },
    },
    "bad_request",
    /"foldSystem": true/,
  ],
  [
    "TGI, roles by turns",
    422,
    {
      error: "Template error: syntax error: Conversation roles must alternate user/assistant",
      error_type: "template_error",
    },
    "bad_request",
    /"foldSystem": true/,
  ],
  [
    "OpenAI, no system role",
    400,
    oai("Unsupported value: 'messages[0].role' does not support 'system' with this model.", {
      param: "messages[0].role",
      code: "unsupported_value",
    }),
    "bad_request",
    /"foldSystem": true/,
  ],
  [
    "Gemini for Gemma, no system words",
    400,
    [{
      error: {
        code: 400,
        message: "Developer instruction is not enabled for models/gemma-3-27b-it",
        status: "INVALID_ARGUMENT",
      },
    }],
    "bad_request",
    /"foldSystem": true/,
  ],
  [
    "TGI, temperature 0",
    422,
    tgi("Input validation error: `temperature` must be strictly positive"),
    "bad_request",
    /--temperature 0\.01/,
  ],
  ["a temperature above 0", 400, vllm("temperature must be greater than 0"), "bad_request", /--temperature 0\.01/],
  [
    "no temperature",
    400,
    oai(
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      { param: "temperature", code: "unsupported_value" },
    ),
    "bad_request",
    /--no-temperature/,
  ],
  [
    "another name of the limit",
    400,
    oai("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", {
      param: "max_tokens",
    }),
    "bad_request",
    /--token-limit max_completion_tokens/,
  ],
  [
    "no seed",
    422,
    { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] },
    "bad_request",
    /sendSeed: false/,
  ],
  [
    "LM Studio, no such path",
    200,
    { error: "Unexpected endpoint or method. (POST /chat/completions)" },
    "bad_request",
    /check OPENAI_BASE_URL \(baseUrl\)/,
  ],
  ["Ollama, no such path", 404, "404 page not found", "bad_request", /check OPENAI_BASE_URL/],
  ["FastAPI, no such path", 404, { detail: "Not Found" }, "bad_request", /check OPENAI_BASE_URL/],
  ["no such model", 404, oai("The model `m` does not exist", { code: "model_not_found" }), "bad_request", MODEL],
  ["an unknown complaint", 422, oai("no such thing"), "bad_request"],
  ["a wrong key", 401, oai("Incorrect API key provided: sk-***"), "auth", KEY],
  [
    "Gemini, a wrong key",
    400,
    [{ error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" } }],
    "auth",
    KEY,
  ],
  ["Zhipu, a wrong key in a 200", 200, { code: 401, msg: "token expired or incorrect", success: false }, "auth"],
  ["a gateway, forbidden", 403, { message: "Forbidden" }, "auth"],
  ["a gateway, too late", 408, { message: "Request Timeout" }, "timeout"],
  ...[
    "length",
    "model_length",
    "max_tokens",
    "MAX_TOKENS",
    "max_output_tokens",
    "model_context_window_exceeded",
    "context_length_exceeded",
  ].flatMap((reason): Body[] => [
    [`finish reason ${reason}`, 200, ended(reason), "truncated", /--max-tokens/],
    [`finish reason ${reason} without text`, 200, ended(reason, null), "truncated"],
  ]),
  ...[
    "content_filter",
    "SAFETY",
    "RECITATION",
    "PROHIBITED_CONTENT",
    "BLOCKLIST",
    "SPII",
    "refusal",
    "guardrail_intervened",
    "sensitive",
    "content_filter: SAFETY",
  ].map((reason): Body => [`finish reason ${reason}`, 200, ended(reason, ""), "content_filter"]),
  ["finish reason OTHER without text", 200, ended("OTHER", ""), "content_filter"],
  ...[
    "abort",
    "error",
    "insufficient_system_resource",
    "network_error",
    "internal_server_error",
    "ERROR",
    "cancelled",
    "load",
  ].flatMap((
    reason,
  ): Body[] => [
    [`finish reason ${reason}`, 200, ended(reason), "server"],
    [`finish reason ${reason} without text`, 200, ended(reason, ""), "server"],
  ]),
  ["finish reason MALFORMED_FUNCTION_CALL", 200, ended("MALFORMED_FUNCTION_CALL", ""), "tool_call"],
  ["a refusal", 200, completion({ message: { content: null, refusal: "I cannot." } }), "content_filter"],
  ["no text", 200, ended("stop", ""), "empty"],
  ["an end nobody knows without text", 200, ended("whatever", ""), "empty"],
  [
    "words in reasoning",
    200,
    completion({ message: { content: "", reasoning: "Let me see." } }),
    "empty",
    /words stand in `reasoning`; start the server without its reasoning parser/,
  ],
  [
    "words in reasoning_content",
    200,
    completion({ message: { content: null, reasoning_content: "Let me see." } }),
    "empty",
    /`reasoning_content`/,
  ],
  [
    "a tool call",
    200,
    completion({ message: { content: null, tool_calls: [{ function: { name: "f", arguments: "{}" } }] } }),
    "tool_call",
  ],
  ["too much text", 200, ended("stop", "x".repeat(70_000)), "oversize"],
  ["a page", 200, "<html>Log in</html>", "protocol", /check OPENAI_BASE_URL/],
  ["half a body", 200, '{"choices": [', "protocol"],
  [
    "a number that is none",
    200,
    JSON.stringify(ended("stop")).replace('"index":0', '"logprob":-Infinity,"index":0').replace("}]", ',"p":NaN}]'),
    "protocol",
    /it holds -Infinity, .*"logprobs"/,
  ],
  ["a form of its own", 200, { choices: [{ text: "Option B." }] }, "protocol"],
  ["something else", 200, { ok: true }, "unknown", /\{"ok":true\}/],
  ["an error in words of its own", 200, { error: "the sky is falling" }, "unknown", /the sky is falling/],
  ["a status of its own", 418, { error: "I'm a teapot" }, "unknown", /status 418.*teapot/],
];

/** What a body tells, put together without the code that reads replies. */
function toldOf(status: number, text: string): Told {
  const line = text.replace(/\s+/g, " ");
  if (status !== 200) return { shape: "error", status, words: line };
  if (/: ?(-Infinity|NaN)/.test(text)) return { shape: "no numbers" };
  if (text.startsWith("<")) return { shape: "page" };
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return { shape: "no JSON" };
  }
  const choice = body.choices?.[0];
  if (choice && !choice.message) return { shape: "unreadable form" };
  if (!choice) return { shape: "error", status: body.code > 99 ? body.code : body.error?.code ?? 200, words: line };
  const { finish_reason: finish, message: { content, refusal, tool_calls, ...more } } = choice;
  if (refusal) return { shape: "refusal" };
  const thinks = more.reasoning || more.reasoning_content;
  if (content?.length > 65_536) return { shape: "too much text" };
  return { finish, shape: content ? "reply" : tool_calls ? "tool call" : thinks ? "reasoning alone" : "no text" };
}

const nameOf = ({ code, say = "", finish, words, shape, status }: Cause) =>
  `${code} ${[finish, words, shape, status].flat().slice(0, 3)} ${say.slice(0, 20)}`;

for (const [name, status, body, code, says = /./] of BODIES) {
  Deno.test(`${name} (${status}): ${code}`, async () => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { failure } = await failureOf(() => new Response(text, { status })), told = toldOf(status, text);
    assert.equal(failure.code, code, failure.message);
    assert.match(failure.message, says);
    assert.equal(causeOf(told).code, code);
    const tell = (part: keyof typeof CAUSES) => CAUSES[part].filter((row) => fits(row, told));
    const sure = [...told.words ? tell("words") : [], ...told.finish ? tell("finish") : []];
    const fitting = sure.length > 0 ? sure : tell("form");
    assert.equal(fitting.length, code === "unknown" ? 0 : 1, fitting.map(nameOf).join("\n"));
  });
}
