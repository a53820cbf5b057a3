import fc from "fast-check";
import assert from "node:assert/strict";
import { createRng, type Rng } from "@/core/rng.ts";
import { type ChatModel, ModelError, Unanswered } from "@/model/chat_model.ts";
import { queued, type QueuedOptions } from "@/model/queued.ts";
import { ChatReply, type FailedTry, FailureCode } from "@/schema/model_call.ts";
import { rejection, request } from "./endpoint.ts";
import { virtualClock } from "./virtual_clock.ts";

/** An rng whose every draw is `value`. */
const always = (value: number): Rng => ({ ...createRng(0), next: () => value });

type Answer = string | ChatReply | ModelError | Unanswered;

const failing = (code: FailureCode, retryAfterMs?: number) => new ModelError(code, `${code}!`, { retryAfterMs });

/** A queue before a model that takes `latencyMs` for each answer; what it was asked, and when. */
function setUp(
  answer: readonly Answer[] | ((seed: number, index: number) => Answer),
  { latencyMs = 0, ...options }: Partial<QueuedOptions> & { latencyMs?: number } = {},
) {
  const clock = virtualClock();
  const begun: { seed: number; at: number }[] = [];
  const notices: string[] = [];
  const chat: ChatModel = async ({ seed }) => {
    const index = begun.push({ seed, at: clock.now() }) - 1;
    const said = typeof answer === "function" ? answer(seed, index) : answer[index];
    if (latencyMs > 0) await clock.sleep(latencyMs);
    if (said === undefined) throw new RangeError(`no answer for try ${index}`);
    if (said instanceof Error) throw said;
    return typeof said === "string" ? { text: said } : said;
  };
  const shared = queued(chat, {
    rng: always(1),
    concurrency: 8,
    baseMs: 100,
    capMs: 350,
    sleep: clock.sleep,
    now: clock.now,
    onNotice: (line) => notices.push(line),
    ...options,
  });
  const ask = (seed = 0, signal?: AbortSignal, ebb?: AbortSignal) => shared(request({ seed }), { signal, ebb });
  return { ...clock, ask, begun, notices, done: <T>(promise: Promise<T>) => clock.run(promise) as Promise<T> };
}

const INFRASTRUCTURE: readonly FailureCode[] = ["rate_limit", "server", "network", "timeout", "protocol", "unknown"];
const FINAL: readonly FailureCode[] = ["content_filter", "context_length", "oversize", "tool_call", "truncated"];
const ROWS: Partial<Record<FailureCode, string>> = { rate_limit: "01", timeout: "06", protocol: "09" };

for (const code of INFRASTRUCTURE) {
  Deno.test(`fault ${ROWS[code] ?? "03"}: ${code} is tried again, and each failed try stays on record`, async () => {
    const received = { text: "", usage: { promptTokens: 3, completionTokens: 2 } };
    const { ask, done } = setUp([failing(code), new ModelError(code, "again", { received }), "yes"]);
    const reply = ChatReply.parse(await done(ask()));
    assert.equal(reply.text, "yes");
    assert.deepEqual(reply.failedTries, [
      { code, message: `${code}!`, waitedMs: 100 },
      { code, message: "again", waitedMs: 200, usage: received.usage },
    ]);
  });
}

for (const code of FINAL) {
  Deno.test(`fault 08: ${code} is the model's own and final, with what was received and the tries before it`, async () => {
    const received = { text: "cut", usage: { promptTokens: 3, completionTokens: 2 } };
    const { ask, begun, done } = setUp([failing("server"), new ModelError(code, "so", { received }), failing(code)]);
    const failure = await done(rejection(ask()));
    assert.ok(failure instanceof ModelError && failure.code === code && failure.message === "so");
    const failedTries = [{ code: "server", message: "server!", waitedMs: 100 }];
    assert.deepEqual(failure.received, { ...received, failedTries });
    const bare = await done(rejection(ask()));
    assert.ok(bare instanceof ModelError && bare.received === undefined);
    assert.equal(begun.length, 3);
  });
}

for (const code of ["auth", "quota", "bad_request"] as const) {
  const row = code === "quota" ? "02" : "04";
  Deno.test(`fault ${row}: ${code} on a first call leaves every call unanswered, and only one was sent`, async () => {
    const { ask, begun, done } = setUp([failing(code)], { concurrency: 1 });
    const outcomes = await done(Promise.all([ask(0), ask(1)].map(rejection)));
    const late = await done(rejection(ask(2)));
    for (const [i, outcome] of [...outcomes, late].entries()) {
      assert.ok(outcome instanceof Unanswered && outcome.scope === "endpoint" && outcome.code === code);
      assert.match(outcome.message, new RegExp(`^${code}!; run the same command again to resume$`));
      assert.deepEqual(outcome.tries, i === 0 ? [{ code, message: `${code}!`, waitedMs: 0 }] : []);
    }
    assert.equal(begun.length, 1);
  });
}

Deno.test("fault 04: a bad_request after an answer leaves its own call unanswered, and no other", async () => {
  const { ask, done } = setUp(["yes", failing("bad_request"), "yes"]);
  await done(ask());
  const failure = await done(rejection(ask()));
  assert.ok(failure instanceof Unanswered && failure.scope === "call" && failure.code === "bad_request");
  assert.equal(failure.tries.length, 1);
  assert.equal((await done(ask())).text, "yes");
});

Deno.test("every code of failure has its rule", () => {
  const ruled = [...INFRASTRUCTURE, ...FINAL, "auth", "quota", "bad_request", "empty", "budget_stop", "interrupted"];
  assert.deepEqual(ruled.toSorted(), [...FailureCode.options].toSorted());
});

Deno.test("fault 45: where the budget stops a try, the call keeps the tries before it, and no other is sent", async () => {
  const stop = new Unanswered("budget_stop", "used up", { scope: "endpoint", tries: [] });
  const { ask, begun, done } = setUp([failing("server"), stop], { concurrency: 1 });
  const [first, second] = await done(Promise.all([ask(0), ask(1)].map(rejection)));
  for (const outcome of [first, second]) {
    assert.ok(outcome instanceof Unanswered && outcome.code === "budget_stop" && outcome.scope === "endpoint");
    assert.equal(outcome.message, "used up");
  }
  assert.deepEqual((first as Unanswered).tries.map(({ code }) => code), ["server"]);
  assert.equal(begun.length, 2);
});

const empty = new ModelError("empty", "no text", {
  received: { text: "", usage: { promptTokens: 5, completionTokens: 1 } },
});

Deno.test("fault 07: a call without words is the model's own after three tries, where others got words", async () => {
  const { ask, begun, done } = setUp((seed) => seed === 1 ? empty : "yes");
  await done(ask(0));
  const failure = await done(rejection(ask(1)));
  assert.ok(failure instanceof ModelError && failure.code === "empty");
  const usage = { promptTokens: 5, completionTokens: 1 };
  assert.deepEqual(failure.received, {
    text: "",
    usage,
    failedTries: [100, 200].map((waitedMs) => ({ code: "empty", message: "no text", waitedMs, usage })),
  });
  assert.equal(begun.length, 4);
});

Deno.test("fault 56: a call that brings thoughts alone is tried twice: then it is the model's own, or the endpoint is left", async () => {
  const thought = new ModelError("empty", "a thought alone", { after: "once more" });
  const some = setUp((seed) => seed === 1 ? thought : "yes");
  await some.done(some.ask(0));
  const own = await some.done(rejection(some.ask(1)));
  assert.ok(own instanceof ModelError && own.code === "empty");
  assert.equal(some.begun.length, 3);
  const all = setUp(() => thought);
  const left = await all.done(rejection(all.ask(0)));
  assert.ok(left instanceof Unanswered && left.scope === "endpoint" && left.code === "empty");
  assert.equal(all.begun.length, 2);
});

Deno.test("fault 07: an endpoint that answers nobody with words is down, not quiet", async () => {
  const { ask, done, now } = setUp(() => empty, { patienceMs: 10_000 });
  const failures = await done(Promise.all([0, 1, 2].map((seed) => rejection(ask(seed)))));
  for (const failure of failures) assert.ok(failure instanceof Unanswered && failure.scope === "endpoint");
  assert.equal(now(), 10_000);
});

Deno.test("fault 07: what was empty before the first words counts among the three tries", async () => {
  const { ask, begun, done } = setUp((seed, index) => index > 2 && seed === 1 ? "yes" : empty, { concurrency: 1 });
  const failure = rejection(ask(0));
  await done(Promise.all([failure, ask(1)]));
  assert.ok(await failure instanceof ModelError);
  assert.ok(begun.filter(({ seed }) => seed === 0).length >= 3);
});

Deno.test("fault 07: an endpoint that falls silent is down after five calls without words, not before", async () => {
  const { ask, done } = setUp((seed) => seed === 0 ? "yes" : empty, { patienceMs: 10_000 });
  await done(ask(0));
  const failures: unknown[] = [];
  for (let seed = 1; seed <= 6; seed++) failures.push(await done(rejection(ask(seed))));
  assert.ok(failures.slice(0, 5).every((failure) => failure instanceof ModelError && failure.code === "empty"));
  assert.ok(failures[5] instanceof Unanswered && failures[5].scope === "endpoint");
});

Deno.test("fault 11: waits double up to the cap", async () => {
  const { ask, begun, done } = setUp([...Array.from({ length: 4 }, () => failing("network")), "yes"]);
  await done(ask());
  assert.deepEqual(begun.map(({ at }) => at), [0, 100, 300, 650, 1000]);
});

Deno.test("fault 03: jitter is full: seeded waits fill the whole range", async () => {
  const { ask, done } = setUp((_, index) => index % 2 === 0 ? failing("server") : "yes", { rng: createRng(3) });
  const waits: number[] = [];
  for (let i = 0; i < 1000; i++) waits.push((await done(ask())).failedTries![0]!.waitedMs);
  const mean = waits.reduce((sum, ms) => sum + ms, 0) / waits.length;
  assert.ok(Math.min(...waits) < 2 && Math.max(...waits) > 98 && Math.max(...waits) < 100);
  // Uniform on [0, 100): standard error of the mean 100 / √12 / √1000 = 0.91.
  assert.ok(Math.abs(mean - 50) < 3.7, `mean wait ${mean}`);
});

Deno.test("fault 01: what the endpoint asks for is the least wait, and jitter comes on top", async () => {
  for (const [draw, waited] of [[0, 5000], [0.5, 5050]] as const) {
    const { ask, done } = setUp([failing("rate_limit", 5000), "yes"], { rng: always(draw) });
    assert.equal((await done(ask())).failedTries![0]!.waitedMs, waited);
  }
});

Deno.test("fault 01: a 429 pauses the whole queue for the time asked; who waits uses up no try", async () => {
  const { ask, begun, done } = setUp((_, index) => index === 0 ? failing("rate_limit", 5000) : "yes", {
    rng: always(0),
    concurrency: 1,
  });
  const replies = await done(Promise.all([0, 1, 2].map((seed) => ask(seed))));
  assert.deepEqual(begun, [{ seed: 0, at: 0 }, { seed: 0, at: 5000 }, { seed: 1, at: 5000 }, { seed: 2, at: 5000 }]);
  assert.deepEqual(replies.map(({ failedTries }) => failedTries?.length), [1, undefined, undefined]);
});

Deno.test("fault 01: a burst of 429 halves the width once, and each full width of answers gives one back", async () => {
  const latencyMs = 10;
  const { ask, begun, done } = setUp((_, index) => index < 8 ? failing("rate_limit") : "yes", {
    latencyMs,
    rng: always(0),
  });
  await done(Promise.all(Array.from({ length: 40 }, (_, seed) => ask(seed))));
  const waves = Map.groupBy(begun, ({ at }) => at);
  const sizes = [...waves.values()].map((wave) => wave.length);
  // Eight refused; one tries whether the endpoint is back; then 4 (and 1 answer), 4 + 1 …
  assert.equal(sizes[0], 8);
  assert.equal(sizes[1], 1);
  assert.deepEqual(sizes.slice(2, 6), [4, 5, 6, 7]);
});

Deno.test("fault 01: a wait longer than the patience left is given up at once, in words that name it", async () => {
  const { ask, begun, done, now } = setUp([failing("rate_limit", 7_200_000), "yes"]);
  const failure = await done(rejection(ask()));
  assert.ok(failure instanceof Unanswered && failure.scope === "endpoint");
  assert.match(failure.message, /^rate_limit!; it asks for a pause of 2 h, longer than .* run the same command again/);
  assert.deepEqual([begun.length, now()], [1, 0]);
});

for (const seed of [1, 2, 3]) {
  Deno.test(`fault 03: while an endpoint is down single calls try it, others use up no try (seed ${seed})`, async () => {
    const [latencyMs, up] = [10, 3000];
    const rng = createRng(seed);
    const answer = () => now() < up ? failing("server") : "yes";
    const { ask, begun, done, now } = setUp(answer, { latencyMs, concurrency: 4, rng });
    const replies = await done(Promise.all(Array.from({ length: 30 }, (_, seed) => ask(seed))));
    // Four fail, the next four are under way when the fifth failure shows that the endpoint is down.
    const probes = begun.slice(8).filter(({ at }) => at <= up).map(({ at }) => at);
    assert.ok(probes.length > 3, `${probes}`);
    for (const [i, at] of probes.slice(1).entries()) assert.ok(at >= probes[i]! + latencyMs, `${probes}`);
    assert.equal(replies.filter(({ failedTries }) => failedTries === undefined).length, 30 - 8);
    const last = begun.findIndex(({ at }) => at >= up);
    assert.ok(begun[last + 1]!.at >= begun[last]!.at + latencyMs, "one is answered before the others go on");
    assert.equal(begun[last + 1]!.at, begun[last + 4]!.at, "and then the full width at once");
  });
}

Deno.test("fault 03: a call that has not failed is not sent to an endpoint that is down, though no other may be yet", async () => {
  let draws = 0;
  // The sixth draw is the pause of the queue: it is over at once, while the calls wait 100 ms.
  const rng = { ...createRng(0), next: () => (++draws === 6 ? 0 : 1) };
  // Five fail; four more are under way by then, and fail too.
  const { ask, begun, done } = setUp((_, index) => index < 9 ? failing("server") : "yes", { rng, concurrency: 5 });
  await done(Promise.all(Array.from({ length: 10 }, (_, seed) => ask(seed))));
  assert.deepEqual(begun[9], { seed: 0, at: 100 });
});

Deno.test("fault 03: the pauses between tries of an endpoint double, and begin anew with the next outage", async () => {
  const outages = [...Array(9).fill("server"), ...Array(5).fill("yes"), ...Array(7).fill("server")];
  const { ask, begun, done } = setUp((_, index) => outages[index] === "server" ? failing("server") : "yes", {
    concurrency: 5,
  });
  await done(Promise.all([0, 1, 2, 3, 4].map((seed) => ask(seed))));
  const again = begun.at(-1)!.at;
  await done(Promise.all([0, 1, 2, 3, 4].map((seed) => ask(seed))));
  const times = begun.map(({ at }) => at);
  assert.deepEqual(times.slice(0, 10), [0, 0, 0, 0, 0, 100, 300, 650, 1000, 1350]);
  assert.deepEqual(times.slice(14).map((at) => at - again), [0, 0, 0, 0, 0, 100, 300, 650, 650, 650, 650, 650]);
});

Deno.test("fault 14: a call under way when the endpoint is given up is not tried again", async () => {
  const { ask, begun, done } = setUp([failing("quota"), failing("server")], { latencyMs: 10 });
  const [first, second] = await done(Promise.all([0, 1].map((seed) => rejection(ask(seed)))));
  assert.ok(first instanceof Unanswered && second instanceof Unanswered);
  assert.deepEqual([second.code, second.scope], ["quota", "endpoint"]);
  assert.deepEqual(second.tries.map(({ code }) => code), ["server"]);
  assert.equal(begun.length, 2);
});

Deno.test("fault 14: an endpoint that stays down is given up after all patience, with all who wait for it", async () => {
  const { ask, begun, done, now } = setUp(() => failing("server"), { patienceMs: 60_000, concurrency: 2 });
  const failures = await done(Promise.all([0, 1, 2, 3].map((seed) => rejection(ask(seed)))));
  assert.equal(now(), 60_000);
  let tries = 0;
  for (const failure of failures) {
    assert.ok(failure instanceof Unanswered && failure.scope === "endpoint" && failure.code === "server");
    assert.match(failure.message, /^server!; no answer in 1 min \(\d+ tries\); run the same command again to resume/);
    tries += failure.tries.length;
  }
  assert.equal(tries, begun.length);
  const waited = (failures[0] as Unanswered).tries.reduce((sum, { waitedMs }) => sum + waitedMs, 0);
  assert.equal(waited, 60_000);
  const late = await done(rejection(ask(9)));
  assert.ok(late instanceof Unanswered && late.scope === "endpoint" && late.tries.length === 0);
});

Deno.test("fault 14: a call that fails while others are answered is given up alone", async () => {
  const { ask, done, sleep } = setUp((seed) => seed === 1 ? failing("server") : "yes", { patienceMs: 5000 });
  const poison = rejection(ask(1));
  const others = (async () => {
    for (let i = 0; i < 100; i++) {
      await ask(0);
      await sleep(100);
    }
  })();
  const failure = await done(poison);
  assert.ok(failure instanceof Unanswered && failure.scope === "call" && failure.tries.length > 10);
  await done(others);
});

Deno.test("a long pause is told in one line, its end in another; a short one is not told", async () => {
  const refusals = [...Array.from({ length: 6 }, () => failing("rate_limit", 20_000))];
  const { ask, done, notices } = setUp((_, index) => refusals[index] ?? "yes", { rng: always(0), concurrency: 3 });
  await done(Promise.all([0, 1, 2, 3].map((seed) => ask(seed))));
  assert.deepEqual(notices, [
    "the endpoint is left alone for 20 s, then asked again until it answers: rate_limit!",
    "the endpoint answers again after 1.3 min",
  ]);
  const short = setUp([failing("rate_limit", 900), "yes"]);
  await short.done(short.ask());
  assert.deepEqual(short.notices, []);
});

Deno.test("a pause ends with the first answer to a call begun after it, not to one under way", async () => {
  const { ask, done, notices, sleep } = setUp((seed, index) => {
    return seed === 0 && index < 3 ? failing("rate_limit", 20_000) : "yes";
  }, { rng: always(0), concurrency: 2, latencyMs: 10 });
  const first = ask(0);
  await done(sleep(5));
  await done(ask(1));
  assert.deepEqual(notices, ["the endpoint is left alone for 20 s, then asked again until it answers: rate_limit!"]);
  await done(first);
  assert.deepEqual(notices.slice(1), ["the endpoint answers again after 40 s"]);
});

Deno.test("fault 53: calls over the cap wait and begin in the order they came", async () => {
  const { ask, begun, done } = setUp(() => "yes", { concurrency: 2, latencyMs: 10 });
  await done(Promise.all([0, 1, 2, 3, 4].map((seed) => ask(seed))));
  assert.deepEqual(begun.map(({ seed, at }) => [seed, at]), [[0, 0], [1, 0], [2, 10], [3, 10], [4, 20]]);
});

Deno.test("fault 53: a newcomer cannot overtake one whose turn has come", async () => {
  const { ask, begun, done } = setUp(() => "yes", { concurrency: 1 });
  await done(Promise.all([ask(0).then(() => ask(2)), ask(1)]));
  assert.deepEqual(begun.map(({ seed }) => seed), [0, 1, 2]);
});

Deno.test("fault 53: whatever ends when and how, never more than the cap run and every call ends", async () => {
  const plan = fc.array(fc.record({ ms: fc.nat(5), ends: fc.constantFrom("reply", "failure", "defect", "abort") }), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(plan, fc.integer({ min: 1, max: 4 }), async (calls, concurrency) => {
      const clock = virtualClock();
      let [running, most] = [0, 0];
      const failedOnce = new Set<number>();
      const shared = queued(async ({ seed }) => {
        const { ms, ends } = calls[seed] ?? { ms: 9, ends: "reply" };
        most = Math.max(most, ++running);
        await clock.sleep(ms);
        running--;
        if (ends === "defect") throw new Error("defect");
        if (ends === "failure" && !failedOnce.has(seed)) {
          failedOnce.add(seed);
          throw failing("server");
        }
        return { text: "yes" };
      }, { ...clock, rng: createRng(calls.length), concurrency, baseMs: 3 });
      const outcomes = calls.map(({ ends }, seed) => {
        const stop = new AbortController();
        const outcome = shared(request({ seed }), { signal: stop.signal });
        if (ends === "abort") stop.abort();
        return outcome;
      });
      assert.equal((await clock.run(Promise.allSettled(outcomes)))!.length, calls.length);
      assert.ok(most <= concurrency, `${most} at once`);
      // Every slot came back: the cap can be filled again.
      most = 0;
      const filling = Array.from({ length: concurrency + 2 }, (_, i) => shared(request({ seed: 1000 + i })));
      await clock.run(Promise.all(filling));
      assert.equal(most, concurrency);
      assert.equal(clock.alarms.size, 0);
    }),
    { seed: 53, numRuns: 60 },
  );
});

for (const limit of [{ requestsPerMinute: 30 }, { tokensPerMinute: 30 * 68 }]) {
  Deno.test(`fault 53: no minute holds more than ${Object.entries(limit)}, and the pace is kept`, async () => {
    // 13 characters of prompt are 4 tokens, with 64 for the reply 68.
    const usage = { promptTokens: 4, completionTokens: 64 };
    const { ask, begun, done } = setUp(() => ({ text: "yes", usage }), { ...limit, latencyMs: 700 });
    await done(Promise.all(Array.from({ length: 100 }, (_, seed) => ask(seed))));
    for (const [i, { at }] of begun.entries()) assert.ok(i < 30 || at - begun[i - 30]!.at >= 60_000 - 1e-6);
    assert.ok(Math.abs(begun.at(-1)!.at - 99 * 2000) < 1e-6);
  });
}

Deno.test("tokens a minute follow what was used, where that is told", async () => {
  // Estimated 68 a call, used 34: twice as many calls fit, as soon as the first usage is known.
  const usage = { promptTokens: 4, completionTokens: 30 };
  const { ask, begun, done } = setUp(() => ({ text: "yes", usage }), { tokensPerMinute: 30 * 68, latencyMs: 1 });
  await done(Promise.all(Array.from({ length: 101 }, (_, seed) => ask(seed))));
  assert.ok(Math.abs(begun.at(-1)!.at - 100 * 1000) < 1, `${begun.at(-1)!.at}`);
});

Deno.test("tokens beyond the estimate slow the pace, those of an earlier minute do not", async () => {
  // Estimated 68 a call, used 136, which take 4 s at this pace; and 10 s are the call itself.
  const usage = { promptTokens: 4, completionTokens: 132 };
  const { ask, begun, done } = setUp((seed) => ({ text: "yes", ...(seed < 2 && { usage }) }), {
    tokensPerMinute: 30 * 68,
    latencyMs: 1000,
  });
  await done(Promise.all([0, 1, 2].map((seed) => ask(seed))));
  await done(Promise.all([0, 1, 2].map(() => ask(2))));
  assert.deepEqual(begun.map(({ at }) => Math.round(at / 1000)), [0, 4, 8, 10, 12, 14]);
});

Deno.test("a call aborted while waiting leaves the queue and never begins", async () => {
  const { ask, begun, done } = setUp(() => "yes", { concurrency: 1, latencyMs: 10 });
  const stop = new AbortController();
  const reason = new Error("stopped");
  const first = ask(0);
  const aborted = rejection(ask(1, stop.signal));
  const last = ask(2);
  stop.abort(reason);
  assert.equal(await done(aborted), reason);
  await done(Promise.all([first, last]));
  assert.deepEqual(begun.map(({ seed }) => seed), [0, 2]);
});

Deno.test("fault 24: at ebb a try under way comes in, what waits is not sent, and failed tries stay on record", async () => {
  const { ask, begun, done, run } = setUp((seed) => seed === 1 ? failing("server") : "yes", {
    ...{ concurrency: 2, latencyMs: 10, baseMs: 1000 },
  });
  const stop = new AbortController();
  const [under, failed, waiting] = [ask(0, undefined, stop.signal), ask(1, undefined, stop.signal), ask(2)];
  await run(Promise.all([under, waiting]), 25);
  const later = ask(3, undefined, stop.signal);
  await run(later, 1);
  stop.abort("stopped");
  assert.equal((await done(under)).text, "yes");
  assert.equal((await done(later)).text, "yes");
  const left = await done(rejection(failed)) as Unanswered;
  assert.ok(left instanceof Unanswered && left.scope === "call");
  assert.deepEqual(left.tries.map(({ code }) => code), ["server"]);
  assert.equal(await done(rejection(ask(4, undefined, stop.signal))), "stopped");
  assert.deepEqual(begun.map(({ seed }) => seed), [0, 1, 2, 3]);
});

Deno.test("a call aborted beforehand is not sent", async () => {
  const { ask, begun, done } = setUp(["yes"]);
  assert.equal(await done(rejection(ask(0, AbortSignal.abort("no")))), "no");
  assert.deepEqual(begun, []);
});

Deno.test("fault 24: an abort ends every wait, keeps the tries that failed before, and leaves no timer behind", async () => {
  for (const options of [{}, { requestsPerMinute: 1 }]) {
    const { ask, begun, done, run, alarms } = setUp(() => failing("rate_limit", 60_000), options);
    const stop = new AbortController();
    const waiting = [0, 1, 2].map((seed) => rejection(ask(seed, stop.signal)));
    await run(Promise.all(waiting), 100);
    const sent = begun.length;
    stop.abort("stopped");
    const outcomes = await done(Promise.all(waiting));
    const tries = outcomes.flatMap((one) => one instanceof Unanswered && one.scope === "call" ? one.tries : []);
    assert.deepEqual(tries.map(({ code }) => code), begun.map(() => "rate_limit"), "every try that was sent is told");
    assert.deepEqual(
      outcomes.filter((one) => one === "stopped").length,
      3 - tries.length,
      "the others end as they were",
    );
    assert.equal(begun.length, sent);
    assert.equal(alarms.size, 0);
  }
});

Deno.test("fault 24: an abort that the model overlooks still ends the tries", async () => {
  const stop = new AbortController();
  const { ask, begun, done } = setUp(() => (stop.abort("stopped"), failing("server")));
  const left = await done(rejection(ask(0, stop.signal)));
  assert.ok(left instanceof Unanswered && left.scope === "call");
  assert.deepEqual(left.tries.map(({ code }) => code), ["server"]);
  assert.equal(begun.length, 1);
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
  const { ask, done } = setUp(() => "yes", { concurrency: 1 });
  await done(Promise.all([0, 1, 2].map((seed) => ask(seed, stop.signal))));
  assert.equal(listeners, 0);
});

Deno.test("a first try that succeeds leaves the reply as it was, and request and options are passed on", async () => {
  const reply = { text: "yes" };
  const seen: unknown[] = [];
  const chat = queued((...call) => (seen.push(call), Promise.resolve(reply)), { rng: always(0), concurrency: 1 });
  const [asked, options] = [request(), { place: "turn/1/0/false" }];
  assert.equal(await chat(asked, options), reply);
  assert.deepEqual(seen, [[asked, options]]);
});

Deno.test("what is no ModelError passes through untouched", async () => {
  const defect = new TypeError("a defect");
  const chat = queued(() => Promise.reject(defect), { rng: always(0), concurrency: 1 });
  assert.equal(await rejection(chat(request())), defect);
});

Deno.test("queued() waits by its own clock when none is given", async () => {
  let asked = 0;
  const chat = queued(() => asked++ === 0 ? Promise.reject(failing("server")) : Promise.resolve({ text: "yes" }), {
    rng: always(0.5),
    concurrency: 1,
    baseMs: 2,
  });
  assert.equal((await chat(request())).text, "yes");
});

Deno.test("queued() refuses options out of range", () => {
  const chat = () => Promise.resolve({ text: "" });
  for (
    const wrong of [
      { concurrency: 0 },
      { concurrency: 1.5 },
      { concurrency: NaN },
      { baseMs: -1 },
      { capMs: NaN },
      { patienceMs: -1 },
      { requestsPerMinute: 0 },
      { tokensPerMinute: NaN },
    ]
  ) {
    assert.throws(() => queued(chat, { rng: always(0), concurrency: 1, ...wrong }), RangeError);
  }
});

/** Whole outages and mixed faults, on a virtual clock. */

/** Runs of `calls` calls each, one after the other within a run; what each call came to. */
async function runs(
  chat: ChatModel,
  { count, calls, run }: { count: number; calls: number; run: ReturnType<typeof virtualClock>["run"] },
): Promise<(ChatReply | ModelError | Unanswered)[]> {
  const outcomes: (ChatReply | ModelError | Unanswered)[] = [];
  const one = async (_: unknown, replicate: number) => {
    for (let i = 0; i < calls; i++) {
      try {
        outcomes.push(await chat(request({ seed: replicate * calls + i })));
      } catch (error) {
        assert.ok(error instanceof ModelError || error instanceof Unanswered, Deno.inspect(error));
        outcomes.push(error);
      }
    }
  };
  await run(Promise.all(Array.from({ length: count }, one)));
  return outcomes;
}

for (
  const [name, outage, refusal] of [
    ["03: 12 s of 503", 12_000, () => new ModelError("server", "503")],
    ["01: 60 s of 429 without headers", 60_000, () => new ModelError("rate_limit", "429")],
  ] as const
) {
  Deno.test(`fault ${name} cost 20 replicates nothing but time, and no answered call is asked again`, async () => {
    const { now, sleep, run } = virtualClock();
    const answered: number[] = [];
    const endpoint: ChatModel = async ({ seed }) => {
      const isOut = now() > 5000 && now() <= 5000 + outage;
      await sleep(200);
      if (isOut) throw refusal();
      answered.push(seed);
      return { text: "yes" };
    };
    const chat = queued(endpoint, { rng: createRng(1), concurrency: 64, now, sleep });
    const outcomes = await runs(chat, { count: 20, calls: 106, run });
    assert.equal(outcomes.filter((outcome) => "text" in outcome).length, 20 * 106);
    assert.equal(new Set(answered).size, answered.length);
    // 106 calls of 200 ms, the outage, and less than a minute to notice its end and get the width back.
    assert.ok(now() < 106 * 200 + outage + 60_000, `${now()} ms`);
  });
}

const usage = { promptTokens: 101, completionTokens: 7 };
type Fault = readonly [code: FailureCode, details?: ConstructorParameters<typeof ModelError>[2] & { ms?: number }];

/** Seventeen ways to fail. */
const FAULTS: readonly Fault[] = [
  ["rate_limit"],
  ["rate_limit", { retryAfterMs: 300 }],
  ["rate_limit", { retryAfterMs: 2000, received: { text: "", usage } }],
  ["server"],
  ["server", { retryAfterMs: 1000 }],
  ["server", { received: { text: "half", usage } }],
  ["network"],
  ["timeout", { ms: 5000 }],
  ["protocol"],
  ["protocol", { received: { text: "<html>", usage } }],
  ["empty"],
  ["empty", { received: { text: "", usage } }],
  ["truncated", { received: { text: "cut", usage } }],
  ["content_filter", { received: { text: "", usage } }],
  ["oversize"],
  ["context_length"],
  ["bad_request"],
];

/** Tries by code, what they took, and how many do not say. */
function ledger() {
  const tries: Record<string, number> = {};
  const totals = { promptTokens: 0, completionTokens: 0, unknown: 0 };
  const add = (code: string, used: ChatReply["usage"]) => {
    tries[code] = (tries[code] ?? 0) + 1;
    totals.promptTokens += used?.promptTokens ?? 0;
    totals.completionTokens += used?.completionTokens ?? 0;
    if (used === undefined) totals.unknown++;
  };
  return { tries, totals, add };
}

Deno.test("10,000 calls with 20 % faults of 17 kinds: tries and tokens on record are those of the endpoint", async () => {
  const { now, sleep, run } = virtualClock();
  const chance = createRng(12);
  const theirs = ledger();
  const endpoint: ChatModel = async ({ seed }) => {
    const fault = chance.next() < 0.2 ? FAULTS[chance.int(FAULTS.length)] : undefined;
    await sleep(fault?.[1]?.ms ?? 100 + chance.int(200));
    const used = { promptTokens: 50 + seed % 7, completionTokens: 3 };
    theirs.add(fault?.[0] ?? "answered", fault ? fault[1]?.received?.usage : used);
    if (fault) throw new ModelError(fault[0], `${fault[0]}!`, fault[1]);
    return { text: "yes", usage: used };
  };
  const chat = queued(endpoint, { rng: createRng(1), concurrency: 64, now, sleep });
  const outcomes = await runs(chat, { count: 100, calls: 100, run });

  const ours = ledger();
  const addAll = (tries: readonly FailedTry[] = []) => tries.forEach(({ code, usage }) => ours.add(code, usage));
  for (const outcome of outcomes) {
    if (outcome instanceof Unanswered) {
      addAll(outcome.tries);
    } else if (outcome instanceof ModelError) {
      ours.add(outcome.code, outcome.received?.usage);
      addAll(outcome.received?.failedTries);
    } else {
      ours.add("answered", outcome.usage);
      addAll(outcome.failedTries);
    }
  }
  assert.equal(outcomes.length, 10_000);
  assert.deepEqual(ours, { ...ours, tries: theirs.tries, totals: theirs.totals });
  // The model's own words and refused requests alone are missing, and nobody was sent away.
  const lost = new Set(outcomes.filter((outcome) => !("text" in outcome)).map((error) => (error as ModelError).code));
  assert.deepEqual([...lost].toSorted(), ["bad_request", "content_filter", "context_length", "oversize", "truncated"]);
  assert.ok(outcomes.every((outcome) => !(outcome instanceof Unanswered) || outcome.scope === "call"));
});
