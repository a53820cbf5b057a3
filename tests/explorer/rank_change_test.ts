import fc from "fast-check";
import assert from "node:assert/strict";
import { type RankChange, rankChange } from "@/explorer/rescore/ranking.ts";

const range = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 10 }))
  .map(([best, more]) => ({ best, worst: best + more }));

const cases: [before: [number, number], after: [number, number], change: RankChange][] = [
  [[4, 4], [4, 4], { kind: "same" }],
  [[4, 4], [1, 1], { kind: "up", least: 3, most: 3 }],
  [[1, 1], [4, 4], { kind: "down", least: 3, most: 3 }],
  [[5, 7], [2, 4], { kind: "up", least: 1, most: 5 }],
  [[5, 7], [5, 7], { kind: "undecided", up: 2, down: 2 }],
  [[4, 4], [4, 9], { kind: "undecided", up: 0, down: 5 }],
  [[4, 6], [6, 8], { kind: "undecided", up: 0, down: 4 }],
];
for (const [[best, worst], [newBest, newWorst], change] of cases) {
  Deno.test(`from rank ${best}-${worst} to ${newBest}-${newWorst} is ${change.kind}`, () => {
    assert.deepEqual(rankChange({ best, worst }, { best: newBest, worst: newWorst }), change);
  });
}

Deno.test("the way back is the same change turned round", () => {
  fc.assert(fc.property(range, range, (before, after) => {
    const [there, back] = [rankChange(before, after), rankChange(after, before)];
    if (there.kind === "undecided") {
      return assert.deepEqual(back, { kind: "undecided", up: there.down, down: there.up });
    }
    if (there.kind === "same") return assert.deepEqual(back, there);
    assert.deepEqual(back, { ...there, kind: there.kind === "up" ? "down" : "up" });
  }));
});
