import assert from "node:assert/strict";
import { ModelError } from "@/model/chat_model.ts";
import { recording } from "@/model/replay.ts";
import { scripted } from "@/model/scripted.ts";
import { ModelCall } from "@/schema/model_call.ts";
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
