import fc from "fast-check";
import assert from "node:assert/strict";
import type { ChatModel } from "@/model/chat_model.ts";
import { limited } from "@/model/limited.ts";
import { rejection, request } from "./endpoint.ts";

/** A model whose calls end when told to, and which notes the order in which they began. */
function gated() {
  const begun: number[] = [];
  const gates = new Map<number, PromiseWithResolvers<void>>();
  const chat: ChatModel = async ({ seed }) => {
    begun.push(seed);
    const gate = Promise.withResolvers<void>();
    gates.set(seed, gate);
    await gate.promise;
    gates.delete(seed);
    return { text: String(seed) };
  };
  return { chat, begun, gates };
}

/** Lets everything that can run do so. */
async function settle() {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

const FILLER = -1;

const ask = (chat: ChatModel, seed: number, signal?: AbortSignal) => chat(request({ seed }), { signal });

Deno.test("fault 53: calls over the cap wait and begin in the order they came", async () => {
  const { chat, begun, gates } = gated();
  const shared = limited(chat, { concurrency: 2 });
  const replies = [0, 1, 2, 3, 4].map((seed) => ask(shared, seed));
  await settle();
  assert.deepEqual(begun, [0, 1]);
  gates.get(1)!.resolve();
  await settle();
  assert.deepEqual(begun, [0, 1, 2]);
  gates.get(0)!.resolve();
  gates.get(2)!.resolve();
  await settle();
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  gates.get(3)!.resolve();
  gates.get(4)!.resolve();
  assert.deepEqual((await Promise.all(replies)).map(({ text }) => text), ["0", "1", "2", "3", "4"]);
});

Deno.test("fault 53: a newcomer cannot overtake one whose turn has come", async () => {
  const { chat, begun, gates } = gated();
  const shared = limited(chat, { concurrency: 1 });
  const first = ask(shared, 0).then(() => ask(shared, 2));
  const second = ask(shared, 1);
  await settle();
  for (const seed of [0, 1, 2]) {
    gates.get(seed)!.resolve();
    await settle();
  }
  await Promise.all([first, second]);
  assert.deepEqual(begun, [0, 1, 2]);
});

Deno.test("fault 53: whatever ends when and how, never more than the cap run and every call ends", async () => {
  const plan = fc.array(fc.record({ turns: fc.nat(5), ends: fc.constantFrom("reply", "failure", "abort") }), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(plan, fc.integer({ min: 1, max: 4 }), async (calls, concurrency) => {
      let [running, most, filled] = [0, 0, 0];
      const gate = Promise.withResolvers<void>();
      const shared = limited(async ({ seed }) => {
        if (seed === FILLER) {
          filled++;
          await gate.promise;
          return { text: "" };
        }
        most = Math.max(most, ++running);
        for (let i = 0; i < calls[seed]!.turns; i++) await Promise.resolve();
        running--;
        if (calls[seed]!.ends === "failure") throw new Error("failed");
        return { text: "" };
      }, { concurrency });
      const outcomes = calls.map(({ ends }, seed) => {
        const stop = new AbortController();
        const outcome = ask(shared, seed, stop.signal);
        if (ends === "abort") stop.abort();
        return outcome;
      });
      assert.equal((await Promise.allSettled(outcomes)).length, calls.length);
      assert.ok(most <= concurrency, `${most} at once`);
      assert.equal(running, 0);
      // Every slot came back, and no more than there were: the cap can be filled again, not passed.
      const filling = Array.from({ length: concurrency + 2 }, () => ask(shared, FILLER));
      await settle();
      assert.equal(filled, concurrency);
      gate.resolve();
      await Promise.all(filling);
    }),
    { seed: 53, numRuns: 60 },
  );
});

Deno.test("a call aborted while waiting leaves the queue and never begins", async () => {
  const { chat, begun, gates } = gated();
  const shared = limited(chat, { concurrency: 1 });
  const stop = new AbortController();
  const reason = new Error("stopped");
  const first = ask(shared, 0);
  const aborted = rejection(ask(shared, 1, stop.signal));
  const last = ask(shared, 2);
  stop.abort(reason);
  assert.equal(await aborted, reason);
  gates.get(0)!.resolve();
  await settle();
  gates.get(2)!.resolve();
  await Promise.all([first, last]);
  assert.deepEqual(begun, [0, 2]);
});

Deno.test("a call aborted beforehand takes no slot", async () => {
  const { chat, begun } = gated();
  const shared = limited(chat, { concurrency: 1 });
  assert.equal(await rejection(ask(shared, 0, AbortSignal.abort("no"))), "no");
  assert.deepEqual(begun, []);
  void ask(shared, 1);
  await settle();
  assert.deepEqual(begun, [1]);
});

Deno.test("a signal that outlives its call is not listened to any more", async () => {
  const stop = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = stop.signal;
  stop.signal.addEventListener = function (...rest: unknown[]) {
    listeners++;
    return Reflect.apply(addEventListener, this, rest);
  };
  stop.signal.removeEventListener = function (...rest: unknown[]) {
    listeners--;
    return Reflect.apply(removeEventListener, this, rest);
  };
  const shared = limited(() => Promise.resolve({ text: "" }), { concurrency: 1 });
  await Promise.all([0, 1, 2].map((seed) => ask(shared, seed, stop.signal)));
  assert.equal(listeners, 0);
});

Deno.test("limited() refuses a concurrency that would never let a call through", () => {
  for (const concurrency of [0, -1, 1.5, NaN]) {
    assert.throws(() => limited(() => Promise.resolve({ text: "" }), { concurrency }), RangeError);
  }
});
