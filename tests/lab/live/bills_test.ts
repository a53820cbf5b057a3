import assert from "node:assert/strict";
import { rejection, request } from "../../model/endpoint.ts";
import { type ChatModel, ModelError, Unanswered } from "@/model/chat_model.ts";
import { createRng } from "@/core/rng.ts";
import { type Bill, billsOfReply, describeTally, spentOn, tallier, type Tally } from "@/lab/live/bills.ts";
import { Budget, metered } from "@/model/budget.ts";
import { tokenCounter, usdOf } from "@/model/cost.ts";
import { openaiChat } from "@/model/openai_chat.ts";
import { queued } from "@/model/queued.ts";

const usage = { promptTokens: 1000, completionTokens: 100 };
const tried = (code: "rate_limit" | "network") => ({ code, message: "no", waitedMs: 0 });
const PRICES = { m: { input: 1, output: 10 } };
const counter = await tokenCounter();

Deno.test("calls are counted as they come back: tokens, dollars and failed tries by cause, by hand", async () => {
  const told: [Tally, number][] = [];
  const outcomes = [
    { text: "yes", usage, failedTries: [tried("rate_limit"), { ...tried("network"), usage }] },
    { text: "again", usage },
    new ModelError("content_filter", "no", { received: { text: "", usage } }),
    new Unanswered("network", "gone", { scope: "call", tries: [tried("network")] }),
  ];
  const chat: ChatModel = () => {
    const next = outcomes.shift()!;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const counted = tallier(PRICES, (...one) => void told.push(one))(chat);
  await counted(request({ model: "m" }), { place: "turn/1/0/false" });
  await counted(request({ model: "m" }), { place: "turn/1/0/true" });
  await rejection(counted(request({ model: "m" }), { place: "2/C1_COMMAND/0" }));
  await rejection(counted(request({ model: "m" }), { place: "turn/1/1/false" }));
  // A thousand prompt and a hundred completion tokens cost 0.001 + 0.001 dollars.
  assert.deepEqual(told.map(([{ calls, tokens }, steps]) => [calls, tokens, steps]), [
    [1, 2200, 1],
    [1, 3300, 0],
    [2, 4400, 1],
    [2, 4400, 0],
  ]);
  const [last] = told.at(-1)!;
  assert.ok(Math.abs(last.usd! - 0.008) < 1e-12);
  assert.deepEqual(last.failed, { rate_limit: 1, network: 2 });
  assert.equal(describeTally(last), "4400 tokens, US$ 0.0080, 3 tries failed (network 2, rate_limit 1)");
});

Deno.test("without a price the cost is unknown, never zero", async () => {
  const told: Tally[] = [];
  const counted = tallier({}, (tally) => void told.push(tally))(() => Promise.resolve({ text: "yes", usage }));
  await counted(request({ model: "other" }), { place: "clerk" });
  assert.ok(!("usd" in told[0]!));
  assert.equal(describeTally(told[0]!), "1100 tokens, cost unknown");
});

/** What a server says of a call that took so many tokens, as fields of the body or as a body of its own. */
type Lie = (took: { prompt_tokens: number; completion_tokens: number }, call: number, text: string) => unknown;

const whole = (usage: unknown, more: object = {}) => ({ usage, ...more });
const failing = (finish_reason: string): Lie => () => ({
  usage: { prompt_tokens: 0, completion_tokens: 0 },
  choices: [{ finish_reason, message: { content: "Half of a word and" } }],
});
const streamed = (usages: (took: Parameters<Lie>[0]) => unknown[]): Lie => (took, _, text) => {
  const told = usages(took), cut = Math.ceil(text.length / told.length);
  return told.map((usage, i) => {
    const [content, last] = [text.slice(i * cut, (i + 1) * cut), i === told.length - 1];
    const choices = [{ index: 0, delta: { content }, finish_reason: last ? "stop" : null }];
    return `data: ${JSON.stringify({ id: "1", choices, usage })}\n\n`;
  }).join("");
};

const LIES: Readonly<Record<string, Lie>> = {
  "zeros": () => whole({ prompt_tokens: 0, completion_tokens: 0 }),
  "no prompt": ({ completion_tokens }) => whole({ prompt_tokens: 0, completion_tokens }),
  "no completion": ({ prompt_tokens }) => whole({ prompt_tokens, completion_tokens: 0 }),
  "one and one": () => whole({ prompt_tokens: 1, completion_tokens: 1 }),
  "the same nine for ever": () => whole({ prompt_tokens: 9, completion_tokens: 9 }),
  "minus": ({ prompt_tokens, completion_tokens }) => whole({ prompt_tokens: -prompt_tokens, completion_tokens }),
  "minus the whole": (took) => whole({ ...took, total_tokens: -1 }),
  "NaN": () => `{"choices":[{"finish_reason":"stop","message":{"content":"Option B."}}],"usage":{"prompt_tokens":NaN}}`,
  "strings": ({ completion_tokens }) => whole({ prompt_tokens: "7", completion_tokens }),
  "fractions": () => whole({ prompt_tokens: 0.5, completion_tokens: 0.5 }),
  "booleans": () => whole({ prompt_tokens: true, completion_tokens: true }),
  "lists": () => whole({ prompt_tokens: [1], completion_tokens: [1] }),
  "nothing": () => ({}),
  "null": () => whole(null),
  "null for each": () => whole({ prompt_tokens: null, completion_tokens: null }),
  "an empty object": () => whole({}),
  "a list": () => whole([]),
  "a number": () => whole(1),
  "half of it": ({ completion_tokens }) => whole({ completion_tokens }),
  "the whole alone": ({ prompt_tokens, completion_tokens }) =>
    whole({ total_tokens: prompt_tokens + completion_tokens }),
  "a whole below its parts": (took) => whole({ ...took, total_tokens: 1 }),
  "swapped": ({ prompt_tokens: completion_tokens, completion_tokens: prompt_tokens }) =>
    whole({ prompt_tokens: Math.min(9, prompt_tokens), completion_tokens }),
  "names of another interface": () => whole({ input_tokens: 1, output_tokens: 1 }),
  "named twice": ({ prompt_tokens }, _, text) =>
    `{"choices":[{"finish_reason":"stop","message":{"content":${JSON.stringify(text)}}}],"usage":` +
    `{"prompt_tokens":${prompt_tokens},"completion_tokens":20,"prompt_tokens":0}}`,
  "shrinking": ({ prompt_tokens, completion_tokens }, call) =>
    whole({
      prompt_tokens: Math.floor(prompt_tokens / 5 ** (1 + call)),
      completion_tokens: Math.floor(completion_tokens / 5 ** (1 + call)),
    }),
  "the prompt without what was cached": ({ completion_tokens }) =>
    whole({ prompt_tokens: 3, completion_tokens, prompt_tokens_details: { cached_tokens: 3 } }),
  "more cached than the prompt": (took) =>
    whole({ ...took, prompt_tokens_details: { cached_tokens: 1 + took.prompt_tokens }, cost: 1e-9 }),
  "more thought than said": ({ prompt_tokens }) =>
    whole({ prompt_tokens, completion_tokens: 40, completion_tokens_details: { reasoning_tokens: 400 } }),
  "a cost of next to nothing": (took) => whole({ ...took, cost: 1e-12 }),
  "a cost of zero": (took) => whole({ ...took, cost: 0 }),
  "a cost below zero": (took) => whole({ ...took, cost: -5 }),
  "a cost in words": (took) => whole({ ...took, cost: "free" }),
  "a cost for a router's provider of next to nothing": (took) =>
    whole({ ...took, cost: 0, is_byok: true, cost_details: { upstream_inference_cost: 1e-12 } }),
  "more than can be": () => whole({ prompt_tokens: 9e15, completion_tokens: 9e15 }),
  "an error beside the words": (_, __, text) => ({
    ...{ usage: undefined, error: { code: 429, message: "slow down" } },
    choices: [{ finish_reason: "stop", message: { content: text } }],
  }),
  "an error in the choice beside the words": (_, __, text) => ({
    ...{ usage: undefined },
    choices: [{ finish_reason: "stop", message: { content: text }, error: { code: 429, message: "slow down" } }],
  }),
  "cut off for nothing": failing("length"),
  "filtered for nothing": failing("content_filter"),
  "no words, for nothing": () => ({
    usage: { prompt_tokens: 0, completion_tokens: 0 },
    choices: [{ finish_reason: "stop", message: { content: "" } }],
  }),
  "a longer reply than was asked for, and no count": (_, __, text) => ({
    ...{ usage: undefined },
    choices: [{ finish_reason: "stop", message: { content: `${text} `.repeat(8) } }],
  }),
  "a longer reply than was asked for, and the count of the limit": ({ prompt_tokens }, __, text) => ({
    usage: { prompt_tokens, completion_tokens: LIMIT },
    choices: [{ finish_reason: "stop", message: { content: `${text} `.repeat(20) } }],
  }),
  "the count of each part": streamed(({ prompt_tokens }) =>
    [40, 40, 20, 21].map((completion_tokens) => ({ prompt_tokens, completion_tokens }))
  ),
  "one for each part": streamed(() => Array(20).fill({ prompt_tokens: 1, completion_tokens: 1 })),
  "parts that know nothing": streamed(() => [null, null]),
  "a first part that knows, and a last one that forgot": streamed((
    took,
  ) => [took, { prompt_tokens: 0, completion_tokens: 0 }]),
};

const LIMIT = 200;

for (const [name, lie] of Object.entries(LIES)) {
  Deno.test(`a server that lies (${name}) bills no more than what was told, nor than the cap`, async () => {
    const text = "The council should keep the eastern route open until the shelters have been counted again. ".repeat(
      6,
    );
    let [calls, own] = [0, 0];
    const lying: typeof fetch = async (_, init) => {
      const { messages } = await new Response(init!.body).json();
      const said = { prompt_tokens: counter.prompt(messages), completion_tokens: counter.text(text) };
      const body = lie(said, calls++, text);
      const plain = { choices: [{ finish_reason: "stop", message: { content: text } }] };
      const answer = typeof body === "string" ? body : JSON.stringify({ ...plain, ...body as object });
      const { choices } = typeof body === "string" ? plain : JSON.parse(answer) as typeof plain;
      const made = counter.text(choices[0]!.message.content);
      own += usdOf({ promptTokens: said.prompt_tokens, completionTokens: made }, PRICES.m);
      return new Response(answer);
    };
    const usd = 0.1, budget = new Budget({ usd, prices: PRICES }), bills: Bill[] = [];
    const endpoint = openaiChat({ baseUrl: "http://127.0.0.1:9", fetch: lying });
    const chat = queued(metered(endpoint, budget), { rng: createRng(1), concurrency: 8, baseMs: 0, patienceMs: 40 });
    await Promise.all(Array.from({ length: 30 }, async (_, i) => {
      const messages = [{ role: "user" as const, content: `Round ${i}. ${text.repeat(1 + i % 6)}` }];
      try {
        const reply = await chat(request({ model: "m", messages, maxTokens: LIMIT }));
        bills.push(...billsOfReply("m", reply));
      } catch (error) {
        if (error instanceof ModelError) bills.push(...billsOfReply("m", error.received));
        else if (error instanceof Unanswered) bills.push(...error.tries.map((one) => ({ model: "m", ...one })));
        else throw error;
      }
    }));
    assert.ok(calls > 0 && own > 0);
    assert.ok(own <= budget.spent + 1e-12, `${own} was billed, ${budget.spent} told`);
    const { usd: told } = spentOn(bills, PRICES);
    assert.ok(own <= told + 1e-12, `${own} was billed, ${told} is on record`);
    assert.ok(own <= usd, `${own} of ${usd}`);
  });
}
