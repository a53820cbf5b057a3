import assert from "node:assert/strict";
import { switchCounts } from "@/stats/mod.ts";

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
