import fc from "fast-check";
import assert from "node:assert/strict";
import { ModelError } from "@/model/chat_model.ts";
import { recording, replay, ReplayMismatch, scripted } from "@/model/replay.ts";
import { type ChatRequest, ModelCall } from "@/schema/model_call.ts";
import { rejection, request } from "./endpoint.ts";

Deno.test("recording() records request and reply or failure, whole, as the schema has it", async () => {
  const received = { text: "cut", usage: { promptTokens: 9, completionTokens: 4 } };
  const calls: ModelCall[] = [];
  const script = scripted(["one", new ModelError("truncated", "too long", { received })]);
  const chat = recording(script, (call) => void calls.push(call));
  const reply = await chat(request({ seed: 1 }));
  const failure = await rejection(chat(request({ seed: 2 })));
  assert.deepEqual(reply, { text: "one", synthetic: true });
  assert.ok(failure instanceof ModelError && failure.code === "truncated");
  assert.deepEqual(calls.map((call) => ModelCall.parse(call)), [
    { schema: "model-call/1", request: request({ seed: 1 }), reply },
    {
      schema: "model-call/1",
      request: request({ seed: 2 }),
      failure: { code: "truncated", message: "too long", received },
    },
  ]);
  assert.deepEqual(JSON.parse(JSON.stringify(calls)), calls);
});

Deno.test("fault 25: a reply is passed on only once it is recorded, and not at all when that fails", async () => {
  const order: string[] = [];
  const slow = async () => {
    await Promise.resolve();
    order.push("recorded");
  };
  await recording(scripted(["one"]), slow)(request()).then(() => order.push("used"));
  assert.deepEqual(order, ["recorded", "used"]);

  const full = new Error("no space left on device");
  const chat = recording(scripted(["one", new ModelError("server", "down")]), () => Promise.reject(full));
  assert.equal(await rejection(chat(request())), full);
  assert.equal(await rejection(chat(request())), full);
});

Deno.test("recording() keeps the request as it was sent, whatever its caller does with it later", async () => {
  const calls: ModelCall[] = [];
  const asked = request();
  await recording(scripted(["one"]), (call) => void calls.push(call))(asked);
  asked.messages.push({ role: "assistant", content: "one" });
  assert.deepEqual(calls[0]?.request, request());
});

Deno.test("an abort or a defect is no outcome and is not recorded", async () => {
  const calls: ModelCall[] = [];
  const chat = recording(scripted([]), (call) => void calls.push(call));
  await rejection(chat(request(), { signal: AbortSignal.abort("no") }));
  await rejection(chat(request()));
  assert.deepEqual(calls, []);
});

const answered = (text: string, overrides: Partial<ChatRequest> = {}): ModelCall => ({
  schema: "model-call/1",
  request: request(overrides),
  reply: { text },
});

async function mismatch(calls: ModelCall[], overrides: Partial<ChatRequest>): Promise<ReplayMismatch> {
  const error = await rejection(replay(calls)(request(overrides)));
  assert.ok(error instanceof ReplayMismatch, Deno.inspect(error));
  assert.equal(error instanceof ModelError, false);
  return error;
}

Deno.test("replay() gives back what recording() kept, failures as failures (fault 37)", async () => {
  const calls: ModelCall[] = [];
  const received = { text: "cut" };
  const failure = new ModelError("truncated", "cut short", { received });
  const live = recording(scripted([{ text: "one", latencyMs: 5 }, failure]), (call) => void calls.push(call));
  const [first, second] = [request({ seed: 1 }), request({ seed: 2 })];
  const reply = await live(first);
  await rejection(live(second));

  const again = replay(JSON.parse(JSON.stringify(calls)));
  assert.deepEqual(await again(first), reply);
  const error = await rejection(again(second));
  assert.ok(error instanceof ModelError);
  assert.deepEqual([error.code, error.message, error.received], ["truncated", "cut short", received]);
});

Deno.test("fault 36: a repeated request gets its answers in order, and none serves twice", async () => {
  const chat = replay([answered("first"), answered("second"), answered("third")]);
  const texts = [];
  for (let i = 0; i < 3; i++) texts.push((await chat(request())).text);
  assert.deepEqual(texts, ["first", "second", "third"]);
  assert.ok(await rejection(chat(request())) instanceof ReplayMismatch);
});

Deno.test("fault 36: calls may interleave in any way: each request has its own answers", async () => {
  const twoSeeds = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(twoSeeds, fc.infiniteStream(fc.nat(1000)), async (seeds, keys) => {
      const nth = seeds.map((seed, i) => seeds.slice(0, i).filter((other) => other === seed).length);
      const calls = seeds.map((seed, i) => answered(`${seed}:${nth[i]}`, { seed }));
      const chat = replay(calls);
      // Ask in another order that keeps the calls of one seed in theirs: shuffle the seeds alone.
      const shuffled = seeds.map((seed) => ({ seed, key: keys.next().value })).toSorted((a, b) => a.key - b.key);
      const count = new Map<number, number>();
      for (const { seed } of shuffled) {
        const n = count.get(seed) ?? 0;
        count.set(seed, n + 1);
        assert.equal((await chat(request({ seed }))).text, `${seed}:${n}`);
      }
    }),
    { seed: 36, numRuns: 50 },
  );
});

for (
  const [name, overrides, line] of [
    ["model", { model: "other" }, 'model: recorded "test/model", asked "other"'],
    ["temperature", { temperature: 0 }, "temperature: recorded 0.7, asked 0"],
    ["seed", { seed: 12 }, "seed: recorded 11, asked 12"],
    ["maxTokens", { maxTokens: 65 }, "maxTokens: recorded 64, asked 65"],
    [
      "content",
      { messages: [{ role: "user", content: "Which option? " }] },
      'messages.0.content: recorded "Which option?", asked "Which option? "',
    ],
    [
      "role",
      { messages: [{ role: "system", content: "Which option?" }] },
      'messages.0.role: recorded "user", asked "system"',
    ],
  ] as const
) {
  Deno.test(`fault 38: another ${name} is drift, and named`, async () => {
    const error = await mismatch([answered("one")], overrides as Partial<ChatRequest>);
    assert.equal(error.code, "drift");
    assert.ok(error.message.includes(`Differs in\n${line}\n`), error.message);
    assert.ok(error.message.includes("which was not recorded"), error.message);
  });
}

Deno.test("fault 38: the diff shows the changed line of the message with its neighbours", async () => {
  const lines = (third: string) => ["You are the Chair.", "Line two.", third, "Line four."].join("\n");
  const messages = (third: string) => [{ role: "user" as const, content: lines(third) }];
  const error = await mismatch([answered("one", { messages: messages("Be brief.") })], {
    messages: messages("Be fair."),
  });
  assert.ok(error.message.includes("\n Line two.\n-Be brief.\n+Be fair.\n Line four."), error.message);
});

Deno.test("fault 38: added and missing messages are named, and invisible characters are shown", async () => {
  const short = request().messages;
  const long = [...short, { role: "assistant" as const, content: "B\r\u001b[31m" }];
  assert.ok(
    (await mismatch([answered("x")], { messages: long })).message.includes("messages.1: recorded none, asked {"),
  );
  const error = await mismatch([answered("x", { messages: long })], {});
  assert.ok(error.message.includes("messages.1: recorded {"));
  assert.ok(error.message.includes("-B\\x0d\\x1b[31m"), error.message);
});

Deno.test("fault 38: the diff is against the closest unused recording, the first of equals", async () => {
  const calls = [
    answered("used"),
    answered("far", { model: "other", seed: 99, messages: [{ role: "user", content: "Something else entirely" }] }),
    answered("near", { seed: 11, messages: [{ role: "user", content: "Which Option?" }] }),
    answered("as near", { seed: 11, messages: [{ role: "user", content: "Which Option?" }] }),
  ];
  const chat = replay(calls);
  await chat(request());
  const error = await rejection(chat(request()));
  assert.ok(error instanceof ReplayMismatch && error.code === "drift");
  assert.ok(
    error.message.startsWith("call 2 of the replay asks test/model with seed 11, whose recordings (1) have been used"),
  );
  assert.ok(error.message.includes("the closest of 3 unused is recorded call 3"), error.message);
});

Deno.test("fault 38: of recordings with equally different words the one with the same settings is closest", async () => {
  const messages = [{ role: "user" as const, content: "Which Option?" }];
  const error = await mismatch([answered("far", { seed: 12, messages }), answered("near", { messages })], {});
  assert.ok(error.message.includes("the closest of 2 unused is recorded call 2"), error.message);
});

Deno.test("fault 38: a mismatch uses up nothing", async () => {
  const chat = replay([answered("one")]);
  await rejection(chat(request({ seed: 5 })));
  assert.equal((await chat(request())).text, "one");
});

Deno.test("fault 38: two long prompts with nothing in common are told apart in bounded size", async () => {
  const text = (word: string) => Array.from({ length: 20_000 }, (_, i) => `${word} ${i}`).join("\n");
  const messages = (word: string) => [{ role: "user" as const, content: text(word) }];
  const error = await mismatch([answered("x", { messages: messages("was") })], { messages: messages("is") });
  assert.ok(error.message.includes("messages.0.content"));
  assert.ok(error.message.length < 2000, `${error.message.length} characters`);

  const fewer = (word: string) => [{ role: "user" as const, content: text(word).slice(0, 3000) }];
  const cut = await mismatch([answered("x", { messages: fewer("was") })], { messages: fewer("is") });
  assert.ok(/… \d+ more lines$/.test(cut.message), cut.message);
});

Deno.test("fault 39: a used-up recording is exhausted and names the call that has no answer", async () => {
  const chat = replay([answered("one")]);
  await chat(request());
  const error = await rejection(chat(request({ model: "m", seed: 4 })));
  assert.ok(error instanceof ReplayMismatch);
  assert.equal(error.code, "exhausted");
  assert.equal(error.message, "call 2 of the replay asks m with seed 4, but all recorded calls (1) have been used");
});

Deno.test("an aborted call uses up no recording", async () => {
  const chat = replay([answered("one")]);
  assert.equal(await rejection(chat(request(), { signal: AbortSignal.abort("no") })), "no");
  assert.equal((await chat(request())).text, "one");
});

Deno.test("scripted() answers in order, marks every reply synthetic and throws scripted failures", async () => {
  const failure = new ModelError("empty", "nothing came");
  const chat = scripted(["one", failure, { text: "two", finishReason: "stop" }]);
  assert.deepEqual(await chat(request()), { text: "one", synthetic: true });
  assert.equal(await rejection(chat(request())), failure);
  assert.deepEqual(await chat(request()), { text: "two", finishReason: "stop", synthetic: true });
});

Deno.test("fault 39: an exhausted script names the call, and is no failed call", async () => {
  const chat = scripted(["one"]);
  await chat(request());
  const error = await rejection(chat(request()));
  assert.ok(error instanceof RangeError);
  assert.equal(error.message, "the script has no reply for call 1: it holds 1, counted from 0");
});

Deno.test("scripted() asks a function with the request and the number of calls before it", async () => {
  const chat = scripted(({ seed }, index) => index === 2 ? new ModelError("server", "down") : `${seed} ${index}`);
  assert.equal((await chat(request({ seed: 5 }))).text, "5 0");
  assert.equal((await chat(request({ seed: 6 }))).text, "6 1");
  assert.ok(await rejection(chat(request())) instanceof ModelError);
});

Deno.test("an aborted call uses up no reply", async () => {
  const chat = scripted(["one"]);
  assert.equal(await rejection(chat(request(), { signal: AbortSignal.abort("no") })), "no");
  assert.equal((await chat(request())).text, "one");
});
