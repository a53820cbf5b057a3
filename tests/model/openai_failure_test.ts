import fc from "fast-check";
import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { UserError } from "@/core/user_error.ts";
import { ModelError } from "@/model/chat_model.ts";
import { openaiChat } from "@/model/openai_chat.ts";
import { configuredSecrets, openaiRetryAfter, rateLimitReset, redact, unmistakable } from "@/model/openai_failure.ts";
import { queued } from "@/model/queued.ts";
import type { FailureCode } from "@/schema/model_call.ts";
import { assertLinear } from "../linear_time.ts";
import {
  apiKey,
  completion,
  drip,
  error,
  failureOf,
  rejection,
  request,
  withEndpoint,
  withHangUp,
} from "./endpoint.ts";

for (
  const [row, respond, code] of [
    ["01", error(429, { code: "rate_limit_exceeded" }), "rate_limit"],
    ["02", error(429, { code: "insufficient_quota" }), "quota"],
    ["02", error(429, { type: "insufficient_quota", code: null }), "quota"],
    ["02", error(402), "quota"],
    ["03", error(500), "server"],
    ["03", error(503), "server"],
    ["03", error(409), "server"],
    ["03", error(425), "server"],
    ["03", () => new Response("<html>Bad gateway</html>", { status: 502 }), "server"],
    ["04", error(400), "bad_request"],
    ["04", error(401), "auth"],
    ["04", error(403), "auth"],
    ["04", error(404), "bad_request"],
    ["04", error(422), "bad_request"],
    ["05", error(400, { code: "context_length_exceeded" }), "context_length"],
    ["05", error(400, { message: "This model's maximum context length is 8192 tokens." }), "context_length"],
    ["06", error(408), "timeout"],
    ["08", error(403, { message: "Input was flagged", metadata: { reasons: ["violence"] } }), "content_filter"],
    ["08", error(400, { code: "content_filter" }), "content_filter"],
  ] satisfies [string, () => Response, FailureCode][]
) {
  const { status } = respond();
  Deno.test(`fault ${row}: status ${status} is ${code}, asked once (${respond().headers.get("content-type")})`, async () => {
    const { failure, asked } = await failureOf(respond);
    assert.equal(failure.code, code);
    assert.equal(asked, 1, "fault 11: the client must not retry by itself");
    assert.ok(failure.message.includes("test/model") && failure.message.includes(String(status)), failure.message);
  });
}

Deno.test("fault 04: an error body of another shape keeps its words", async () => {
  const flat = { object: "error", message: "prompt is too long: 9000 tokens", code: 400 };
  const { failure } = await failureOf(() => Response.json(flat, { status: 400 }));
  assert.equal(failure.code, "context_length");
  assert.ok(failure.message.includes("9000 tokens"), failure.message);

  const detail = { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "not permitted" }] };
  const other = await failureOf(() => Response.json(detail, { status: 422 }), { sendSeed: true });
  assert.equal(other.failure.code, "bad_request");
  assert.ok(other.failure.message.includes("parameter seed") && other.failure.message.includes("sendSeed: false"));

  const routed = error(400, { message: "Provider returned error", metadata: { raw: "maximum context reached" } });
  const { failure: hidden } = await failureOf(routed);
  assert.equal(hidden.code, "context_length");
  assert.ok(hidden.message.includes("maximum context reached"), hidden.message);
});

for (
  const [param, message, fix] of [
    [
      "max_tokens",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'use --token-limit max_completion_tokens (maxTokensName: "max_completion_tokens")',
    ],
    [
      "temperature",
      "Unsupported value: 'temperature' does not support 0.7 with this model.",
      "use --no-temperature (sendTemperature: false), which is recorded",
    ],
    [
      "logprobs",
      "logprobs is not supported with this model",
      'take "logprobs" off its provider in scenarios/providers.json (logprobs: false); no run needs them',
    ],
    [
      "max_completion_tokens",
      "Unrecognized request argument supplied: max_completion_tokens",
      'use --token-limit max_tokens (maxTokensName: "max_tokens")',
    ],
  ] as const
) {
  for (const named of [param, null]) {
    Deno.test(`fault 13: unsupported ${param} (param ${named}) names the parameter and the fix`, async () => {
      const { failure } = await failureOf(error(400, { message, param: named, code: "unsupported_parameter" }));
      assert.equal(failure.code, "bad_request");
      assert.ok(failure.message.includes(`parameter ${param} is not supported`), failure.message);
      assert.ok(failure.message.includes(fix), failure.message);
    });
  }
}

for (
  const [what, respond, remedy] of [
    [
      "an unknown model",
      error(404, { message: "The model `m` does not exist" }),
      "choose a model that the endpoint has",
    ],
    ["an invalid model", error(400, { message: "m is not a valid model ID" }), "--council live:MODEL"],
    ["a wrong address", () => new Response("<h1>Not Found</h1>", { status: 404 }), "check OPENAI_BASE_URL (baseUrl)"],
    ["a wrong key", error(401), "check OPENAI_API_KEY (apiKey)"],
    ["no credit", error(402), "add credit"],
    ["a long prompt", error(400, { code: "context_length_exceeded" }), "--window K"],
    ["an unknown complaint", error(422, { message: "no such thing" }), "422 no such thing"],
  ] as const
) {
  Deno.test(`fault 04: what to do about ${what} is said after the endpoint's words`, async () => {
    const { failure } = await failureOf(respond);
    assert.ok(failure.message.includes(remedy), failure.message);
  });
}

Deno.test("fault 01: Google's error, an array, is read for its words and its delay", async () => {
  const body = [{ error: { code: 429, message: "quota", details: [{ retryDelay: "34s" }] } }];
  const { failure } = await failureOf(() => Response.json(body, { status: 429 }));
  assert.equal(failure.code, "rate_limit");
  assert.equal(failure.retryAfterMs, 34_000);
  assert.ok(failure.message.includes("quota"), failure.message);
});

Deno.test("fault 01: a reset of the rate limit is waited for, and so is what a 503 asks", async () => {
  const limited = await failureOf(error(429, {}, { "x-ratelimit-reset-tokens": "6m0s" }));
  assert.equal(limited.failure.retryAfterMs, 360_000);
  const busy = await failureOf(error(503, {}, { "x-ratelimit-reset-tokens": "6m0s", "retry-after": "3" }));
  assert.equal(busy.failure.retryAfterMs, 3000);
});

for (
  const [form, headers, ms] of [
    ["seconds", { "retry-after": "7" }, 7000],
    ["milliseconds", { "retry-after-ms": "1500.5", "retry-after": "7" }, 1500.5],
    ["date", { date: "Tue, 03 Mar 2026 10:00:00 GMT", "retry-after": "Tue, 03 Mar 2026 10:00:09 GMT" }, 9000],
    ["none", {}, undefined],
  ] as const
) {
  Deno.test(`fault 01: Retry-After as ${form}`, async () => {
    const { failure } = await failureOf(error(429, {}, headers));
    assert.equal(failure.code, "rate_limit");
    assert.equal(failure.retryAfterMs, ms);
  });
}

Deno.test("fault 03: a 500 and then a 200 is a reply with one failed try, over two requests", async () => {
  let asked = 0;
  await withEndpoint(
    () => (asked++ === 0 ? error(500)() : Response.json(completion())),
    async (baseUrl) => {
      const chat = queued(openaiChat({ baseUrl }), { rng: createRng(1), concurrency: 1, baseMs: 0 });
      const reply = await chat(request());
      assert.equal(reply.text, "Option B.");
      assert.deepEqual(reply.failedTries?.map(({ code }) => code), ["server"]);
    },
  );
  assert.equal(asked, 2);
});

const PARTIAL = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"choices":';
for (
  const [when, bytes] of [["before the reply", ""], ["within the reply", PARTIAL], ["with garbage", "\x01\x02\r\n\r\n"]]
) {
  Deno.test(`fault 03: a connection that ends ${when} is network`, async () => {
    await withHangUp(bytes!, async (baseUrl) => {
      const failure = await rejection(openaiChat({ baseUrl })(request()));
      assert.ok(failure instanceof ModelError);
      assert.equal(failure.code, "network");
      assert.equal(failure.received, undefined, "it was sent: what it cost is unknown, not zero");
    });
  });
}

Deno.test("fault 03: a refused connection, a failed look-up and a failed TLS handshake are network", async () => {
  let closed = "";
  await withEndpoint(() => new Response(), (baseUrl) => {
    closed = baseUrl;
    return Promise.resolve();
  });
  const refused = await rejection(openaiChat({ baseUrl: closed })(request()));
  assert.ok(refused instanceof ModelError && refused.code === "network");
  assert.match(
    refused.message,
    /refused.*; check that OPENAI_BASE_URL \(baseUrl\) is right, and that something answers there$/,
  );
  assert.deepEqual(refused.received?.usage, { promptTokens: 0, completionTokens: 0 }, "it was never sent");

  const unknownHost = () =>
    Promise.reject(new TypeError("fetch failed", { cause: new Error("dns error: no such host") }));
  const lookup = await rejection(openaiChat({ baseUrl: "https://a.test", apiKey, fetch: unknownHost })(request()));
  assert.ok(lookup instanceof ModelError && lookup.code === "network");
  assert.ok(lookup.message.endsWith("no such host"), lookup.message);
  assert.equal(lookup.received, undefined);

  await withHangUp("plain text\r\n\r\n", async (baseUrl) => {
    const tls = await rejection(openaiChat({ baseUrl: baseUrl.replace("http:", "https:") })(request()));
    assert.ok(tls instanceof ModelError && tls.code === "network");
  });
});

Deno.test("fault 06: an endpoint that never answers is timeout", async () => {
  const never = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
  const failure = await rejection(openaiChat({ baseUrl: "http://localhost", timeoutMs: 20, fetch: never })(request()));
  assert.ok(failure instanceof ModelError && failure.code === "timeout");
  assert.ok(failure.message.includes("20 ms"), failure.message);
});

Deno.test("fault 06: a body that drips beyond the deadline is timeout", async () => {
  const headers = { "content-type": "application/json" };
  const { failure } = await failureOf(() => new Response(drip('{"choices":['), { headers }), { timeoutMs: 40 });
  assert.equal(failure.code, "timeout");
});

Deno.test("fault 06: an error body that never ends ends at the deadline too, as what its status says", async () => {
  // In this process, so that the head is there at once, however busy the machine is.
  const fetch = () => Promise.resolve(new Response(drip("{"), { status: 503 }));
  const failure = await rejection(openaiChat({ baseUrl: "http://localhost", timeoutMs: 40, fetch })(request()));
  assert.ok(failure instanceof ModelError && failure.code === "server");
});

Deno.test({
  name: "openaiChat() names a missing permission instead of calling it a network failure",
  permissions: { net: false },
  fn: async () => {
    const failure = await rejection(openaiChat({ baseUrl: "http://127.0.0.1:8080" })(request()));
    assert.ok(failure instanceof UserError, Deno.inspect(failure));
    assert.ok(failure.message.includes("--allow-net"), failure.message);
  },
});

const now = () => Date.parse("2026-03-03T10:00:00Z");

for (
  const [headers, ms] of [
    [{}, undefined],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": " 2.5 " }, 2500],
    [{ "retry-after": "-3" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "Tue, 03 Mar 2026 10:01:00 GMT" }, 60_000],
    [{ "retry-after": "Tue, 03 Mar 2026 09:00:00 GMT" }, 0],
    // Both clocks an hour ahead of ours: the difference counts.
    [{ "retry-after": "Tue, 03 Mar 2026 11:00:30 GMT", date: "Tue, 03 Mar 2026 11:00:00 GMT" }, 30_000],
    [{ "retry-after-ms": "250" }, 250],
    [{ "retry-after-ms": "x", "retry-after": "1" }, 1000],
    [{ "retry-after": "2026-03-03T10:00:05Z" }, 5000],
    // On a failure of the server a limit that is not the cause says nothing.
    [{ "x-ratelimit-reset-requests": "1h" }, undefined],
  ] as const
) {
  Deno.test(`fault 01: openaiRetryAfter(${JSON.stringify(headers)}) is ${ms}`, () => {
    assert.equal(openaiRetryAfter(new Headers(headers), now), ms);
  });
}

const google = `[{"error": {"code": 429, "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo",
  "retryDelay": "34.5s"}], "status": "RESOURCE_EXHAUSTED"}}]`;

for (
  const [headers, words, ms] of [
    [{}, "slow down", undefined],
    [{ "retry-after": "2", "x-ratelimit-reset-requests": "1h" }, "try again in 20s", 2000],
    [{ "x-ratelimit-reset-requests": "1s" }, "", 1000],
    [{ "x-ratelimit-reset-tokens": "6m0s" }, "", 360_000],
    [{ "x-ratelimit-reset-tokens": "1h2m3.5s" }, "", 3_723_500],
    [{ "x-ratelimit-reset-requests": "20ms" }, "", 20],
    [{ "x-ratelimit-reset-requests": "8.64s", "x-ratelimit-reset-tokens": "17ms" }, "", 8640],
    [{ "x-ratelimit-reset-requests": "1d" }, "", 86_400_000],
    [{ "x-ratelimit-reset-requests": "12" }, "", 12_000],
    [{ "x-ratelimit-reset-requests": String(now() / 1000 + 7) }, "", 7000],
    [{ "x-ratelimit-reset": String(now() + 7000), "x-ratelimit-remaining": "0" }, "", 7000],
    [{ "x-ratelimit-reset": String(now() - 7000) }, "", 0],
    [{ "x-ratelimit-reset-tokens": "2026-03-03T10:00:09.5Z" }, "", 9500],
    [{ "x-ratelimit-reset-tokens": "soon" }, "", undefined],
    // Only a limit that is used up is the one to wait for.
    [
      {
        "x-ratelimit-reset-requests": "1h",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-tokens": "6s",
        "x-ratelimit-remaining-tokens": "0",
      },
      "",
      6000,
    ],
    [
      { "x-ratelimit-reset-requests": "1h", "x-ratelimit-remaining-requests": "59" },
      "Please try again in 1m30s. Visit",
      90_000,
    ],
    [{}, google, 34_500],
    [{}, "Rate limit reached. Please try again in 20s.", 20_000],
    [{}, "Please try again in 6.5 seconds", 6500],
    [{}, "Please retry in 850ms", 850],
    [{}, "try again in 2 minutes 5 seconds or never", 125_000],
    [{}, "retry after 3 apples", undefined],
    [{}, "You may retry after the end of time", undefined],
  ] as const
) {
  Deno.test(`fault 01: rateLimitReset(${JSON.stringify(headers)}, "${words.slice(0, 40)}") is ${ms}`, () => {
    const found = rateLimitReset(new Headers(headers), words, now);
    assert.equal(found === undefined ? undefined : Math.round(found), ms);
  });
}

for (
  const [text, expected] of [
    ["Incorrect API key provided: sk-proj-abc_DEF-1234.", "Incorrect API key provided: [redacted]"],
    ["key sk-or-v1-0123456789abcdef, again", "key [redacted], again"],
    ["provided: my-ca***********t-7f", "provided: [redacted]"],
    ["authorization: Bearer eyJhbGciOi.x.y", "authorization: Bearer [redacted]"],
    ["at (https://a.test/v1?x=1&api_key=abc&y=2)", "at (https://a.test/v1?x=1&api_key=[redacted]&y=2)"],
    ["at https://me:pass@a.test/v1", "at https://[redacted]@a.test/v1"],
    ["a risk-taking, sk-free text * with ** stars", "a risk-taking, sk-free text * with ** stars"],
  ] as const
) {
  Deno.test(`fault 46: redact() on "${text}"`, () => assert.equal(redact(text), expected));
}

Deno.test("fault 46: no secret survives wherever it stands, alone or URL-encoded", () => {
  const secret = fc.string({ minLength: 3 }).filter((text) => text.trim() !== "" && !"[redacted]".includes(text));
  fc.assert(
    fc.property(fc.array(fc.string()), secret, (parts, key) => {
      const redacted = redact(parts.join(key), { secrets: [key], lookAlikes: false });
      // What is left of the text may meet the marker and spell the secret anew only across the marker itself.
      assert.equal(redacted.split("[redacted]").some((rest) => rest.includes(key)), false);
    }),
    { seed: 46 },
  );
  assert.equal(redact("?k=a%2Fb%2Bc", { secrets: ["a/b+c"] }), "?k=[redacted]");
});

Deno.test("redact() hides a secret that contains another whole", () => {
  assert.equal(redact("abc abcdef", { secrets: ["abc", "abcdef"] }), "[redacted] [redacted]");
});

Deno.test("redact() leaves a text without secrets as it is; an empty secret hides nothing", () => {
  assert.equal(redact("sk-learn-0.24.1 Bearer of news", { lookAlikes: false }), "sk-learn-0.24.1 Bearer of news");
  assert.equal(redact("plain", { secrets: [""] }), "plain");
});

Deno.test("fault 46: a key of a few letters is no secret, and only one of 16 characters is looked for in words", () => {
  const headers = "X-Auth: short\nX-Token: six666\nX-Long: sixteen-letters!";
  const secrets = configuredSecrets({ apiKey: "e", headers });
  assert.deepEqual(secrets, ["six666", "sixteen-letters!"]);
  assert.deepEqual(unmistakable([...secrets, "fifteen-letters"]), ["sixteen-letters!"]);
  assert.deepEqual(configuredSecrets({ apiKey: "none", baseUrl: "http://127.0.0.1/v1?key=test" }), []);
});

Deno.test("fault 46: what is configured and secret is hidden, ordinary words and numbers are not", () => {
  const headers = [
    "X-Gateway-Key: canary-header",
    "Authorization: Basic Y2FuYXJ5OmJhc2lj",
    "X-Title: Chaos Lab for Deno",
    "X-Api-Version: 2024-10-21",
    "X-Priority: 1",
    "no colon",
  ].join("\n");
  const baseUrl = "https://gateway.test/v1?sig=canary%2Furl&api-version=2024-10-21&n=12";
  assert.deepEqual(configuredSecrets({ apiKey: "canary-key", headers, baseUrl }), [
    "canary-key",
    "canary-header",
    "Basic Y2FuYXJ5OmJhc2lj",
    "Y2FuYXJ5OmJhc2lj",
    "canary/url",
  ]);
  assert.deepEqual(configuredSecrets({}), []);
  assert.equal(
    redact("at https://gateway.test/v1?sig=canary%2Furl", { secrets: ["canary/url"] }).includes("canary"),
    false,
  );
  assert.equal(redact(JSON.stringify({ k: 'a"b\\c' }), { secrets: ['a"b\\c'] }), '{"k":"[redacted]"}');
});

for (
  const [name, part] of [
    ["one word", "x"],
    ["stars", "*"],
    ["stars and letters", "**x"],
    ["bearers", "Bearer "],
    ["a bearer and blanks", " "],
    ["keys", "sk-"],
    ["slashes", "//"],
    ["at signs", "//x@"],
    ["a page", "<p>The gateway is busy, try https://a.test/?key=1 again.</p>\n"],
  ] as const
) {
  Deno.test(`fault 19: redact() takes time in proportion to a text of ${name}`, () => {
    assertLinear((fill) => `Bearer ${fill(part)}`, (text) => redact(text, { secrets: ["canary-key"] }));
  });
}
