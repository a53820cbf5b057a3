import assert from "node:assert/strict";
import { percentileInterval } from "@/stats/intervals.ts";

Deno.test("percentileInterval() interpolates linearly between order statistics", () => {
  // Positions 0.25·3 and 0.75·3 of 10, 20, 30, 40.
  assert.deepEqual(percentileInterval([40, 10, 30, 20], 0.5, 200), { low: 17.5, high: 32.5 });
  assert.deepEqual(percentileInterval([7], 0.95, 200), { low: 7, high: 7 });
});

Deno.test("percentileInterval() sorts by value, not by spelling", () => {
  assert.deepEqual(percentileInterval([-1, 100, 9, -20], 1 / 3, 200), { low: -1, high: 9 });
});

Deno.test("percentileInterval() without values, or with an infinite end, is absent", () => {
  assert.deepEqual(percentileInterval([], 0.95, 200), {});
  assert.deepEqual(percentileInterval([1, 2, Infinity], 0.95, 200), {});
  assert.deepEqual(percentileInterval([-Infinity, -Infinity, 1], 0.5, 200), {});
});
