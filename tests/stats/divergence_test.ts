import fc from "fast-check";
import assert from "node:assert/strict";
import { divergence, type Trajectory } from "@/stats/mod.ts";

const SQUARE = [[0, 0], [1, 0], [1, 1], [0, 1]];

Deno.test("divergence() of the corners of a square is the mean of four sides and two diagonals", () => {
  const D = divergence(SQUARE.map((corner) => [corner, corner.map((x) => 3 * x)]));
  const expected = (4 + 2 * Math.SQRT2) / 6;
  assert.ok(Math.abs(D[0]! - expected) < 1e-15);
  assert.ok(Math.abs(D[1]! - 3 * expected) < 1e-15);
});

Deno.test("divergence() counts five options as it counts three", () => {
  assert.deepEqual(divergence([[[1, 0, 0, 0, 0]], [[0, 0, 0, 0, 1]]]), [Math.SQRT2]);
});

Deno.test("divergence() is zero where all agree, and exact at separations of 1e-10", () => {
  // Powers of two: these differences are exact in binary, so the answer is too.
  const tiny = 2 ** -33;
  const D = divergence([[[0.5, 0.25], [0.5, 0.5]], [[0.5, 0.25], [0.5 + 3 * tiny, 0.5 - 4 * tiny]]]);
  assert.deepEqual(D, [0, 5 * tiny]);
  const [p, q] = [[0.5, 0.5], [0.5 + 3 * tiny, 0.5 - 4 * tiny]] as const;
  const shortcut = p[0]! ** 2 + p[1]! ** 2 + q[0]! ** 2 + q[1]! ** 2 - 2 * (p[0]! * q[0]! + p[1]! * q[1]!);
  assert.ok(Math.abs(Math.sqrt(Math.max(0, shortcut)) / (5 * tiny) - 1) > 0.1, "the shortcut would not have done");
});

const value = fc.double({ min: -1, max: 1, noNaN: true });
const ensemble: fc.Arbitrary<Trajectory[]> = fc.array(
  fc.array(fc.tuple(value, value, value), { minLength: 3, maxLength: 3 }),
  { minLength: 2, maxLength: 6 },
);

Deno.test("divergence() does not depend on the order of runs", () => {
  fc.assert(fc.property(ensemble, (runs) => {
    const [forwards, backwards] = [divergence(runs), divergence(runs.toReversed())];
    forwards.forEach((d, t) => assert.ok(Math.abs(d - backwards[t]!) < 1e-12));
  }));
});

Deno.test("divergence() does not change under a common shift, and scales with the data", () => {
  fc.assert(fc.property(ensemble, fc.tuple(value, value, value), (runs, shift) => {
    const moved = runs.map((run) => run.map((state) => state.map((x, k) => 2 * x + shift[k]!)));
    const [before, after] = [divergence(runs), divergence(moved)];
    before.forEach((d, t) => assert.ok(Math.abs(2 * d - after[t]!) < 1e-12));
  }));
});

const good = [[0.5, 0.5], [0.6, 0.4]];
for (
  const [what, runs, message] of [
    ["one run", [good], /holds 1: .* at least 2/],
    ["no runs", [], /holds 0: .* at least 2/],
    ["a shorter run", [[[0.5, 0.5]], good], /^runs\[0\] ends at round 1, others at round 2: .*completeRuns/],
    ["NaN", [good, [[0.5, 0.5], [NaN, 0.4]]], /^runs\[1\], round 2, option 1 is NaN: must be a finite number/],
    ["infinity", [good, [[0.5, Infinity], [0.6, 0.4]]], /^runs\[1\], round 1, option 2 is Infinity/],
    ["another number of options", [good, [[0.5, 0.5], [0.6, 0.4, 0]]], /^runs\[1\], round 2 has 3 options: must be 2/],
    ["an empty run", [good, []], /^runs\[1\] has no rounds/],
    ["an empty round", [[[]], [[]]], /^runs\[0\], round 1 has 0 options/],
    ["a missing round", [good, JSON.parse("[[0.5, 0.5], null]")], /^runs\[1\], round 2 is missing/],
  ] as const
) {
  Deno.test(`divergence() refuses ${what}, naming run, round and rule`, () => {
    assert.throws(() => divergence(runs), { name: "RangeError", message });
  });
}
