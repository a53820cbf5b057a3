import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { UserError } from "@/core/user_error.ts";
import { ModelError } from "@/model/chat_model.ts";
import { openaiChat, type OpenaiChatOptions } from "@/model/openai_chat.ts";
import { retrying } from "@/model/retrying.ts";
import { ChatReply, type FailureCode } from "@/schema/model_call.ts";
import { completion, drip, rejection, request, withEndpoint, withHangUp } from "./endpoint.ts";

const apiKey = "canary-7f3a9";

/** The failure of one call to an endpoint that answers as `respond` does, and how often the endpoint was asked. */
async function failureOf(respond: () => Response, options: OpenaiChatOptions = {}) {
  let asked = 0;
  let failure: unknown;
  await withEndpoint(() => (asked++, respond()), async (baseUrl) => {
    failure = await rejection(openaiChat({ baseUrl, apiKey, ...options })(request()));
  });
  assert.ok(failure instanceof ModelError, `expected a ModelError, got ${Deno.inspect(failure)}`);
  return { failure, asked };
}

/** What the endpoint received for one call. */
async function sent(options: OpenaiChatOptions) {
  const seen: { url: string; authorization: string | null; body: unknown }[] = [];
  let reply: ChatReply | undefined;
  await withEndpoint(async (received) => {
    const authorization = received.headers.get("authorization");
    seen.push({ url: new URL(received.url).pathname, authorization, body: await received.json() });
    return Response.json(completion());
  }, async (baseUrl) => {
    reply = await openaiChat({ baseUrl, ...options })(request());
  });
  assert.equal(seen.length, 1);
  return { ...seen[0]!, reply: reply! };
}

const error = (status: number, fields: Record<string, unknown> = {}, headers: HeadersInit = {}) => () =>
  Response.json({ error: { message: "no", ...fields } }, { status, headers });

Deno.test("openaiChat() sends the request and reads the reply", async () => {
  const { url, authorization, body, reply } = await sent({ apiKey });
  assert.equal(url, "/v1/chat/completions");
  assert.equal(authorization, "Bearer canary-7f3a9");
  assert.deepEqual(body, {
    model: "test/model",
    messages: [{ role: "user", content: "Which option?" }],
    temperature: 0.7,
    max_tokens: 64,
  });
  const { latencyMs, ...rest } = ChatReply.parse(reply);
  assert.ok(latencyMs !== undefined && latencyMs > 0 && latencyMs < 10_000);
  assert.deepEqual(rest, {
    text: "Option B.",
    servedModel: "test/model-2026-01-01",
    fingerprint: "fp_1",
    finishReason: "stop",
    usage: { promptTokens: 12, completionTokens: 3 },
    dropped: ["seed"],
  });
});

Deno.test("fault 13: parameters are sent or dropped by explicit choice, and what is dropped is recorded", async () => {
  const seeded = await sent({ apiKey, sendSeed: true });
  assert.equal((seeded.body as { seed?: number }).seed, 11);
  assert.equal("dropped" in seeded.reply, false);

  const bare = await sent({ apiKey, sendTemperature: false, maxTokensName: "max_completion_tokens" });
  assert.deepEqual(Object.keys(bare.body as object).toSorted(), ["max_completion_tokens", "messages", "model"]);
  assert.deepEqual(bare.reply.dropped, ["seed", "temperature"]);
});

Deno.test("openaiChat() needs no key on loopback and then sends none", async () => {
  assert.equal((await sent({})).authorization, null);
});

for (
  const [row, respond, code] of [
    ["01", error(429, { code: "rate_limit_exceeded" }), "rate_limit"],
    ["02", error(429, { code: "insufficient_quota" }), "quota"],
    ["02", error(429, { type: "insufficient_quota", code: null }), "quota"],
    ["02", error(402), "quota"],
    ["03", error(500), "server"],
    ["03", error(503), "server"],
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
      'maxTokensName: "max_completion_tokens"',
    ],
    ["temperature", "Unsupported value: 'temperature' does not support 0.7 with this model.", "sendTemperature: false"],
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
      const chat = retrying(openaiChat({ baseUrl }), { rng: createRng(1), sleep: () => Promise.resolve() });
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
  assert.ok(/refused/.test(refused.message), refused.message);

  const unknownHost = () =>
    Promise.reject(new TypeError("fetch failed", { cause: new Error("dns error: no such host") }));
  const lookup = await rejection(openaiChat({ baseUrl: "https://a.test", apiKey, fetch: unknownHost })(request()));
  assert.ok(lookup instanceof ModelError && lookup.code === "network");
  assert.ok(lookup.message.includes("no such host"), lookup.message);

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
  const { failure } = await failureOf(() => new Response(drip("{"), { status: 503 }), { timeoutMs: 40 });
  assert.equal(failure.code, "server");
});

Deno.test("an aborted call rejects with the signal's reason, before or during the request", async () => {
  const reason = new Error("stopped by hand");
  const early = openaiChat({ baseUrl: "http://localhost", fetch: () => assert.fail("must not be sent") });
  assert.equal(await rejection(early(request(), { signal: AbortSignal.abort(reason) })), reason);

  const stop = new AbortController();
  const hang = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      stop.abort(reason);
    });
  const chat = openaiChat({ baseUrl: "http://localhost", fetch: hang });
  assert.equal(await rejection(chat(request(), { signal: stop.signal })), reason);
});

for (
  const [row, name, body, code] of [
    ["07", "empty content", completion({ message: { content: "" } }), "empty"],
    ["07", "null content", completion({ message: { content: null } }), "empty"],
    ["07", "white space", completion({ message: { content: " \n\t " } }), "empty"],
    ["08", "length", completion({ finish_reason: "length" }), "truncated"],
    ["08", "length without text", completion({ finish_reason: "length", message: { content: "" } }), "truncated"],
    ["08", "content_filter", completion({ finish_reason: "content_filter" }), "content_filter"],
    ["08", "refusal", completion({ message: { content: null, refusal: "I cannot." } }), "content_filter"],
    ["03", "finish_reason error", completion({ finish_reason: "error" }), "server"],
  ] as const
) {
  Deno.test(`fault ${row}: ${name} in a 200 is ${code}, and what was paid for is kept`, async () => {
    const { failure, asked } = await failureOf(() => Response.json(body));
    assert.equal(failure.code, code);
    assert.equal(asked, 1);
    assert.deepEqual(failure.received?.usage, { promptTokens: 12, completionTokens: 3 });
  });
}

Deno.test("fault 08: the cut text stays with the failure", async () => {
  const { failure } = await failureOf(() => Response.json(completion({ finish_reason: "length" })));
  assert.equal(failure.received?.text, "Option B.");
  assert.ok(failure.message.includes("64 tokens"), failure.message);
});

const json = { headers: { "content-type": "application/json" } };
for (
  const [name, respond, words] of [
    [
      "an HTML page",
      () => new Response("<html>Log in</html>", { headers: { "content-type": "text/html" } }),
      "<html>Log",
    ],
    ["invalid JSON", () => new Response('{"choices": [', json), "not JSON"],
    ["an empty body", () => new Response("", json), "empty body"],
    ["a body without choices", () => Response.json({ ok: true, id: 1 }), "keys ok, id"],
    ["no choices", () => Response.json(completion({}, { choices: [] })), "no choices"],
    ["content that is no text", () => Response.json(completion({ message: { content: 42 } })), "no chat completion"],
    ["an unexplained error in the body", () => Response.json({ error: { message: "hm" } }), "hm"],
  ] as const
) {
  Deno.test(`fault 09: ${name} is protocol`, async () => {
    const { failure } = await failureOf(respond);
    assert.equal(failure.code, "protocol");
    assert.ok(failure.message.includes(words), failure.message);
  });
}

for (
  const [status, code] of [[429, "rate_limit"], [502, "server"], [402, "quota"], ["server_error", "server"]] as const
) {
  Deno.test(`fault 09: an error ${status} inside a 200 is ${code}`, async () => {
    const { failure } = await failureOf(() => Response.json({ error: { code: status, message: "upstream" } }));
    assert.equal(failure.code, code);
    const choice = { error: { code: status, message: "upstream" }, message: { content: "" } };
    assert.equal((await failureOf(() => Response.json(completion(choice)))).failure.code, code);
  });
}

for (const usage of [undefined, null, { prompt_tokens: "many" }, { prompt_tokens: -1, completion_tokens: 2 }]) {
  Deno.test(`fault 09: usage ${JSON.stringify(usage)} is unknown, not zero`, async () => {
    await withEndpoint(() => Response.json(completion({}, { usage })), async (baseUrl) => {
      const reply = await openaiChat({ baseUrl })(request());
      assert.equal("usage" in reply, false);
      assert.equal(reply.text, "Option B.");
    });
  });
}

Deno.test("fault 12: the served model and fingerprint are recorded call by call, and absent when not told", async () => {
  const bodies = [
    completion(),
    completion({}, { model: "other", system_fingerprint: "fp_2" }),
    completion({}, { model: undefined, system_fingerprint: null }),
  ];
  await withEndpoint(() => Response.json(bodies.shift()), async (baseUrl) => {
    const chat = openaiChat({ baseUrl });
    const replies = [await chat(request()), await chat(request()), await chat(request())];
    assert.deepEqual(replies.map(({ servedModel, fingerprint }) => [servedModel, fingerprint]), [
      ["test/model-2026-01-01", "fp_1"],
      ["other", "fp_2"],
      [undefined, undefined],
    ]);
  });
});

for (
  const [where, respond] of [
    ["an error message", () => error(401, { message: `Incorrect API key: ${apiKey}` })()],
    ["a flat error", () => Response.json({ detail: { authorization: `Bearer ${apiKey}` } }, { status: 422 })],
    ["an error header", () => error(500, {}, { "x-debug": apiKey })()],
    ["an HTML page", () => new Response(`<html>key=${apiKey}</html>`, { headers: { "content-type": "text/html" } })],
    ["a long page", () => new Response(`${"x".repeat(495)}${apiKey}`, { status: 500 })],
    ["a refusal", () => Response.json(completion({ message: { refusal: apiKey } }))],
    ["an error in a 200", () => Response.json({ error: { code: 500, message: apiKey } })],
    ["cut text", () => Response.json(completion({ finish_reason: "length", message: { content: apiKey } }))],
  ] as const
) {
  Deno.test(`fault 46: the canary key does not leave with ${where}`, async () => {
    const { failure } = await failureOf(respond);
    const everything = [Deno.inspect(failure, { depth: 20, showHidden: true }), JSON.stringify(failure), failure.stack];
    assert.equal(everything.join("\n").includes(apiKey), false);
    assert.equal(everything.join("\n").includes(apiKey.slice(0, 8)), false);
  });
}

Deno.test("fault 46: the canary key does not leave in a reply, whose other words stay", async () => {
  const body = completion({ message: { content: `Bearer of ${apiKey}, sk-learn-is-great` }, finish_reason: apiKey }, {
    model: apiKey,
    system_fingerprint: apiKey,
  });
  await withEndpoint(() => Response.json(body), async (baseUrl) => {
    const reply = await openaiChat({ baseUrl, apiKey })(request());
    assert.equal(reply.text, "Bearer of [redacted], sk-learn-is-great");
    assert.equal(JSON.stringify(reply).includes(apiKey), false);
  });
});

Deno.test("fault 46: a key in the URL does not leave with a network failure", async () => {
  await withHangUp("", async (baseUrl) => {
    const failure = await rejection(openaiChat({ baseUrl: `${baseUrl}?key=hidden-in-url`, apiKey })(request()));
    assert.ok(failure instanceof ModelError);
    assert.equal(Deno.inspect(failure).includes("hidden-in-url"), false);
  });
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

Deno.test("openaiChat() refuses what cannot be used before anything is sent, without repeating the key", () => {
  assert.throws(() => openaiChat(), UserError);
  assert.throws(() => openaiChat({ baseUrl: "https://127.0.0.1.example.org/v1" }), UserError);
  assert.throws(() => openaiChat({ baseUrl: "localhost:1234", apiKey }), /begins with http/);
  assert.throws(() => openaiChat({ baseUrl: `https://user:${apiKey}@host.test`, apiKey }), (thrown: Error) => {
    return thrown instanceof UserError && !thrown.message.includes(apiKey);
  });
  for (const bad of ["", "two words", "line\nbreak", "clé"]) {
    assert.throws(() => openaiChat({ apiKey: bad }), (thrown: Error) => {
      return thrown instanceof UserError && (bad === "" || !thrown.message.includes(bad));
    });
  }
  assert.throws(() => openaiChat({ apiKey, timeoutMs: 0 }), RangeError);
  assert.throws(() => openaiChat({ apiKey, timeoutMs: NaN }), RangeError);
});
