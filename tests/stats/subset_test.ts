import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { MOST_RUNS, subsetOf } from "@/stats/subset.ts";

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);

Deno.test("subsetOf() leaves 500 and fewer as they are, and draws 500 of more, each once and in their order", () => {
  const all = numbers(MOST_RUNS);
  assert.equal(subsetOf(all, createRng(1)), all);
  const drawn = subsetOf(numbers(2000), createRng(1));
  assert.equal(drawn.length, 500);
  assert.deepEqual(drawn, [...new Set(drawn)].toSorted((a, b) => a - b));
  assert.deepEqual(subsetOf(numbers(2000), createRng(1)), drawn);
  assert.notDeepEqual(subsetOf(numbers(2000), createRng(2)), drawn);
});

Deno.test("subsetOf() draws each as often as any other", () => {
  const times = new Array<number>(1000).fill(0), draws = 400;
  for (let seed = 0; seed < draws; seed++) for (const i of subsetOf(numbers(1000), createRng(seed))) times[i]!++;
  // Each has 200 of 400, SD 10: six of these.
  assert.ok(times.every((n) => Math.abs(n - draws / 2) < 60), `${Math.min(...times)} to ${Math.max(...times)}`);
});
