import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { type ChatModel, ModelError, Unanswered } from "@/model/chat_model.ts";
import { queued } from "@/model/queued.ts";
import type { ChatReply, FailedTry, FailureCode } from "@/schema/model_call.ts";
import { request } from "./endpoint.ts";
import { virtualClock } from "./virtual_clock.ts";

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
