import assert from "node:assert/strict";
import { openaiChat } from "@/model/openai_chat.ts";
import { openaiReply } from "@/model/openai_reply.ts";
import { completion, failureOf, request, withEndpoint } from "./endpoint.ts";

const tool = { name: "submit_ballot", arguments: '{"decision":"A"}' };
const calling = { content: null, tool_calls: [{ id: "call_1", type: "function", function: tool }] };

for (
  const [row, name, body, code] of [
    ["07", "empty content", completion({ message: { content: "" } }), "empty"],
    ["07", "null content", completion({ message: { content: null } }), "empty"],
    ["07", "white space", completion({ message: { content: " \n\t " } }), "empty"],
    ["08", "length", completion({ finish_reason: "length" }), "truncated"],
    ["08", "length without text", completion({ finish_reason: "length", message: { content: "" } }), "truncated"],
    ["08", "content_filter", completion({ finish_reason: "content_filter" }), "content_filter"],
    ["08", "refusal", completion({ message: { content: null, refusal: "I cannot." } }), "content_filter"],
    ["07", "a tool call without text", completion({ finish_reason: "tool_calls", message: calling }), "tool_call"],
    ["07", "a function call of old", completion({ message: { content: null, function_call: tool } }), "tool_call"],
    ["07", "tool calls that name none", completion({ message: { content: "", tool_calls: [{}] } }), "empty"],
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

Deno.test("fault 07: a tool call without text is named with its arguments; beside text it is left aside", async () => {
  const { failure } = await failureOf(() => Response.json(completion({ message: calling })));
  assert.match(
    failure.message,
    /calls the tool submit_ballot .* turn tools off .*\(its arguments: \{"decision":"A"\}\)$/,
  );
  await withEndpoint(
    () => Response.json(completion({ message: { ...calling, content: "Option B." } })),
    async (baseUrl) => assert.equal((await openaiChat({ baseUrl })(request())).text, "Option B."),
  );
});

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

Deno.test("cached and thinking tokens and a provider's own cost are kept; thinking in the total alone is billed", () => {
  const usageOf = (usage: Record<string, unknown>) =>
    openaiReply(JSON.stringify(completion({}, { usage })), {
      ...{ request: request(), latencyMs: 1, dropped: [], secrets: [] },
    }).usage;
  const counts = { prompt_tokens: 100, completion_tokens: 20 };
  assert.deepEqual(
    usageOf({
      ...counts,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 12 },
      cost: 0.00123,
    }),
    { promptTokens: 100, completionTokens: 20, cachedTokens: 64, reasoningTokens: 12, usd: 0.00123 },
  );
  assert.deepEqual(usageOf({ ...counts, total_tokens: 420 }), { promptTokens: 100, completionTokens: 320 });
  assert.deepEqual(usageOf({ ...counts, cost: "free", prompt_tokens_details: 7 }), {
    promptTokens: 100,
    completionTokens: 20,
  });
});
