import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { guidance } from "@/model/guidance.ts";
import { openaiChat } from "@/model/openai_chat.ts";
import { completion, rejection, request, withEndpoint } from "./endpoint.ts";

const PATTERN = '[^\\r\\n]{2,9}\\nis \\[(a\\.b|"c")\\]([a-z]{1,2}){0,2}[0-9]?';

Deno.test("a pattern is a grammar of llama.cpp: text in quotes, and the rest as it is", () => {
  const grammar = 'root ::= [^\\r\\n]{2,9}"\\nis ["("a.b"|"\\"c\\"")"]"([a-z]{1,2}){0,2}[0-9]?';
  assert.deepEqual(guidance(PATTERN, "gbnf"), { grammar });
});

Deno.test("a regular expression goes out under the names of vLLM, now and before, and of SGLang", () => {
  const fields = { structured_outputs: { regex: PATTERN }, guided_regex: PATTERN, regex: PATTERN };
  assert.deepEqual(guidance(PATTERN, "regex"), fields);
});

Deno.test("a request with a pattern goes out with it or not at all; one without is as ever", async () => {
  const bodies: Record<string, unknown>[] = [];
  await withEndpoint(async (asked) => {
    bodies.push(await asked.json());
    return Response.json(completion());
  }, async (baseUrl) => {
    const guided = openaiChat({ baseUrl, guided: "regex", body: { regex: "of the file" } });
    await guided(request({ pattern: "[a-b]" }));
    await guided(request());
    const refusal = await rejection(openaiChat({ baseUrl })(request({ pattern: "[a-b]" })));
    assert.ok(refusal instanceof UserError);
    assert.match(refusal.message, /pattern.*no "guided" in scenarios\/providers\.json: add "gbnf".* or "regex"/);
  });
  assert.deepEqual(bodies.map(({ regex, guided_regex }) => [regex, guided_regex]), [
    ["[a-b]", "[a-b]"],
    ["of the file", undefined],
  ]);
});
