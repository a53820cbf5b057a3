import assert from "node:assert/strict";
import { percentileInterval, studentise } from "@/stats/intervals.ts";
import { close } from "./ensembles.ts";

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

const OPTIONS = { level: 0.5, tolerance: 1e-12, replicates: 20, sides: 1, drawn: 200 } as const;

Deno.test("studentise() by hand: t* = −2, −1, 0, 1, 4 around a slope of 3 with error 2", () => {
  const resamples = [[1, 1], [1, 2], [3, 9], [4, 1], [5, 0.5]].map(([slope, error]) => ({
    slope: slope!,
    error: error!,
  }));
  const { low, high, p, method } = studentise({ slope: 3, error: 2 }, resamples, OPTIONS);
  // Half of 5 + 1: the third of |t*| = 0, 1, 1, 2, 4 is 1; t = 3/2 is reached by one of five, |t| = 3/2 by two.
  assert.deepEqual([low, high, method], [3 - 2 * 1, 3 + 2 * 1, "bootstrap-t"]);
  assert.ok(close(p, 2 / 6));
  assert.ok(close(studentise({ slope: 3, error: 2 }, resamples, { ...OPTIONS, sides: 2 }).p, 3 / 6));
});

Deno.test("studentise() counts a resample of no error against growth, and leaves out one without error", () => {
  const resamples = [{ slope: 9, error: 0 }, { slope: 3, error: 0 }, { slope: 1, error: 0 }];
  const certain = studentise({ slope: 3, error: 1 }, resamples, OPTIONS);
  // t* = ∞, 0, −∞ against t = 3; the second of |t*| is infinite.
  assert.deepEqual(certain, { p: 2 / 4, method: "bootstrap-t", reason: "too-few-replicates" });
  const unknown = { slope: 8, error: NaN };
  assert.deepEqual(studentise({ slope: 3, error: 1 }, [...resamples, unknown], OPTIONS), {
    ...certain,
    undefinedErrors: 1,
  });
});

Deno.test("studentise() without error: a slope is certain, and none is no growth", () => {
  const same = (slope: number) => Array.from({ length: 9 }, () => ({ slope, error: 0 }));
  const method = "bootstrap-t";
  const certain = studentise({ slope: 3, error: 0 }, same(3 + 1e-13), OPTIONS);
  assert.deepEqual(certain, { low: 3, high: 3, p: 1 / 10, method });
  assert.deepEqual(studentise({ slope: 0, error: 0 }, same(1e-14), OPTIONS), { low: 0, high: 0, p: 1, method });
  assert.equal(studentise({ slope: -3, error: 0 }, same(-3), OPTIONS).p, 1);
  const three = { ...OPTIONS, replicates: 3 };
  assert.equal(studentise({ slope: 0, error: 0 }, same(0), three).p, 1);
  assert.equal(studentise({ slope: 3, error: 0 }, same(3), three).p, 0);
});

Deno.test("studentise() holds zero exactly where the two-sided test does not reject", () => {
  const pivots = Array.from({ length: 39 }, (_, i) => ({ slope: i - 19.5, error: 1 })); // |t*| = 0.5, 0.5, 1.5, … 19.5
  for (const slope of [18.4, 18.6]) {
    const around = pivots.map((one) => ({ ...one, slope: one.slope + slope }));
    const { low, p } = studentise({ slope, error: 1 }, around, { ...OPTIONS, level: 0.95, sides: 2 });
    assert.deepEqual([low! > 0, p! <= 0.05], [slope === 18.6, slope === 18.6]);
  }
});

Deno.test("studentise() without an error of the sample says why there is nothing", () => {
  const many = Array.from({ length: 9 }, (_, i) => ({ slope: i, error: 1 }));
  assert.deepEqual(studentise({ slope: 3, error: NaN }, many, OPTIONS), { reason: "missing-rounds" });
});

Deno.test("studentise() of no resamples is nothing", () => {
  assert.deepEqual(studentise({ slope: 1, error: 1 }, [], OPTIONS), {});
});
