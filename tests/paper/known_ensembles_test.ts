import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { KNOWN_ENSEMBLES } from "@/paper/known_ensembles.ts";
import { divergence, lyapunovSlope, referenceSlopes } from "@/stats/mod.ts";

for (const { label, draw, lambda } of KNOWN_ENSEMBLES) {
  Deno.test(`${label}: twenty runs of twenty rounds, with the stated slope on average`, () => {
    const slopes = Array.from({ length: 60 }, (_, seed) => {
      const runs = draw(createRng(seed).fork(label));
      assert.equal(runs.length, 20);
      assert.ok(runs.every((run) => run.length === 20 && run.flat().every(Number.isFinite)));
      return lyapunovSlope(divergence(runs)).lambda!;
    });
    const mean = slopes.reduce((sum, slope) => sum + slope, 0) / slopes.length;
    const spread = Math.sqrt(slopes.reduce((sum, slope) => sum + (slope - mean) ** 2, 0) / (slopes.length - 1));
    // Four standard errors, and what the maps' noise adds in the first rounds.
    assert.ok(Math.abs(mean - lambda) < 4 * spread / Math.sqrt(slopes.length) + 1e-4, `${mean} against ${lambda}`);
  });
}

Deno.test("still ones and walks are no steeper than the random walk, labels are unique", () => {
  const slow = KNOWN_ENSEMBLES.filter(({ kind }) => kind !== "growing");
  assert.ok(slow.every(({ lambda }) => lambda <= referenceSlopes().randomWalk));
  assert.equal(new Set(KNOWN_ENSEMBLES.map(({ label }) => label)).size, KNOWN_ENSEMBLES.length);
});

Deno.test("the maps live on the simplex and stay close together", () => {
  for (const { label, draw } of KNOWN_ENSEMBLES.filter(({ label }) => label.endsWith("map"))) {
    const runs = draw(createRng(5));
    for (const state of runs.flat()) {
      assert.ok(Math.abs(state.reduce((sum, share) => sum + share, 0) - 1) < 1e-12, label);
      assert.ok(state.every((share) => share >= 0 && share <= 1));
    }
    assert.ok(divergence(runs).every((D) => D < 0.05), "the window ends before they fill the simplex");
  }
});
