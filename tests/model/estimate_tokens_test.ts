import assert from "node:assert/strict";
import { estimateTokens } from "@/model/cost.ts";

for (
  const [text, tokens] of [["", 0], ["a", 1], ["four", 1], ["fives", 2], ["é".repeat(4), 2], [
    "駅".repeat(4),
    3,
  ]] as const
) {
  Deno.test(`estimateTokens("${text}") is ${tokens}`, () => assert.equal(estimateTokens(text), tokens));
}
