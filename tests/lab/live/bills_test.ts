import assert from "node:assert/strict";
import { rejection, request } from "../../model/endpoint.ts";
import { type ChatModel, ModelError, Unanswered } from "@/model/chat_model.ts";
import { describeTally, tallier, type Tally } from "@/lab/live/bills.ts";

const usage = { promptTokens: 1000, completionTokens: 100 };
const tried = (code: "rate_limit" | "network") => ({ code, message: "no", waitedMs: 0 });
const PRICES = { m: { input: 1, output: 10 } };

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
