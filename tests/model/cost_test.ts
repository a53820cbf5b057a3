import assert from "node:assert/strict";
import { estimateCost, estimateTokens } from "@/model/cost.ts";

const prices = {
  large: { input: 3, output: 15 },
  free: { input: 0, output: 0 },
};
const call = { model: "large", promptTokens: 2000, completionTokens: 100, count: 10 };

Deno.test("estimateCost() adds up calls, tokens and dollars, in all and by model", () => {
  const calls = [call, { ...call, model: "free" }, {
    model: "large",
    promptTokens: 0,
    completionTokens: 500,
    count: 4,
  }];
  // large: 20 000 prompt tokens at 3 $/M are 0.06 $; 1000 + 2000 completion tokens at 15 $/M are 0.045 $.
  assert.deepEqual(estimateCost({ calls, prices }), {
    calls: 24,
    promptTokens: 40_000,
    completionTokens: 4000,
    usd: 0.105,
    models: [
      { model: "large", calls: 14, promptTokens: 20_000, completionTokens: 3000, usd: 0.105 },
      { model: "free", calls: 10, promptTokens: 20_000, completionTokens: 1000, usd: 0 },
    ],
    unpriced: [],
  });
});

Deno.test("fault 45: an unpriced model is listed and leaves the total unknown, not zero", () => {
  const estimate = estimateCost({ calls: [call, { ...call, model: "new" }, { ...call, model: "toString" }], prices });
  assert.deepEqual(estimate.unpriced, ["new", "toString"]);
  assert.equal("usd" in estimate, false);
  assert.deepEqual(estimate.models.map(({ usd }) => usd), [0.075, undefined, undefined]);
  assert.equal(estimate.promptTokens, 60_000);
});

Deno.test("estimateCost() of no calls is nothing at no cost", () => {
  const nothing = { calls: 0, promptTokens: 0, completionTokens: 0, usd: 0, models: [], unpriced: [] };
  assert.deepEqual(estimateCost({ calls: [], prices: {} }), nothing);
});

Deno.test("estimateCost() refuses prices that cannot be", () => {
  for (const input of [-1, NaN, Infinity]) {
    const wrong = { large: { input, output: 1 } };
    assert.throws(() => estimateCost({ calls: [call], prices: wrong }), /price of large/);
  }
});

for (
  const [text, tokens] of [["", 0], ["a", 1], ["four", 1], ["fives", 2], ["é".repeat(4), 2], [
    "駅".repeat(4),
    3,
  ]] as const
) {
  Deno.test(`estimateTokens("${text}") is ${tokens}`, () => assert.equal(estimateTokens(text), tokens));
}
