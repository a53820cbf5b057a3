import fc from "fast-check";
import assert from "node:assert/strict";
import { branchingEntropy, type Trajectory } from "@/stats/mod.ts";
import { close } from "./ensembles.ts";

const START = [0.5, 0.5];

Deno.test("branchingEntropy() averages D over the rounds after x_t and takes off what was there at x_t", () => {
  // Pairwise distances: 2 at x_t, then 5, then 8.
  const branches: Trajectory[] = [[[0, 0], [0, 0], [0, 0]], [[2, 0], [3, 4], [0, 8]]];
  const { entropy, initial, gamma } = branchingEntropy(branches);
  assert.deepEqual({ entropy, initial, gamma }, { entropy: 6.5, initial: 2, gamma: 4.5 });
});

Deno.test("branchingEntropy() of branches from one state has μ = 0, and Γ < 0 when branches converge", () => {
  assert.equal(branchingEntropy([[START, [1, 0]], [START, [0, 1]], [START, [1, 0]]]).initial, 0);
  assert.ok(branchingEntropy([[[1, 0], START], [[0, 1], START]]).gamma < 0);
  assert.equal(branchingEntropy([[START, START], [START, START]]).gamma, 0);
});

Deno.test("branchingEntropy() compares directions in the same round, x_t apart", () => {
  // Round t+1: 45° apart; round t+2: the same direction at another length. At x_t they stand at right angles.
  const branches: Trajectory[] = [[[1, 0], [1, 0], [1, 1]], [[0, 1], [1, 1], [3, 3]]];
  assert.ok(close(branchingEntropy(branches).cosIn, (Math.SQRT1_2 + 1) / 2));
});

Deno.test("branchingEntropy() compares with the continuations of other base states, pooled or by base state", () => {
  const branches: Trajectory[] = [[START, [1, 0]], [START, [1, 0]]];
  const a: Trajectory[] = [[START, [0, 1]], [START, [1, 0]]], b: Trajectory[] = [[START, [1, 1]]];
  const expected = (0 + 1 + Math.SQRT1_2) / 3;
  for (const others of [[...a, ...b], [a, b]]) {
    const { cosIn, cosOut } = branchingEntropy(branches, { others });
    assert.ok(close(cosIn, 1) && close(cosOut, expected));
  }
});

Deno.test("branchingEntropy() leaves out a similarity that does not exist", () => {
  const { cosOut, ...zero } = branchingEntropy([[START, [0, 0]], [START, [1, 0]]]);
  assert.deepEqual(zero, { gamma: 1, entropy: 1, initial: 0 });
  assert.equal(cosOut, undefined);
  assert.ok(!("cosOut" in branchingEntropy([[START, [1, 0]], [START, [1, 0]]], { others: [] })));
});

Deno.test("branchingEntropy() does not depend on the order of branches", () => {
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  const branch = fc.array(fc.tuple(share, share, share), { minLength: 3, maxLength: 3 });
  fc.assert(fc.property(fc.array(branch, { minLength: 2, maxLength: 5 }), (branches) => {
    const [a, b] = [branchingEntropy(branches), branchingEntropy(branches.toReversed())];
    assert.ok(close(a.gamma, b.gamma) && close(a.cosIn, b.cosIn!) && a.cosIn! <= 1 + 1e-12);
  }));
});

for (
  const [branches, options, message] of [
    [[[START, START]], {}, /holds 1: .*at least 2 continuations/],
    [[[START], [START]], {}, /x_t alone/],
    [[[START, [NaN, 1]], [START, START]], {}, /^branches\[0\], round 2, option 1 is NaN/],
    [[[START, START], [START, START]], { others: [[START]] }, /^others have 1 rounds of 2 options, branches 2 of 2/],
    [[[START, START], [START, START]], { others: [[START, [0, Infinity]]] }, /^others\[0\], round 2, option 2 is Inf/],
  ] as const
) {
  Deno.test(`branchingEntropy() refuses ${JSON.stringify([branches, options])}`, () => {
    assert.throws(() => branchingEntropy(branches, options), { name: "RangeError", message });
  });
}
