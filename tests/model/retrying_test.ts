import assert from "node:assert/strict";
import { createRng, type Rng } from "@/core/rng.ts";
import { ModelError } from "@/model/chat_model.ts";
import { retrying } from "@/model/retrying.ts";
import { scripted, type ScriptedReply } from "@/model/scripted.ts";
import { ChatReply, FAILURE_CODES } from "@/schema/model_call.ts";
import { rejection, request } from "./endpoint.ts";

const failing = (code: ModelError["code"], retryAfterMs?: number) => new ModelError(code, `${code}!`, { retryAfterMs });

/** An rng whose every draw is `value`. */
const always = (value: number): Rng => ({ ...createRng(0), next: () => value });

/** A retrying script that notes its waits and how often it was asked. */
function setUp(replies: ScriptedReply[], options: { rng?: Rng; maxTries?: number; patienceMs?: number } = {}) {
  const waits: number[] = [];
  let asked = 0;
  const script = scripted(replies);
  const chat = retrying((...call) => (asked++, script(...call)), {
    rng: always(1),
    baseMs: 100,
    capMs: 350,
    sleep: (ms) => Promise.resolve(void waits.push(ms)),
    ...options,
  });
  return { chat, waits, asked: () => asked };
}

const PASSING = ["network", "rate_limit", "server", "timeout"];
for (const code of FAILURE_CODES) {
  const retried = PASSING.includes(code);
  Deno.test(`fault 0${retried ? 3 : 4}: ${code} is ${retried ? "" : "not "}tried again`, async () => {
    const { chat, asked, waits } = setUp([failing(code), "yes"]);
    if (retried) {
      const reply = ChatReply.parse(await chat(request()));
      assert.equal(reply.text, "yes");
      assert.deepEqual(reply.failedTries, [{ code, message: `${code}!`, waitedMs: 100 }]);
    } else {
      const error = await rejection(chat(request()));
      assert.ok(error instanceof ModelError && error.code === code && error.message === `${code}!`);
      assert.equal(asked(), 1);
      assert.deepEqual(waits, []);
    }
  });
}

Deno.test("fault 11: tries are bounded, waits double up to the cap, and the last failure tells of all", async () => {
  const { chat, asked, waits } = setUp([
    failing("server"),
    failing("network"),
    failing("timeout"),
    failing("server"),
    new ModelError("rate_limit", "the end"),
    "never reached",
  ], { maxTries: 5 });
  const error = await rejection(chat(request()));
  assert.equal(asked(), 5);
  assert.deepEqual(waits, [100, 200, 350, 350]);
  assert.ok(error instanceof ModelError);
  assert.equal(error.code, "rate_limit");
  assert.equal(
    error.message,
    "the end (try 5, the last; earlier: try 1 server: server!, then waited 100 ms; try 2 network: network!, then " +
      "waited 200 ms; try 3 timeout: timeout!, then waited 350 ms; try 4 server: server!, then waited 350 ms)",
  );
});

Deno.test("fault 11: four tries by default", async () => {
  const { chat, asked } = setUp(Array.from({ length: 9 }, () => failing("server")));
  await rejection(chat(request()));
  assert.equal(asked(), 4);
});

Deno.test("a failure that does not pass ends the tries and keeps what was received", async () => {
  const received = { text: "cut", usage: { promptTokens: 3, completionTokens: 2 } };
  const { chat, asked } = setUp([failing("server"), new ModelError("truncated", "cut", { received }), "no"]);
  const error = await rejection(chat(request()));
  assert.ok(error instanceof ModelError && error.code === "truncated");
  assert.deepEqual(error.received, received);
  assert.ok(error.message.includes("try 1 server"), error.message);
  assert.equal(asked(), 2);
});

Deno.test("fault 01: what the endpoint asks for is the least wait, and jitter comes on top", async () => {
  for (const [draw, waited] of [[0, 5000], [0.5, 5050]] as const) {
    const { chat, waits } = setUp([failing("rate_limit", 5000), "yes"], { rng: always(draw) });
    await chat(request());
    assert.deepEqual(waits, [waited]);
  }
});

Deno.test("fault 01: a wait beyond all patience fails at once, with the wait in the error", async () => {
  const { chat, asked } = setUp([failing("rate_limit", 5001), "yes"], { patienceMs: 5000 });
  const error = await rejection(chat(request()));
  assert.ok(error instanceof ModelError && error.retryAfterMs === 5001);
  assert.equal(asked(), 1);
});

Deno.test("fault 03: jitter is full: seeded waits fill the whole range", async () => {
  const { chat, waits } = setUp(Array.from({ length: 2000 }, (_, i) => i % 2 === 0 ? failing("server") : "yes"), {
    rng: createRng(3),
  });
  for (let i = 0; i < 1000; i++) await chat(request());
  const mean = waits.reduce((sum, ms) => sum + ms, 0) / waits.length;
  assert.equal(waits.length, 1000);
  assert.ok(Math.min(...waits) < 2 && Math.max(...waits) > 98 && Math.max(...waits) < 100);
  // Uniform on [0, 100): standard error of the mean 100 / √12 / √1000 = 0.91.
  assert.ok(Math.abs(mean - 50) < 3.7, `mean wait ${mean}`);
});

Deno.test("a first try that succeeds leaves the reply as it was", async () => {
  const { chat } = setUp(["yes"]);
  assert.deepEqual(await chat(request()), { text: "yes", synthetic: true });
});

Deno.test("what is no ModelError passes through untouched", async () => {
  const defect = new TypeError("a defect");
  const chat = retrying(() => Promise.reject(defect), { rng: always(0) });
  assert.equal(await rejection(chat(request())), defect);
});

Deno.test("fault 24: an abort ends a wait with the signal's reason, and no further try is made", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped");
  let asked = 0;
  const down = () => {
    asked++;
    queueMicrotask(() => stop.abort(reason));
    return Promise.reject(failing("server"));
  };
  // With its own clock: the wait of an hour must end at once, and leave no timer behind.
  const chat = retrying(down, { rng: always(0.9), baseMs: 3_600_000, capMs: 3_600_000 });
  assert.equal(await rejection(chat(request(), { signal: stop.signal })), reason);
  assert.equal(asked, 1);
});

Deno.test("an abort that the sleeper overlooks still ends the tries", async () => {
  const stop = new AbortController();
  let asked = 0;
  const chat = retrying(() => (asked++, Promise.reject(failing("server"))), {
    rng: always(0),
    sleep: () => Promise.resolve(stop.abort("stopped")),
  });
  assert.equal(await rejection(chat(request(), { signal: stop.signal })), "stopped");
  assert.equal(asked, 1);
});

Deno.test("retrying() waits by its own clock when none is given", async () => {
  const chat = retrying(scripted([failing("server"), "yes"]), { rng: always(0) });
  assert.equal((await chat(request())).text, "yes");
});

Deno.test("retrying() refuses options out of range", () => {
  for (const wrong of [{ maxTries: 0 }, { maxTries: 1.5 }, { baseMs: -1 }, { capMs: NaN }, { patienceMs: -1 }]) {
    assert.throws(() => retrying(scripted([]), { rng: always(0), ...wrong }), RangeError);
  }
});
