import assert from "node:assert/strict";
import { rejection } from "../model/endpoint.ts";
import { createRng } from "@/core/rng.ts";
import { ModelError } from "@/model/chat_model.ts";
import { openaiChat } from "@/model/openai_chat.ts";
import { queued } from "@/model/queued.ts";
import type { ChatRequest } from "@/schema/model_call.ts";
import { type FaultName, FAULTS } from "./faults.ts";
import { answered, billed, faultServer, mixed, outage, promptTokens } from "./server.ts";

/** The clerk's request: the shortest that a council sends. */
const request: ChatRequest = {
  model: "test/model",
  messages: [
    { role: "system", content: "Count." },
    { role: "user", content: 'Answer {"decision": …, "majority_count": …}.\n{"decision":"B","confidence":70}' },
  ],
  temperature: 0,
  seed: 1,
  maxTokens: 64,
};
const ANSWER = '{"decision":"B","majority_count":1,"total":1}';

Deno.test("the endpoint answers as the clerk would, numbers its requests and bills each by its number", async () => {
  await using server = await faultServer();
  const chat = openaiChat({ baseUrl: server.baseUrl });
  for (const number of [1, 2]) {
    const { text, usage, servedModel } = await chat(request);
    assert.deepEqual([text, servedModel], [ANSWER, "test/model-served"]);
    assert.deepEqual(usage, { promptTokens: promptTokens(number), completionTokens: Math.ceil(ANSWER.length / 4) });
  }
  assert.deepEqual(server.seen.map(({ number, text }) => [number, text]), [[1, ANSWER], [2, ANSWER]]);
  assert.equal(server.seen[0]!.prompt, server.seen[1]!.prompt);
  assert.deepEqual([answered(server.seen).length, billed(server.seen)], [2, {
    promptTokens: promptTokens(1) + promptTokens(2),
    replies: 2,
  }]);
});

for (const [name, { recorded, bills }] of Object.entries(FAULTS)) {
  Deno.test(`the endpoint's fault "${name}" reaches the caller as ${recorded}`, async () => {
    await using server = await faultServer({ script: () => name as FaultName });
    // Long enough for a reply, short enough for one that never ends.
    const chat = openaiChat({ baseUrl: server.baseUrl, timeoutMs: recorded === "timeout" ? 1000 : 60_000 });
    if (recorded === "reply") {
      const { text, usage } = await chat(request);
      assert.equal(text, ANSWER);
      assert.equal(usage?.promptTokens, bills ? promptTokens(1) : undefined);
    } else {
      const failure = await rejection(chat(request));
      assert.ok(failure instanceof ModelError, Deno.inspect(failure));
      assert.equal(failure.code, recorded);
      assert.equal(failure.received?.usage?.promptTokens, bills ? promptTokens(1) : undefined);
    }
    assert.equal(server.seen.length, 1, "fault 11: the client must not retry by itself");
    assert.deepEqual(
      billed(server.seen),
      bills ? { promptTokens: promptTokens(1), replies: 1 } : { promptTokens: 0, replies: 0 },
    );
  });
}

Deno.test("fault 10: a request that was taken and then dropped is sent again by nobody but the queue, and both are on record", async () => {
  await using server = await faultServer({
    script: ({ number }) => (number === 2 ? "dropped before the headers" : undefined),
  });
  const chat = queued(openaiChat({ baseUrl: server.baseUrl }), { rng: createRng(0), concurrency: 1, baseMs: 0 });
  // The first leaves a connection that is kept; where such a one closes, Deno itself would send a text again.
  assert.equal((await chat(request)).failedTries, undefined);
  const { failedTries, usage } = await chat(request);
  assert.deepEqual(failedTries?.map(({ code }) => code), ["network"]);
  assert.deepEqual([usage?.promptTokens, server.seen.length], [promptTokens(3), 3]);
});

Deno.test("an outage lasts its time from the first request after so many, whatever comes before", () => {
  const script = outage("status 503", { after: 2, lastsMs: 1000 });
  const at = (number: number, atMs: number) => script({ number, atMs, prompt: "", question: { ...request } });
  const found = [at(1, 0), at(2, 5000), at(3, 7000), at(4, 7999), at(5, 8000)];
  assert.deepEqual(found, [undefined, undefined, "status 503", "status 503", undefined]);
});

Deno.test("a mixture hits its share of requests, each fault as often as the next, and the same ones again", () => {
  const names = ["status 500", "empty text"] as const;
  const draw = () => {
    const script = mixed(0.2, names, createRng(3));
    return Array.from({ length: 10_000 }, (_, i) => script({ number: i + 1, atMs: 0, prompt: "", question: request }));
  };
  const first = draw();
  assert.deepEqual(draw(), first);
  for (const name of names) {
    // Binomial with p = 0.1: five standard deviations are 150.
    assert.ok(Math.abs(first.filter((one) => one === name).length - 1000) < 150);
  }
});
