import fc from "fast-check";
import { parseHTML } from "linkedom";
import assert from "node:assert/strict";
import { longestRising, reorder } from "@/explorer/reorder.ts";

/** The length of the longest rising subsequence, by trying every end. */
function longest(values: readonly number[]): number {
  const lengths: number[] = [];
  for (const [i, value] of values.entries()) {
    lengths[i] = 1 + Math.max(0, ...lengths.filter((_, j) => values[j]! < value));
  }
  return Math.max(0, ...lengths);
}

const shuffled = fc.integer({ min: 0, max: 9 }).chain((n) => {
  const all = Array.from({ length: n }, (_, i) => i);
  return fc.shuffledSubarray(all, { minLength: n, maxLength: n });
});

Deno.test("longestRising() finds places that rise, and as many as there can be", () => {
  fc.assert(fc.property(shuffled, (values) => {
    const places = [...longestRising(values)].sort((a, b) => a - b);
    const rising = places.map((place) => values[place]!);
    assert.deepEqual(rising, rising.toSorted((a, b) => a - b));
    assert.equal(places.length, longest(values));
  }));
});

Deno.test("reorder() reaches the order with the fewest moves, also from nothing", () => {
  fc.assert(fc.property(shuffled, (order) => {
    const { document } = parseHTML("<main></main>");
    const parent = document.querySelector("main")!;
    const children = order.map(() => document.createElement("p"));
    reorder(parent, children);
    assert.ok(children.every((child, i) => parent.children[i] === child));
    let moves = 0;
    const insert = parent.insertBefore.bind(parent);
    parent.insertBefore = (node, next) => (moves++, insert(node, next));
    const wanted = order.map((i) => children[i]!);
    reorder(parent, wanted);
    assert.ok(wanted.every((child, i) => parent.children[i] === child));
    assert.equal(moves, order.length - longest(order));
  }));
});
