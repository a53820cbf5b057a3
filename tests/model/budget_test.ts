import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { Budget, metered, money } from "@/model/budget.ts";
import { type ChatModel, ModelError, type Purse, Unanswered } from "@/model/chat_model.ts";
import { usdOf, worstCase } from "@/model/cost.ts";
import { queued } from "@/model/queued.ts";
import type { ChatReply, FailureCode } from "@/schema/model_call.ts";
import { rejection, request } from "./endpoint.ts";
import { virtualClock } from "./virtual_clock.ts";

const price = { input: 3, output: 15 };
const prices = { "test/model": price };
const asked = request({ messages: [{ role: "user", content: "x".repeat(400) }], maxTokens: 100 });
const NONE = { promptTokens: 0, completionTokens: 0 };
/** 400 bytes, 64 for the message and 64 for the whole; 100 tokens of reply. */
const WORST = (528 * 3 + 100 * 15) / 1e6;

Deno.test("the worst case of a call is a token a byte, what a template adds, and all it may answer", () => {
  assert.deepEqual(worstCase(asked), { promptTokens: 528, completionTokens: 100 });
  assert.equal(usdOf(worstCase(asked), price), WORST);
  assert.equal(worstCase(request({ messages: [{ role: "user", content: "é" }] })).promptTokens, 130);
});

for (const [seed, limit] of [[1, 0.05], [2, 0.013], [3, 0.0001 + WORST]] as const) {
  Deno.test(`fault 45: at width 64, US$ ${limit} are never exceeded, and not left lying (dice ${seed})`, async () => {
    const clock = virtualClock();
    const rng = createRng(seed);
    let [billed, underWay, most] = [0, 0, 0];
    const endpoint: ChatModel = async () => {
      most = Math.max(most, ++underWay);
      await clock.sleep(1 + rng.int(50));
      underWay--;
      const usage = { promptTokens: 100 + rng.int(429), completionTokens: rng.int(101) };
      billed += usdOf(usage, price);
      // A failed try is billed too, where it came so far.
      if (rng.next() < 0.1) throw new ModelError("server", "late", { received: { text: "", usage } });
      return { text: "yes", usage };
    };
    const budget = new Budget({ usd: limit, prices });
    const chat = queued(metered(endpoint, budget), { rng, concurrency: 64, sleep: clock.sleep, now: clock.now });
    const outcomes = await clock.run(
      Promise.all(Array.from({ length: 400 }, () => chat(asked).catch((error) => error))),
    );
    const stops = outcomes!.filter((one) => one instanceof Unanswered);
    assert.ok(stops.length > 0 && stops.every(({ code, scope }) => code === "budget_stop" && scope === "endpoint"));
    assert.ok(billed <= limit, `${billed} of ${limit}`);
    assert.ok(Math.abs(billed - budget.spent) < 1e-12);
    assert.ok(billed > limit - WORST, "nothing that still paid for a call was left");
    // What the first call cost, which goes alone, may take the place of one.
    assert.ok(most <= 64 && most >= Math.min(64, Math.floor(limit / WORST) - 1));
  });
}

Deno.test("fault 45: a try that cannot be paid for waits for those under way, which give back what they did not need", async () => {
  const answers: ((reply: ChatReply) => void)[] = [];
  const chat = metered(() => new Promise((resolve) => answers.push(resolve)), new Budget({ usd: 1.5 * WORST, prices }));
  const [first, second] = [chat(asked), chat(asked)];
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(answers.length, 1);
  answers[0]!({ text: "short", usage: { promptTokens: 10, completionTokens: 1 } });
  assert.equal((await first).text, "short");
  while (answers.length < 2) await Promise.resolve();
  answers[1]!({ text: "long", usage: { promptTokens: 528, completionTokens: 100 } });
  assert.equal((await second).text, "long");
  const stop = await rejection(chat(asked));
  assert.ok(stop instanceof Unanswered && stop.code === "budget_stop");
  assert.match(
    stop.message,
    /^US\$ 0\.0031 of US\$ 0\.0046 are spent, .* can cost US\$ 0\.0031; .* larger --budget-usd/,
  );
});

for (const which of ["signal", "ebb"] as const) {
  Deno.test(`a try that waits for money ends with its ${which}`, async () => {
    const chat = metered(() => new Promise(() => {}), new Budget({ usd: WORST, prices }));
    void chat(asked);
    const stop = new AbortController();
    const waiting = rejection(chat(asked, { [which]: stop.signal }));
    stop.abort("enough");
    assert.equal(await waiting, "enough");
  });
}

Deno.test("fault 24: at ebb what waits for money is not sent once there is some, and its failed tries stay on record", async () => {
  const clock = virtualClock();
  const sent: number[] = [];
  const endpoint: ChatModel = async ({ seed }) => {
    sent.push(seed);
    await clock.sleep(seed === 0 ? 50 : 1);
    if (seed === 1 && sent.length === 1) throw new ModelError("server", "no", { received: { text: "", usage: NONE } });
    return { text: "yes", usage: NONE };
  };
  const chat = queued(metered(endpoint, new Budget({ usd: 1.5 * WORST, prices })), {
    ...{ rng: { ...createRng(0), next: () => 1 }, concurrency: 2, baseMs: 5, sleep: clock.sleep, now: clock.now },
  });
  const stop = new AbortController();
  const ask = (seed: number) => chat({ ...asked, seed }, { ebb: stop.signal });
  // The first try fails at 1; before its second, at 6, the money is set aside for the other call.
  const failed = rejection(ask(1));
  await clock.run(failed, 1);
  const under = ask(0);
  await clock.run(under, 10);
  stop.abort("stopped");
  assert.equal((await clock.run(under))!.text, "yes");
  const left = await clock.run(failed);
  assert.ok(left instanceof Unanswered && left.scope === "call");
  assert.deepEqual(left.tries.map(({ code }) => code), ["server"]);
  assert.deepEqual(sent, [1, 0]);
});

Deno.test("what earlier sessions spent counts, and a larger budget goes on", async () => {
  const usage = { promptTokens: 528, completionTokens: 100 };
  const answer = () => Promise.resolve({ text: "yes", usage });
  const chat = (usd: number) => metered(answer, new Budget({ usd, prices, spent: WORST }));
  assert.ok(await rejection(chat(1.9 * WORST)(asked)) instanceof Unanswered);
  assert.equal((await chat(2 * WORST)(asked)).text, "yes");
});

const UNTOLD: readonly FailureCode[] = ["network", "timeout", "protocol", "server", "empty", "truncated"];
for (const code of UNTOLD) {
  Deno.test(`fault 09: ${code} without a usage may have been billed: the worst case counts and is on record`, async () => {
    const budget = new Budget({ usd: 1, prices });
    const failure = await rejection(metered(() => Promise.reject(new ModelError(code, "no")), budget)(asked));
    assert.ok(failure instanceof ModelError && failure.code === code && failure.message === "no");
    assert.deepEqual(failure.received, { text: "", atMost: { promptTokens: 528, completionTokens: 100 } });
    assert.equal(budget.spent, WORST);
  });
}

for (const code of ["rate_limit", "auth", "quota", "bad_request", "context_length"] as const) {
  Deno.test(`${code} is a refusal: nothing was made and nothing is billed`, async () => {
    const budget = new Budget({ usd: 1, prices });
    const refusal = new ModelError(code, "no", { retryAfterMs: 5 });
    assert.equal(await rejection(metered(() => Promise.reject(refusal), budget)(asked)), refusal);
    assert.equal(budget.spent, 0);
  });
}

Deno.test("fault 09: a reply without a usage counts as its worst case, which the record holds beside it", async () => {
  const budget = new Budget({ usd: 1, prices });
  const reply = await metered(() => Promise.resolve({ text: "yes" }), budget)(asked);
  assert.deepEqual(reply, { text: "yes", atMost: { promptTokens: 528, completionTokens: 100 } });
  assert.equal(budget.spent, WORST);
});

Deno.test("a provider's own figure counts, but not the 0 of one that is paid elsewhere", async () => {
  const tokens = { promptTokens: 100, completionTokens: 10 };
  const spent = async (usd: number) => {
    const budget = new Budget({ usd: 1, prices });
    await metered(() => Promise.resolve({ text: "yes", usage: { ...tokens, usd } }), budget)(asked);
    return budget.spent;
  };
  assert.equal(await spent(0.0002), 0.0002);
  assert.equal(await spent(0), (100 * 3 + 10 * 15) / 1e6);
});

Deno.test("a model that is billed more than it was asked for has twice that set aside from then on", async () => {
  const budget = new Budget({ usd: 1, prices });
  const usage = { promptTokens: 400, completionTokens: 5000 };
  await metered(() => Promise.resolve({ text: "yes", usage }), budget)(asked);
  assert.equal(budget.costAtMost(asked), 2 * (400 * 3 + 5000 * 15) / 1e6);
});

Deno.test("a bill above the worst case raises that of larger calls in proportion", () => {
  const budget = new Budget({ usd: 1, prices });
  const larger = request({ messages: [{ role: "user", content: "x".repeat(4000) }], maxTokens: 100 });
  const most = (4128 * 3 + 100 * 15) / 1e6;
  assert.equal(budget.costAtMost(larger), most);
  budget.learn(asked, { ...NONE, usd: 5 * WORST });
  assert.ok(Math.abs(budget.costAtMost(larger) - 10 * most) < 1e-12, `${budget.costAtMost(larger)}`);
});

/** A call, and 400 at width 8 of an endpoint that bills the nth of these with `bill(n, atMost)` US dollars. */
async function overbilled(usd: number, bill: (number: number, atMost: number) => number) {
  const clock = virtualClock();
  const rng = createRng(7);
  const calls: { begun: number; ended: number; usd: number; beside: number }[] = [];
  const budget = new Budget({ usd, prices });
  let underWay = 0;
  const endpoint: ChatModel = async () => {
    const call = { begun: clock.now(), ended: Infinity, usd: 0, beside: underWay++ };
    const number = calls.push(call) - 1;
    const atMost = budget.costAtMost(asked);
    await clock.sleep(1 + rng.int(50));
    underWay--;
    call.ended = clock.now();
    call.usd = number === 0 ? 0 : bill(number, atMost);
    return { text: "yes", usage: { ...NONE, usd: call.usd } };
  };
  const chat = queued(metered(endpoint, budget), { rng, concurrency: 8, sleep: clock.sleep, now: clock.now });
  await clock.run(Promise.all(Array.from({ length: 401 }, () => chat(asked).catch(() => {}))));
  calls.shift();
  const first = Math.min(...calls.map(({ ended }) => ended));
  const [flight, later] = [calls.filter(({ begun }) => begun < first), calls.filter(({ begun }) => begun >= first)];
  return { flight, later, sum: (of: typeof calls) => of.reduce((total, call) => total + call.usd, 0) };
}

Deno.test("fault 45: after a bill above the worst case calls are sent one by one until three in a row are within it", async () => {
  // The whole first flight is a surprise, and the third call after it: the count begins anew.
  const { flight, later } = await overbilled(1e4 * WORST, (number, atMost) => {
    if (number <= 8) return 5 * WORST;
    return number === 11 ? 2 * atMost : WORST;
  });
  assert.equal(flight.length, 8);
  const beside = later.map(({ beside }) => beside);
  // Six go alone, two and the surprise and three; the seventh is the first of eight.
  assert.deepEqual(beside.slice(0, 14), [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(later.length, 392);
});

Deno.test("fault 45: an endpoint whose bills are always a surprise exceeds the cap by its first flight, then by one call", async () => {
  const cap = 400 * WORST;
  const { flight, later, sum } = await overbilled(cap, (_, atMost) => 3 * atMost);
  assert.ok(flight.length === 8 && sum(flight) < cap);
  assert.ok(later.length > 0 && later.every(({ beside }) => beside === 0));
  assert.ok(sum(flight) + sum(later) > cap && sum(flight) + sum(later.slice(0, -1)) <= cap);
});

Deno.test("fault 45: what was paid for but not yet sent is paid for anew when a bill raises what it can cost", async () => {
  const budget = new Budget({ usd: 8 * WORST, prices });
  const surprise = await budget.reserve(asked);
  let sent = 0;
  const chat = metered(() => (sent++, Promise.resolve({ text: "yes", usage: NONE })));
  const purse: Purse = {
    async reserve(...rest) {
      const settle = await budget.reserve(...rest);
      if (budget.spent === 0) await surprise({ ...NONE, usd: 5 * WORST }, "answered");
      return settle;
    },
  };
  // 5 of 8 are spent, and the call can cost 10.
  const stop = await rejection(chat(asked, { purse }));
  assert.ok(stop instanceof Unanswered && stop.code === "budget_stop", String(stop));
  assert.equal(sent, 0);
});

Deno.test("fault 24: a try that is broken off is booked at its worst case, one that was not yet sent is not", async () => {
  const budget = new Budget({ usd: 1.5 * WORST, prices });
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  const answer: ChatModel = (_, { signal } = {}) => {
    begun.resolve();
    return new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
  };
  const chat = queued(metered(answer, budget), { rng: createRng(0), concurrency: 2 });
  const [sent, waiting] = [1, 2].map((seed) => rejection(chat({ ...asked, seed }, { signal: stop.signal })));
  await begun.promise;
  stop.abort("stopped");
  const left = await sent;
  assert.ok(left instanceof Unanswered && left.scope === "call" && left.code === "interrupted");
  assert.deepEqual(left.tries.map(({ code, atMost }) => [code, atMost]), [
    ["interrupted", { promptTokens: 528, completionTokens: 100 }],
  ]);
  assert.equal(await waiting, "stopped");
  assert.equal(budget.spent, WORST);
});

Deno.test("once bills have shown the worst case to be higher, that is what a try without a bill is booked at", async () => {
  const budget = new Budget({ usd: 1, prices });
  budget.learn(asked, { ...NONE, usd: 5 * WORST });
  const told: unknown[] = [];
  const reply = await metered(() => Promise.resolve({ text: "yes" }), budget)(asked, {
    onSend: (most) => told.push(most),
  });
  assert.deepEqual(reply.atMost, { promptTokens: 528, completionTokens: 100, usd: 10 * WORST });
  assert.deepEqual(told, [reply.atMost]);
  assert.equal(budget.spent, 10 * WORST);
});

Deno.test("fault 25: a try that cannot be put on record is not sent, and costs nothing", async () => {
  const budget = new Budget({ usd: 1, prices });
  let sent = 0;
  const chat = metered(() => (sent++, Promise.resolve({ text: "yes" })), budget);
  const full = new Error("no space");
  const onSend = () => {
    throw full;
  };
  assert.equal(await rejection(chat(asked, { onSend })), full);
  assert.deepEqual([sent, budget.spent], [0, 0]);
});

Deno.test("where money is set aside, a model's calls go one by one until one has told what it bills", async () => {
  const sent: [model: string, end: (reply: ChatReply | ModelError) => void][] = [];
  const endpoint: ChatModel = ({ model }) =>
    new Promise((resolve, reject) =>
      sent.push([model, (end) => end instanceof ModelError ? reject(end) : resolve(end)])
    );
  const prices = { "test/model": price, "other/model": price };
  const chat = metered(endpoint, new Budget({ usd: 1, prices }));
  const settled = async () => {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  };
  const models = () => sent.map(([model]) => model);
  const stop = new AbortController();
  const left = rejection(Promise.all([chat(asked), chat(asked, { signal: stop.signal })]));
  const rest = Promise.allSettled([chat({ ...asked, model: "other/model" }), chat(asked), chat(asked)]);
  await settled();
  assert.deepEqual(models(), ["test/model", "other/model"]);
  // The first failed, and told nothing: the next one, which was broken off as it waited, is not sent.
  stop.abort("stopped");
  sent[0]![1](new ModelError("server", "no"));
  assert.ok([await left].every((error) => error === "stopped" || error instanceof ModelError));
  await settled();
  assert.deepEqual(models().slice(2), ["test/model"]);
  sent[2]![1]({ text: "yes", usage: { promptTokens: 400, completionTokens: 1 } });
  await settled();
  assert.deepEqual(models().slice(3), ["test/model"]);
  void Promise.allSettled([chat(asked), chat(asked)]);
  await settled();
  assert.equal(sent.length, 6, "what it bills is known");
  for (const [, end] of sent) end({ text: "yes", usage: NONE });
  assert.deepEqual((await rest).map(({ status }) => status), ["fulfilled", "fulfilled", "fulfilled"]);

  sent.length = 0;
  const free = metered(endpoint);
  void Promise.allSettled([free(asked), free(asked)]);
  await settled();
  assert.equal(sent.length, 2, "without a budget none waits");
});

for (const usd of [0, -1, NaN, Infinity]) {
  Deno.test(`a budget of ${usd} is refused`, () => assert.throws(() => new Budget({ usd, prices }), RangeError));
}

Deno.test("money() shows cents, and of less than ten cents two digits", () => {
  assert.deepEqual([0, 12.345, 0.1, 0.0456, 0.000123].map(money), ["0.00", "12.35", "0.10", "0.046", "0.00012"]);
});
