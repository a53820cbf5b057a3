import fc from "fast-check";
import assert from "node:assert/strict";
import { divergence, saturation } from "@/stats/mod.ts";
import { close } from "./ensembles.ts";

Deno.test("saturation() is 0.99 for 20 replicates over three options", () => {
  assert.equal(saturation([], { optionCount: 3, replicates: 20 }).ceiling.toFixed(2), "0.99");
});

Deno.test("saturation() is reached by replicates spread evenly over the corners, with no room left", () => {
  const corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const D = divergence([...corners, ...corners].map((corner) => [[1 / 3, 1 / 3, 1 / 3], corner]));
  const { ceiling, headRoom } = saturation(D, { optionCount: 3, replicates: 6 });
  assert.ok(close(ceiling, D[1]!) && close(headRoom[1], 0));
  assert.equal(headRoom[0], ceiling);
});

Deno.test("saturation() is exact where the corners cannot be filled evenly", () => {
  assert.ok(close(saturation([], { optionCount: 5, replicates: 2 }).ceiling, Math.SQRT2));
  const corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const D = divergence([0, 0, 1, 1, 2].map((corner) => [corners[corner]!]));
  assert.ok(close(saturation(D, { optionCount: 3, replicates: 5 }).ceiling, D[0]!));
});

Deno.test("saturation() is never exceeded on the simplex", () => {
  const share = fc.integer({ min: 0, max: 9 });
  const state = fc.tuple(share, share, share).filter((shares) => shares.some((x) => x > 0))
    .map((shares) => shares.map((x) => x / shares.reduce((a, b) => a + b, 0)));
  fc.assert(fc.property(fc.array(state, { minLength: 2, maxLength: 9 }), (states) => {
    const D = divergence(states.map((s) => [s]));
    assert.ok(saturation(D, { optionCount: 3, replicates: states.length }).headRoom[0]! >= 0);
  }));
});

for (
  const [D, options, message] of [
    [[0.5, 1.2], { optionCount: 3, replicates: 20 }, /^D is 1.2 in round 2, above the ceiling 0\.98.*must sum to 1/],
    [[0.5], { optionCount: 1, replicates: 20 }, /^optionCount is 1: must be 2 or more/],
    [[0.5], { optionCount: 3, replicates: 1 }, /^replicates is 1/],
    [[-0.5], { optionCount: 3, replicates: 20 }, /^D is -0.5 in round 1/],
  ] as const
) {
  Deno.test(`saturation() refuses D = ${D} with ${JSON.stringify(options)}`, () => {
    assert.throws(() => saturation(D, options), { name: "RangeError", message });
  });
}
