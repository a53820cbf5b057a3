import fc from "fast-check";
import assert from "node:assert/strict";
import {
  LEAST_ROUNDS,
  type MeasureState,
  openingState,
  withCondition,
  withFrom,
  withPaperWindow,
  withReplicates,
  withTo,
} from "@/explorer/committee/state.ts";
import { doubling, entryOf } from "./committee_entries.ts";

const opening = openingState(doubling);
const window = ({ from, to }: MeasureState) => [from, to];

Deno.test("the explorer of committees opens with all replicates over the paper's window", () => {
  assert.deepEqual([...window(opening), opening.replicates, opening.scale], [3, 20, 4, "log"]);
  assert.deepEqual(window(openingState(entryOf((t) => t, { rounds: 10 }))), [3, 10], "as much of it as there is");
  assert.deepEqual(window(openingState(entryOf((t) => t, { rounds: 4 }))), [2, 4], "three rounds at least");
});

Deno.test("an end of the window moves alone, or takes the other along where fewer than three rounds are left", () => {
  assert.deepEqual(window(withFrom(opening, 7)), [7, 20]);
  assert.deepEqual(window(withTo(opening, 5)), [3, 5]);
  assert.deepEqual(window(withTo(opening, 4)), [2, 4]);
  assert.deepEqual(window(withFrom(withTo(opening, 6), 5)), [5, 7]);
  assert.deepEqual(window(withFrom(opening, 20)), [18, 20]);
  assert.deepEqual(window(withTo(opening, 1)), [1, 3]);
  assert.deepEqual(window(withPaperWindow(withFrom(opening, 12))), [3, 20]);
});

Deno.test("whatever is moved in whatever order, the window is one of three or more rounds that exist", () => {
  const entries = [doubling, entryOf((t) => t, { rounds: 5 }), entryOf((t) => t, { rounds: 40, places: [0, 1] })];
  const steps = [withFrom, withTo, withReplicates];
  const move = fc.tuple(fc.nat(entries.length), fc.integer({ min: -3, max: 45 }));
  fc.assert(fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
    let state = opening;
    for (const [kind, value] of moves) {
      const step = steps[kind];
      state = step ? step(state, value) : withCondition(state, entries[Math.abs(value) % entries.length]!);
      const { from, to, replicates, condition: { means } } = state;
      assert.ok(from >= 1 && to - from + 1 >= LEAST_ROUNDS && to <= means[0]!.length, `${from}-${to}`);
      assert.ok(replicates >= 2 && replicates <= means.length, `${replicates} replicates`);
    }
  }));
});

Deno.test("another condition is compared whole where the last one was, otherwise by as many replicates", () => {
  const six = entryOf((t) => t, { places: [0, 1, 2, 3, 4, 5] });
  assert.equal(withCondition(opening, six).replicates, 6);
  assert.equal(withCondition(withReplicates(opening, 3), six).replicates, 3);
  assert.equal(withCondition(withReplicates(openingState(six), 5), doubling).replicates, 4);
});
