import assert from "node:assert/strict";
import { timeToMajority } from "@/stats/mod.ts";

const [A, B, C] = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]];

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
