import type { ServerResponse } from "node:http";
import type { FailureCode } from "@/schema/model_call.ts";

/** One request that an endpoint is about to mishandle. */
interface Exchange {
  readonly response: ServerResponse;
  /** The chat completion that it would get from a sound endpoint. */
  readonly completion: Completion;
}

/** A chat completion as OpenAI documents it. */
export interface Completion {
  readonly id: string;
  readonly object: "chat.completion";
  readonly model: string;
  readonly choices: readonly [{ index: 0; finish_reason: string; message: { role: "assistant"; content: string } }];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

/** One way in which an endpoint fails, and what the record must say of it. */
export interface Fault {
  /** The code that the failed try must have; `reply` where what came can be used. */
  readonly recorded: FailureCode | "reply";
  /** Whether the bytes that arrive tell of tokens that were billed. */
  readonly bills: boolean;
  respond(exchange: Exchange): void;
}

const JSON_TYPE = { "content-type": "application/json" };
const HTML = "<!DOCTYPE html><html><body><h1>Something went wrong</h1></body></html>";

const send = (response: ServerResponse, status: number, headers: Record<string, string>, body: string) =>
  void response.writeHead(status, headers).end(body);

/** A status with an error body as OpenAI documents it. */
const status = (
  recorded: FailureCode,
  code: number,
  headers: () => Record<string, string> = () => ({}),
  fields: Record<string, unknown> = {},
): Fault => ({
  recorded,
  bills: false,
  respond({ response }) {
    const error = { message: `status ${code} on purpose`, ...fields };
    send(response, code, { ...JSON_TYPE, ...headers() }, JSON.stringify({ error }));
  },
});

/** A page where JSON was due. */
const page = (recorded: FailureCode, code: number): Fault => ({
  recorded,
  bills: false,
  respond: ({ response }) => send(response, code, { "content-type": "text/html" }, HTML),
});

/** A reply with status 200 whose body is the sound completion changed. */
const changed = (
  recorded: Fault["recorded"],
  change: (completion: Completion) => unknown,
  { bills = true }: { bills?: boolean } = {},
): Fault => ({
  recorded,
  bills,
  respond: ({ response, completion }) => send(response, 200, JSON_TYPE, JSON.stringify(change(completion))),
});

/** The sound completion with other fields in its one choice. */
const choice = (recorded: Fault["recorded"], fields: Record<string, unknown>, told = { bills: true }): Fault =>
  changed(recorded, (completion) => ({ ...completion, choices: [{ ...completion.choices[0], ...fields }] }), told);

/** Sends as much of the sound reply as `share` of its bytes, its headers first, and then closes the connection. */
const cut = (share: number): Fault => ({
  recorded: "network",
  bills: false,
  respond({ response, completion }) {
    const body = new TextEncoder().encode(JSON.stringify(completion));
    response.writeHead(200, { ...JSON_TYPE, "content-length": String(body.length) });
    response.flushHeaders();
    response.write(body.subarray(0, Math.floor(share * body.length)), () => response.socket?.destroy());
  },
});

/** How long the milder rate limits ask to be left alone, in milliseconds. */
const SHORT_MS = 20;
/** Size of the body that is too large, in bytes. */
const HUGE = 8_000_000;

/** Every fault by name. */
export const FAULTS = {
  "rate limit, Retry-After in seconds": status("rate_limit", 429, () => ({ "retry-after": String(SHORT_MS / 1000) })),
  "rate limit, retry-after-ms": status("rate_limit", 429, () => ({ "retry-after-ms": String(SHORT_MS) })),
  // The server's own date stands beside it, and dates have whole seconds: the wait is none.
  "rate limit, Retry-After as a date": status("rate_limit", 429, () => {
    const now = new Date().toUTCString();
    return { date: now, "retry-after": now };
  }),
  "rate limit, x-ratelimit-reset": status("rate_limit", 429, () => ({
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": `${SHORT_MS}ms`,
  })),
  "rate limit, bare": status("rate_limit", 429),
  "status 500": status("server", 500),
  "status 502 with a page": page("server", 502),
  "status 503": status("server", 503),
  "dropped before the headers": {
    recorded: "network",
    bills: false,
    respond: ({ response }) => void response.socket?.destroy(),
  },
  "dropped after the headers": cut(0),
  "half a body": cut(0.5),
  "page with status 200": page("protocol", 200),
  "broken JSON": {
    recorded: "protocol",
    bills: false,
    respond: ({ response, completion }) => send(response, 200, JSON_TYPE, JSON.stringify(completion).slice(0, -9)),
  },
  "no choices": changed("unknown", (completion) => ({ ...completion, choices: [] }), { bills: false }),
  "empty text": choice("empty", { message: { role: "assistant", content: "" } }),
  "null content": choice("empty", { message: { role: "assistant", content: null } }),
  "cut at the length": choice("truncated", { finish_reason: "length" }),
  "content filter": choice("content_filter", { finish_reason: "content_filter" }),
  "refusal": choice("content_filter", { message: { role: "assistant", content: null, refusal: "I cannot." } }),
  "slow drip": {
    recorded: "timeout",
    bills: false,
    respond({ response }) {
      response.writeHead(200, JSON_TYPE);
      const timer = setInterval(() => response.write(" "), 5);
      response.on("close", () => clearInterval(timer));
    },
  },
  "status 400": status("bad_request", 400),
  "status 401": status("auth", 401),
  "status 402": status("quota", 402),
  "status 404": status("bad_request", 404),
  "no credit": status("quota", 429, () => ({}), { code: "insufficient_quota" }),
  // So few tokens cannot have made so many bytes.
  "huge body": choice("oversize", { message: { role: "assistant", content: "y".repeat(HUGE) } }, { bills: false }),
  "no usage": changed("reply", ({ usage: _, ...rest }) => rest, { bills: false }),
  "wrong usage": changed("reply", (completion) => ({
    ...completion,
    usage: { prompt_tokens: -1, completion_tokens: "many" },
  }), { bills: false }),
  "another model": changed("reply", (completion) => ({ ...completion, model: `${completion.model}-next` })),
} satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

/** The faults after which the same request may be answered, and those in which it is: no run is lost to them. */
export const PASSING: readonly FaultName[] = [
  "rate limit, Retry-After in seconds",
  "rate limit, retry-after-ms",
  "rate limit, x-ratelimit-reset",
  "rate limit, bare",
  "status 500",
  "status 502 with a page",
  "status 503",
  "dropped before the headers",
  "dropped after the headers",
  "half a body",
  "page with status 200",
  "broken JSON",
  "no choices",
  "empty text",
  "no usage",
  "wrong usage",
  "another model",
];
