import assert from "node:assert/strict";
import { flipRate } from "@/stats/mod.ts";

for (
  const [decisions, expected] of [
    ["AAAAA", 0],
    ["B", 0],
    ["AB", 0.5],
    ["ABC", 2 / 3],
    ["AAAAAAAAAAABBBBBBCCC", 0.45], // 11 of 20, as in Table S5 at T = 0
  ] as const
) {
  Deno.test(`flipRate() of ${decisions} is ${expected}`, () => assert.equal(flipRate([...decisions]), expected));
}

Deno.test("flipRate() of no runs is refused, not zero", () => {
  assert.throws(() => flipRate([]), { name: "RangeError", message: /at least one run/ });
});
