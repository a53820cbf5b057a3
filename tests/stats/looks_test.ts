import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";
import { normalQuantile, studentT } from "@/stats/distributions.ts";
import { lookAtGrowth, lookSizes, POCOCK_LEVELS } from "@/stats/looks.ts";
import { referenceSlopes } from "@/stats/lyapunov_slope.ts";
import { growing } from "./ensembles.ts";

// C. Jennison and B. W. Turnbull, "Group Sequential Methods", table 2.1, α 0.1.
const PRINTED = { 2: 1.875, 3: 1.992, 4: 2.067, 5: 2.122, 6: 2.164 } as const;
const designs = Object.entries(PRINTED).map(([looks, z]) => ({ looks: Number(looks) as keyof typeof PRINTED, z }));

/** P(Z > z) of a standard normal, by Simpson's rule from z to where less than 1e-15 lies beyond. */
function beyond(z: number): number {
  const parts = 400, step = (8 - z) / parts;
  const height = (i: number) => Math.exp(-((z + i * step) ** 2) / 2) / Math.sqrt(2 * Math.PI);
  return Array.from({ length: parts + 1 }, (_, i) => height(i) * (i === 0 || i === parts ? 1 : i % 2 ? 4 : 2))
    .reduce((sum, value) => sum + value, 0) * step / 3;
}

for (const { looks, z } of designs) {
  Deno.test(`${looks} looks: the level is the tail of the printed z, and its quantile is that z`, () => {
    assert.equal(beyond(z).toFixed(4), POCOCK_LEVELS[looks].toFixed(4));
    assert.ok(Math.abs(normalQuantile(1 - POCOCK_LEVELS[looks]) - z) < 0.002);
  });
}

Deno.test("sums of independent steps stop at some look in 5 %, where nothing grows", () => {
  const rng = createRng(3), tries = 40_000;
  for (const { looks } of designs) {
    const z = normalQuantile(1 - POCOCK_LEVELS[looks]);
    let stopped = 0;
    for (let i = 0; i < tries; i++) {
      for (let k = 1, sum = 0; k <= looks; k++) {
        if ((sum += rng.normal()) < z * Math.sqrt(k)) continue;
        stopped++;
        break;
      }
    }
    assert.ok(Math.abs(stopped / tries - 0.05) < 0.004, `${stopped} of ${tries} at ${looks} looks`);
  }
});

for (
  const [looks, replicates, sizes] of [
    [2, 20, [10, 20]],
    [3, 20, [7, 14, 20]],
    [4, 20, [5, 10, 15, 20]],
    [6, 20, [4, 7, 10, 14, 17, 20]],
    [2, 7, [4, 7]],
  ] as const
) {
  Deno.test(`${looks} looks over ${replicates} replicates are at ${sizes.join(", ")}`, () => {
    assert.deepEqual(lookSizes({ looks, replicates }), sizes);
  });
}

Deno.test("fewer than four runs at the first look are refused with the number that works", () => {
  for (const looks of [2, 3, 4, 5, 6]) {
    const fewest = 3 * looks + 1;
    assert.equal(lookSizes({ looks, replicates: fewest })[0], 4);
    const words = new RegExp(`${looks} looks over ${fewest - 1} replicates: .* 3 runs, .*; give ${fewest} replicates`);
    assert.throws(() => lookSizes({ looks, replicates: fewest - 1 }), { name: "RangeError", message: words });
  }
  for (const looks of [1, 7, 2.5]) assert.throws(() => lookSizes({ looks, replicates: 90 }), /give 2, 3, 4, 5 or 6/);
});

const still = growing(createRng(2), 0, { replicates: 12 }), rng = createRng(1);

Deno.test("lookAtGrowth() is bootstrapSlope() of the runs, and its p the larger of that and jackknife-t's", () => {
  const larger = [0, 0];
  for (let seed = 0; seed < 12; seed++) {
    const runs = growing(createRng(20 + seed), 0, { replicates: 8 });
    const { lambda, low, high, p, leaveOneOut } = bootstrapSlope(runs, { rng, resamples: 400 });
    const mean = leaveOneOut.reduce((sum, slope) => sum + slope, 0) / 8;
    const error = Math.sqrt(7 / 8 * leaveOneOut.reduce((sum, slope) => sum + (slope - mean) ** 2, 0));
    const tail = 1 - studentT(lambda! / error, 7), { p: own, ...seen } = lookAtGrowth(runs, { rng, resamples: 400 });
    assert.deepEqual(seen, { lambda, low, high });
    assert.ok(Math.abs(own! - Math.max(p!, tail)) < 1e-9);
    larger[tail > p! ? 1 : 0]!++;
  }
  assert.ok(Math.min(...larger) > 0, "both must be the larger at times");
  assert.throws(() => lookAtGrowth(still, { rng, against: "one" as never }), /against is "one": give zero or walk/);
});

Deno.test("lookAtGrowth() against a walk: a random walk's slope is what zero is otherwise", () => {
  const { randomWalk } = referenceSlopes();
  const grown = still.map((run) => run.map((state, t) => state.map((x) => x * Math.exp(randomWalk * (t + 1)))));
  const zero = lookAtGrowth(still, { rng }), walk = lookAtGrowth(grown, { rng, against: "walk" });
  assert.equal(walk.p, zero.p);
  for (const name of ["lambda", "low", "high"] as const) {
    assert.ok(Math.abs(walk[name]! - zero[name]! - randomWalk) < 1e-9, name);
  }
  assert.ok(lookAtGrowth(grown, { rng }).p! < zero.p!);
});

Deno.test("lookAtGrowth() of runs that agree has no p, and says why", () => {
  assert.deepEqual(lookAtGrowth([still[0]!, still[0]!, still[0]!, still[0]!], { rng }), { reason: "no-divergence" });
});
