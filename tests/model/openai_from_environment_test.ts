import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { openaiFromEnvironment } from "@/model/openai_chat.ts";
import { completion, request, withEndpoint } from "./endpoint.ts";

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
