import assert from "node:assert/strict";
import { studentise } from "@/stats/intervals.ts";
import { close } from "./ensembles.ts";

const OPTIONS = { level: 0.5, tolerance: 1e-12 };

Deno.test("studentise() by hand: t* = −2, −1, 0, 1, 4 around a slope of 3 with error 2", () => {
  const resamples = [[1, 1], [1, 2], [3, 9], [4, 1], [5, 0.5]].map(([slope, error]) => ({
    slope: slope!,
    error: error!,
  }));
  const { low, high, p } = studentise({ slope: 3, error: 2 }, resamples, OPTIONS);
  // The quartiles of t* are −1 and 1; t = 3/2 is reached by one of five.
  assert.deepEqual([low, high], [3 - 2 * 1, 3 - 2 * -1]);
  assert.ok(close(p, 2 / 6));
});

Deno.test("studentise() counts a resample without spread of its own against growth", () => {
  const resamples = [{ slope: 9, error: 0 }, { slope: 3, error: 0 }, { slope: 1, error: 0 }];
  const { low, high, p } = studentise({ slope: 3, error: 1 }, resamples, OPTIONS);
  assert.equal(p, 2 / 4); // t* = ∞, 0, −∞ against t = 3
  assert.deepEqual([low, high], [undefined, undefined]);
});

Deno.test("studentise() without error: a slope is certain, and none is no growth", () => {
  const same = (slope: number) => Array.from({ length: 9 }, () => ({ slope, error: 0 }));
  const certain = studentise({ slope: 3, error: 0 }, same(3 + 1e-13), OPTIONS);
  assert.deepEqual(certain, { low: 3, high: 3, p: 1 / 10 });
  assert.deepEqual(studentise({ slope: 0, error: 0 }, same(1e-14), OPTIONS), { low: 0, high: 0, p: 1 });
  assert.equal(studentise({ slope: -3, error: 0 }, same(-3), OPTIONS).p, 1);
});

Deno.test("studentise() of no resamples is nothing", () => {
  assert.deepEqual(studentise({ slope: 1, error: 1 }, [], OPTIONS), {});
});
