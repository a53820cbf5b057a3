import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { ModelError } from "@/model/chat_model.ts";
import { folded, openaiChat, type OpenaiChatOptions, openaiFromEnvironment } from "@/model/openai_chat.ts";
import { bodyLimit } from "@/model/openai_reply.ts";
import { ChatReply } from "@/schema/model_call.ts";
import { apiKey, completion, error, failureOf, rejection, request, withEndpoint, withHangUp } from "./endpoint.ts";

/** What the endpoint received for one call. */
async function sent(options: OpenaiChatOptions, answer: object = completion(), asked = request()) {
  const seen: { url: string; authorization: string | null; body: unknown }[] = [];
  let reply: ChatReply | undefined;
  await withEndpoint(async (received) => {
    const authorization = received.headers.get("authorization");
    seen.push({ url: new URL(received.url).pathname, authorization, body: await received.json() });
    return Response.json(answer);
  }, async (baseUrl) => {
    reply = await openaiChat({ baseUrl, ...options })(asked);
  });
  assert.equal(seen.length, 1);
  return { ...seen[0]!, reply: reply! };
}

Deno.test("openaiChat() sends the request and reads the reply", async () => {
  const { url, authorization, body, reply } = await sent({ apiKey });
  assert.equal(url, "/v1/chat/completions");
  assert.equal(authorization, "Bearer canary-7f3a9-0b1c2d");
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

const OPTION = [{ token: "Option", logprob: -0.25, bytes: [79], top_logprobs: [] }, { token: " B.", logprob: -1.5 }];

Deno.test("log-probabilities are asked for where that is chosen, and stand in the reply", async () => {
  const { body, reply } = await sent({ apiKey, logprobs: true }, completion({ logprobs: { content: OPTION } }));
  assert.equal((body as { logprobs?: boolean }).logprobs, true);
  const told = [{ token: "Option", logprob: -0.25 }, { token: " B.", logprob: -1.5 }];
  assert.deepEqual(ChatReply.parse(reply).logprobs, told);
});

for (
  const [what, logprobs] of [
    ["none", undefined],
    ["null", null],
    ["no tokens", { content: [] }],
    ["malformed ones", { content: [{ token: "Option", logprob: "likely" }] }],
    ["the key in pieces", { content: [{ token: "canary-", logprob: -1 }, { token: "7f3a9-0b1c2d", logprob: -1 }] }],
  ] as const
) {
  Deno.test(`log-probabilities that were asked for are unknown where the endpoint gives ${what}`, async () => {
    const { reply } = await sent({ apiKey, logprobs: true }, completion({ logprobs }));
    assert.deepEqual([reply.text, "logprobs" in reply], ["Option B.", false]);
  });
}

Deno.test("a reply with log-probabilities may be as long as they make it", async () => {
  const content = Array.from({ length: 256 }, () => ({ token: "word", logprob: -0.123456789, bytes: "x".repeat(400) }));
  const long = completion({ logprobs: { content } });
  const { reply } = await sent({ apiKey, logprobs: true }, long, request({ maxTokens: 256 }));
  assert.equal(reply.logprobs?.length, 256);
  assert.equal(bodyLimit(request({ maxTokens: 20_000 }), { logprobs: true }), 11_520_000);
});

Deno.test("openaiChat() needs no key on loopback and then sends none", async () => {
  assert.equal((await sent({})).authorization, null);
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
  const [where, respond] of [
    ["an error message", () => error(401, { message: `Incorrect API key: ${apiKey}` })()],
    ["a flat error", () => Response.json({ detail: { authorization: `Bearer ${apiKey}` } }, { status: 422 })],
    ["an error header", () => error(500, {}, { "x-debug": apiKey })()],
    ["an HTML page", () => new Response(`<html>key=${apiKey}</html>`, { headers: { "content-type": "text/html" } })],
    ["a long page", () => new Response(`${"x".repeat(495)}${apiKey}`, { status: 500 })],
    ["a refusal", () => Response.json(completion({ message: { refusal: apiKey } }))],
    ["an error in a 200", () => Response.json({ error: { code: 500, message: apiKey } })],
    ["a tool call", () => Response.json(completion({ message: { tool_calls: [{ function: { name: apiKey } }] } }))],
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
    assert.equal(reply.redacted, true);
    assert.equal(JSON.stringify(reply).includes(apiKey), false);
  });
});

for (const key of ["e", "any", "none", "test", "ollama", "fifteen-letters"]) {
  Deno.test(`fault 46: under the key "${key}" all that a reply says stays as it is`, async () => {
    const message = { content: `Any test of ${key} tells none more.` };
    const names = { model: `${key}-model`, system_fingerprint: `fp_${key}` };
    const logprobs = { content: [{ token: key, logprob: -1 }] };
    const answer = completion({ message, finish_reason: key, logprobs }, names);
    const { reply } = await sent({ apiKey: key, logprobs: true }, answer);
    const { text, servedModel, fingerprint, finishReason } = reply;
    assert.deepEqual([text, servedModel, fingerprint], [message.content, names.model, names.system_fingerprint]);
    assert.deepEqual([finishReason, reply.logprobs, "redacted" in reply], [key, logprobs.content, false]);
  });
}

Deno.test("fault 46: in messages a key of a few letters is no secret, a longer one is", async () => {
  const messageUnder = async (apiKey: string) => {
    const message = `The test endpoint serves none of these models to any key, ${apiKey} among them`;
    const { failure } = await failureOf(() => Response.json({ error: { message } }, { status: 500 }), { apiKey });
    return failure.message;
  };
  const message = "test/model: 500 The test endpoint serves none of these models to any key,";
  for (const key of ["e", "any", "none", "test"]) assert.equal(await messageUnder(key), `${message} ${key} among them`);
  for (const key of ["ollama", apiKey]) assert.equal(await messageUnder(key), `${message} [redacted] among them`);
});

Deno.test("fault 46: custom headers and the URL's parameters do not leave, with a failure or in a reply", async () => {
  const secrets = ["canary-header-value-1", "Y2FuYXJ5OjI6Y2FuYXJ5", "canary/url-value-3"];
  Deno.env.set("OPENAI_CUSTOM_HEADERS", `X-Gateway: ${secrets[0]}\nProxy-Authorization: Basic ${secrets[1]}`);
  try {
    let asked = 0;
    const echo = ({ url, headers }: Request) => {
      const seen = ["x-gateway", "proxy-authorization"].map((name) => headers.get(name)).join(" ");
      const words = `${url} ${decodeURIComponent(url)} ${seen}`;
      for (const secret of secrets) assert.ok(words.includes(secret), words);
      return asked++ === 0
        ? Response.json({ error: { message: words } }, { status: 500 })
        : Response.json(completion({ message: { content: words } }));
    };
    await withEndpoint(echo, async (baseUrl) => {
      const chat = openaiChat({ baseUrl: `${baseUrl}?sig=canary%2Furl-value-3`, apiKey });
      const failure = await rejection(chat(request()));
      assert.ok(failure instanceof ModelError && failure.code === "server");
      const everything = Deno.inspect(failure) + JSON.stringify(failure) + JSON.stringify(await chat(request()));
      assert.ok(everything.includes("[redacted]"));
      for (const secret of [...secrets, "canary%2Furl-value-3"]) {
        assert.equal(everything.includes(secret), false, everything);
      }
    });
  } finally {
    Deno.env.delete("OPENAI_CUSTOM_HEADERS");
  }
});

Deno.test("fault 46: a key in the URL does not leave with a network failure", async () => {
  await withHangUp("", async (baseUrl) => {
    const failure = await rejection(openaiChat({ baseUrl: `${baseUrl}?key=hidden-in-url`, apiKey })(request()));
    assert.ok(failure instanceof ModelError);
    assert.equal(Deno.inspect(failure).includes("hidden-in-url"), false);
  });
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

Deno.test("fault 29: a clock that is set back during a call does not change its latency", async () => {
  const clock = Date.now, { now } = performance;
  let ms = 100;
  performance.now = () => ms;
  try {
    await withEndpoint(() => {
      Date.now = () => 0;
      ms = 107;
      return Response.json(completion());
    }, async (baseUrl) => {
      assert.equal((await openaiChat({ baseUrl })(request())).latencyMs, 7);
    });
  } finally {
    Date.now = clock;
    performance.now = now;
  }
});

const unsent = { fetch: () => assert.fail("nothing may be sent") };

for (
  const [name, variables] of [
    ["nothing set", []],
    ["an empty key", [["OPENAI_API_KEY", "  "]]],
    ["a remote base URL alone", [["OPENAI_BASE_URL", "https://openrouter.ai/api/v1"]]],
  ] as const
) {
  Deno.test(`fault 04: openaiFromEnvironment() with ${name} names OPENAI_API_KEY, and nothing is spent`, () => {
    assert.throws(() => openaiFromEnvironment(new Map(variables), unsent), (error: Error) => {
      return error instanceof UserError && error.message.includes("OPENAI_API_KEY");
    });
  });
}

Deno.test("openaiFromEnvironment() names OPENAI_BASE_URL when it is no URL", () => {
  const env = new Map([["OPENAI_API_KEY", "k"], ["OPENAI_BASE_URL", "openrouter.ai"]]);
  assert.throws(() => openaiFromEnvironment(env, unsent), /OPENAI_BASE_URL/);
});

Deno.test("openaiFromEnvironment() takes key and base URL from the variables, trimmed", async () => {
  let authorization: string | null = null;
  await withEndpoint((received) => {
    authorization = received.headers.get("authorization");
    return Response.json(completion());
  }, async (baseUrl) => {
    const env = new Map([["OPENAI_API_KEY", " k-1\n"], ["OPENAI_BASE_URL", baseUrl]]);
    const reply = await openaiFromEnvironment(env, { sendSeed: true })(request());
    assert.equal(reply.text, "Option B.");
    assert.equal(reply.dropped, undefined);
  });
  assert.equal(authorization, "Bearer k-1");
});

Deno.test("openaiFromEnvironment() passes the other options on", async () => {
  const bodies: object[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    bodies.push(await new Response(init?.body ?? null).json());
    return Response.json(completion());
  };
  const options = { fetch, sendTemperature: false, maxTokensName: "max_completion_tokens" } as const;
  await openaiFromEnvironment(new Map([["OPENAI_API_KEY", "k"]]), options)(request());
  assert.deepEqual(Object.keys(bodies[0]!).toSorted(), ["max_completion_tokens", "messages", "model"]);
});

Deno.test("openaiFromEnvironment() without a base URL goes to OpenAI's own endpoint", async () => {
  const urls: string[] = [];
  const fetch = (input: RequestInfo | URL) => {
    urls.push(String(input));
    return Promise.resolve(Response.json(completion()));
  };
  await openaiFromEnvironment(new Map([["OPENAI_API_KEY", "k"]]), { fetch })(request());
  assert.deepEqual(urls, ["https://api.openai.com/v1/chat/completions"]);
});

Deno.test("system words are folded into the first user message, whatever follows", () => {
  const [system, user, reply] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "A or B?" },
    { role: "assistant", content: "B" },
  ] as const;
  assert.deepEqual(folded([system, user, reply]), [{ role: "user", content: "Be brief.\n\nA or B?" }, reply]);
  assert.deepEqual(folded([user]), [user]);
});
