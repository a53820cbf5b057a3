import assert from "node:assert/strict";
import { ModelError } from "@/model/chat_model.ts";
import { scripted } from "@/model/scripted.ts";
import { rejection, request } from "./endpoint.ts";

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
