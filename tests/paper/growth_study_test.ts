import assert from "node:assert/strict";
import { bestLaws, growthStudy } from "@/paper/growth_study.ts";

const SETTINGS = { seed: 1, resamples: 40, permutations: 99 };
const exact = (growth: (t: number) => number) =>
  [0, 1, 3, 4.5, 7].map((place) => Array.from({ length: 20 }, (_, t) => [place * growth(t + 1)]));

const studies = [
  growthStudy("fast", exact((t) => Math.exp(0.1 * t)), SETTINGS),
  growthStudy("still", exact(() => 1), SETTINGS),
  growthStudy("fast too", exact((t) => Math.exp(0.2 * t)), SETTINGS),
  growthStudy("one", exact(() => 1).slice(0, 1), SETTINGS),
];

Deno.test("growthStudy() puts slope, laws and nulls of one condition together", () => {
  const [fast, still, , one] = studies;
  assert.ok(Math.abs(fast!.measured.lambda! - 0.1) < 1e-12);
  assert.deepEqual([fast!.best, fast!.shares.exponential], ["exponential", 1]);
  assert.ok(fast!.diffusive.p! <= 0.05 && fast!.diffusive.draws.length === 99);
  assert.deepEqual([still!.best, still!.measured.lambda, still!.diffusive.p], ["steady", 0, 1]);
  assert.deepEqual([one!.best, one!.reason, one!.shares, one!.diffusive.p], [
    undefined,
    "too-few-replicates",
    {},
    undefined,
  ]);
});

Deno.test("bestLaws() counts conditions by their best law", () => {
  assert.deepEqual(bestLaws(studies), [{ law: "steady", conditions: 1 }, { law: "exponential", conditions: 2 }]);
  assert.deepEqual(bestLaws([]), []);
});
