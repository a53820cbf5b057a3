import assert from "node:assert/strict";
import { signVerdict } from "@/paper/sign_verdict.ts";

for (
  const [stated, low, high, verdict] of [
    ["positive", 0.01, 0.03, "agrees"],
    ["positive", -0.03, -0.01, "disagrees"],
    ["positive", -0.01, 0.03, "not resolved"],
    ["positive", 0, 0.03, "not resolved"],
    ["positive", -0.03, 0, "not resolved"],
    ["near zero or negative", -0.03, -0.01, "agrees"],
    ["near zero or negative", 0.01, 0.03, "disagrees"],
    ["near zero or negative", -0.01, 0.03, "not resolved"],
    [undefined, 0.01, 0.03, "not stated"],
    ["positive", undefined, 0.03, "no interval"],
    ["positive", 0.01, undefined, "no interval"],
  ] as const
) {
  Deno.test(`an effect said to be ${stated}, with the interval ${low} to ${high}: ${verdict}`, () => {
    assert.equal(signVerdict(stated, { low, high }), verdict);
  });
}
