import assert from "node:assert/strict";
import { assertLinear, filling } from "./linear_time.ts";

/** Tries work that takes so many steps, by a clock that counts them. */
function tried(stepsOf: (length: number) => number): () => void {
  let steps = 0;
  return () => {
    const { now } = performance;
    performance.now = () => steps;
    try {
      assertLinear((fill) => fill("ab"), ({ length }) => steps += stepsOf(length), [800, 6400]);
    } finally {
      performance.now = now;
    }
  };
}

Deno.test("work that grows no faster than its text passes", () => {
  assert.doesNotThrow(tried(() => 1000));
  assert.doesNotThrow(tried((length) => 3 * length));
  assert.doesNotThrow(tried((length) => length * Math.log2(length)));
});

Deno.test("work that grows with the square of its text fails at the short one, and says by how much", () => {
  // 800² against 8 · 100², and with a linear part 800² + 80 · 800 against 8 · (100² + 80 · 100).
  assert.throws(tried((length) => length ** 2), /: 800 characters take 8\.0 times as long as eight parts of it: abab/);
  assert.throws(tried((length) => length ** 2 + 80 * length), /: 800 characters take 4\.9 times/);
});

Deno.test("work that grows with the square of a long text alone fails there", () => {
  assert.throws(tried((length) => Math.max(1e6, length ** 2)), /: 6400 characters take 5\.1 times/);
});

Deno.test("a text is filled to a length, or to a share of it", () => {
  assert.equal(filling(7)("abc"), "abcabc");
  assert.equal(filling(8)("abc", 0.5), "abc");
});
