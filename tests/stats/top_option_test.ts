import assert from "node:assert/strict";
import { switchCounts, topOption } from "@/stats/mod.ts";

for (
  const [preferences, option, tied] of [
    [[0.2, 0.5, 0.3], 1, false],
    [[0.4, 0.2, 0.4], 0, true],
    [[0.2, 0.4, 0.4], 1, true],
    [[0.2, 0.2, 0.6], 2, false], // a tie, but not for the top
    [[0.2, 0.2, 0.2, 0.2, 0.2], 0, true],
    [[1], 0, false],
    [[-3, -1], 1, false],
  ] as const
) {
  Deno.test(`topOption() of ${preferences} is ${option}${tied ? ", tied" : ""}`, () => {
    assert.deepEqual(topOption(preferences), { option, tied });
  });
}

Deno.test("topOption() and switchCounts() name what is wrong", () => {
  assert.throws(() => topOption([]), { name: "RangeError", message: /at least one option/ });
  assert.throws(() => topOption([0.5, NaN]), { name: "RangeError", message: /^preferences, option 2 is NaN/ });
  for (
    const [preferences, message] of [
      [[], /^preferences hold no round/],
      [[[]], /^round 1 has 0 agents/],
      [[[[1, 0]], [[1, 0], [1, 0]]], /^round 2 has 2 agents: must be 1/],
      [[[[1, 0], [1, 0, 0]]], /^round 1, agent 2 has 3 options: must be 2/],
      [[[[1, 0]], [[1, NaN]]], /^round 2, agent 1, option 2 is NaN/],
    ] as const
  ) assert.throws(() => switchCounts(preferences), { name: "RangeError", message });
});
