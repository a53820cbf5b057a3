import fc from "fast-check";
import assert from "node:assert/strict";
import { callNoise } from "@/paper/call_noise.ts";

const reply = (text: string, ...preferences: number[]) => ({ text, preferences });
const near = (a: number | undefined, b: number) => assert.ok(Math.abs(a! - b) < 1e-12, `${a} is not near ${b}`);

Deno.test("callNoise() counts calls off the modal reply, differing pairs and their mean distance", () => {
  // Vectors a a a b c with |ab| = 5, |ac| = 0 + 1, |bc| = √(9 + 9): of 10 pairs 3 are equal, 3 are ab, 3 ac, 1 bc.
  const [a, b, c] = [[0, 0], [3, 4], [0, 1]];
  const { texts, vectors } = callNoise([
    ...[reply("x", ...a!), reply("x", ...a!), reply("y", ...a!)],
    ...[reply("x", ...b!), reply("z", ...c!)],
  ]);
  assert.deepEqual([texts.calls, texts.distinct], [5, 3]);
  near(texts.offMode, 2 / 5);
  near(texts.differingPairs, 7 / 10);
  assert.deepEqual([vectors.calls, vectors.distinct], [5, 3]);
  near(vectors.offMode, 2 / 5);
  near(vectors.differingPairs, 7 / 10);
  near(vectors.meanDistance, (3 * 5 + 3 * 1 + Math.sqrt(18)) / 10);
});

Deno.test("a reply that could not be read counts among the texts alone", () => {
  const { texts, vectors } = callNoise([reply("a", 1, 0), { text: "b" }, reply("c", 1, 0)]);
  assert.deepEqual(texts, { calls: 3, distinct: 3, offMode: 2 / 3, differingPairs: 1 });
  assert.deepEqual(vectors, { calls: 2, distinct: 1, offMode: 0, differingPairs: 0, meanDistance: 0 });
});

Deno.test("without calls there is no share, with one no pair: neither is zero", () => {
  assert.deepEqual(callNoise([]), { texts: { calls: 0, distinct: 0 }, vectors: { calls: 0, distinct: 0 } });
  const one = { calls: 1, distinct: 1, offMode: 0 };
  assert.deepEqual(callNoise([reply("a", 1)]), { texts: one, vectors: one });
});

Deno.test("pairs that differ agree with a count of all pairs, in whatever order replies come", () => {
  fc.assert(fc.property(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 2, maxLength: 12 }), (words) => {
    const pairs = words.flatMap((a, i) => words.slice(i + 1).map((b) => a !== b));
    const { texts } = callNoise(words.map((text) => ({ text })));
    near(texts.differingPairs, pairs.filter(Boolean).length / pairs.length);
    assert.deepEqual(callNoise(words.toReversed().map((text) => ({ text }))).texts, texts);
  }));
});

for (const bad of [[[1, 0], [1]], [[1, NaN], [1, 0]]]) {
  Deno.test(`callNoise() refuses preferences ${JSON.stringify(bad)}`, () =>
    assert.throws(() => callNoise(bad.map((preferences) => reply("", ...preferences))), {
      name: "RangeError",
      message: /preferences \d are \[.*\]: must be \d finite numbers/,
    }));
}
