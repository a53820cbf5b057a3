import assert from "node:assert/strict";
import { flipRate, switchCounts, timeToMajority, topOption } from "@/stats/mod.ts";

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

const [A, B, C] = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]];

Deno.test("switchCounts() counts changes of the top option, agent by agent", () => {
  assert.deepEqual(switchCounts([[A, A, A], [B, A, A], [C, A, B], [A, A, B]]), [3, 0, 1]);
  assert.deepEqual(switchCounts([[A, B]]), [0, 0]);
});

Deno.test("switchCounts() does not count a change of mind that leaves the same option on top", () => {
  assert.deepEqual(switchCounts([[[0.9, 0.1]], [[0.51, 0.49]]]), [0]);
});

Deno.test("switchCounts() gives ties to the lowest option", () => {
  assert.deepEqual(switchCounts([[[0.6, 0.4], [0.4, 0.6]], [[0.5, 0.5], [0.5, 0.5]]]), [0, 1]);
});

Deno.test("switchCounts() names what is wrong", () => {
  assert.throws(() => switchCounts([]), { name: "RangeError", message: /no round/ });
  assert.throws(() => switchCounts([[A], [[NaN, 1, 0]]]), {
    name: "RangeError",
    message: /^round 2, agent 1, option 1/,
  });
});

Deno.test("timeToMajority() is the first round with three of five alike", () => {
  const split = [A, A, B, B, C];
  assert.equal(timeToMajority([[A, B, A, C, A], split]), 1);
  assert.equal(timeToMajority([split, split, [B, A, B, B, C], split]), 3);
  assert.equal(timeToMajority([split, [C, C, C, C, C]]), 2);
});

Deno.test("timeToMajority() is undefined when it never comes, and follows the majority asked for", () => {
  const rounds = [[A, A, B, B, C], [A, B, C, A, B], [A, A, A, A, C]];
  assert.equal(timeToMajority(rounds.slice(0, 2)), undefined);
  assert.equal(timeToMajority(rounds, { majority: 4 }), 3);
  assert.equal(timeToMajority(rounds, { majority: 5 }), undefined);
  assert.equal(timeToMajority(rounds, { majority: 2 }), 1);
});

Deno.test("timeToMajority() takes more than half of the agents, whatever their number", () => {
  assert.equal(timeToMajority([[A, B], [A, A]]), 2);
  assert.equal(timeToMajority([[A, B, C], [A, A, C]]), 2);
  assert.equal(timeToMajority([[A, A, B, C], [A, A, A, C]]), 2);
  assert.equal(timeToMajority([[A, A, A, B, B, C], [A, A, A, A, B, C]]), 2);
  assert.equal(timeToMajority([[A, A, A, B, B, C, C], [A, A, A, A, B, C, C]]), 2);
});

Deno.test("timeToMajority() gives ties to the lowest option", () => {
  const tie = [0.4, 0.4, 0.2];
  assert.equal(timeToMajority([[A, A, tie, B, C]]), 1);
  assert.equal(timeToMajority([[B, B, tie, C, C]]), undefined);
});

Deno.test("timeToMajority() refuses a majority that cannot be", () => {
  assert.throws(() => timeToMajority([[A, B]], { majority: 3 }), {
    name: "RangeError",
    message: /majority is 3: .*only 2 agents/,
  });
  assert.throws(() => timeToMajority([[A, B]], { majority: 0 }), { name: "RangeError", message: /^majority is 0/ });
  assert.throws(() => timeToMajority([]), { name: "RangeError", message: /no round/ });
});

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
