import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { oneRunEach } from "@/paper/wording.ts";

/** Leaves the middle along `side`, by e^(λ t). */
const run = (side: number, lambda = 0.1) =>
  Array.from({ length: 20 }, (_, t) => [0.5 + 0.001 * side * Math.exp(lambda * (t + 1)), 0.5]);

Deno.test("a draw takes one run of each group: with one each, all draws are the slope of those", () => {
  const { draws, undefinedDraws } = oneRunEach([[run(1, 0.05)], [run(-1, 0.05)]], { rng: createRng(1), resamples: 5 });
  assert.equal(undefinedDraws, 0);
  for (const lambda of draws) assert.ok(Math.abs(lambda - 0.05) < 1e-9);
});

Deno.test("groups stay apart unless shuffled: equal runs within a group never meet", () => {
  // Within a group runs are the same, so a pair from one group has no slope.
  const groups = [[run(1), run(1), run(1)], [run(-1), run(-1), run(-1)]];
  const apart = oneRunEach(groups, { rng: createRng(2), resamples: 200 });
  assert.deepEqual([apart.draws.length, apart.undefinedDraws], [200, 0]);
  const pooled = oneRunEach(groups, { rng: createRng(2), resamples: 2000, shuffled: true });
  assert.equal(pooled.draws.length + pooled.undefinedDraws, 2000);
  // Two of six without putting back are of one group with probability 2/5.
  assert.ok(Math.abs(pooled.undefinedDraws / 2000 - 0.4) < 0.04, `${pooled.undefinedDraws}`);
});

Deno.test("every run of a group is taken in its turn", () => {
  const groups = [[run(1), run(1, 0.2)], [run(0)]];
  const { draws } = oneRunEach(groups, { rng: createRng(3), resamples: 100 });
  assert.deepEqual([...new Set(draws.map((lambda) => lambda.toFixed(3)))].sort(), ["0.100", "0.200"]);
});

Deno.test("oneRunEach() refuses a single group and an empty one", () => {
  const rng = createRng(1);
  assert.throws(() => oneRunEach([[run(1)]], { rng }), { name: "RangeError", message: /1 groups/ });
  assert.throws(() => oneRunEach([[run(1)], []], { rng }), { name: "RangeError", message: /group 1 holds no run/ });
});
