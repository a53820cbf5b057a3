import assert from "node:assert/strict";
import fc from "fast-check";
import { createRng } from "@/core/rng.ts";
import { normalCdf, spend, stagedInterval, stopChances } from "@/stats/group_sequential.ts";
import { normalQuantile } from "@/stats/distributions.ts";

const five = [1, 2, 3, 4, 5].map((information) => ({ information }));
const DESIGN = { alpha: 0.05, sides: 2, largest: 5, finest: 0 } as const;

// D. Reboussin, D. DeMets, K. Kim and K. Lan, "Programs for computing group sequential boundaries using the Lan-DeMets method",
// version 2: five equal looks, two-sided α 0.05.
const PRINTED = {
  "pocock": [2.438, 2.4268, 2.4101, 2.3966, 2.3859],
  "obrien-fleming": [4.8769, 3.3569, 2.6803, 2.2898, 2.031],
} as const;

for (const [spending, bounds] of Object.entries(PRINTED) as [keyof typeof PRINTED, readonly number[]][]) {
  Deno.test(`spend() gives the printed bounds of five looks: ${spending}`, () => {
    const found = spend(five, { ...DESIGN, spending });
    for (const [i, { upper, lower }] of found.entries()) {
      assert.ok(Math.abs(upper - bounds[i]!) < 3e-4, `${upper} against ${bounds[i]}`);
      assert.equal(lower, -upper);
    }
  });
}

Deno.test("normalCdf() undoes the normal quantile, and is symmetric", () => {
  for (const p of [1e-4, 0.01, 0.3, 0.5, 0.9, 0.999]) assert.ok(Math.abs(normalCdf(normalQuantile(p)) - p) < 1e-7);
  for (const z of [0, 0.5, 2, 6]) assert.ok(Math.abs(normalCdf(z) + normalCdf(-z) - 1) < 1e-15);
});

Deno.test("whatever the looks, the chance to stop under H0 is α, or what the looks that can stop may spend", () => {
  const looks = fc.uniqueArray(fc.integer({ min: 3, max: 40 }), { minLength: 1, maxLength: 5 })
    .map((list) => list.sort((a, b) => a - b));
  const design = fc.record({
    alpha: fc.double({ min: 0.01, max: 0.2, noNaN: true }),
    spending: fc.constantFrom("pocock" as const, "obrien-fleming" as const),
    sides: fc.constantFrom(1 as const, 2 as const),
  });
  const passed = fc.array(fc.boolean(), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(looks, design, passed, (looks, design, passed) => {
      const taken = looks.map((information, i) => (
        { information, passed: i < looks.length - 1 && passed[i]!, isLast: i === looks.length - 1 }
      ));
      const found = spend(taken, { ...design, largest: 45, finest: 0.0005 });
      const chance = stopChances(found, 0).reduce((sum, { above, below }) => sum + above + below, 0);
      assert.ok(found.at(-1)!.level! > 0);
      assert.ok(Math.abs(chance - design.alpha) < 1e-5, `${chance} for ${design.alpha}`);
    }),
    { seed: 1, numRuns: 60 },
  );
});

Deno.test("a look too fine for the resamples is passed over, and what it may spend is kept", () => {
  const looks = [8, 24, 40].map((information) => ({ information }));
  const settings = { alpha: 0.05, spending: "obrien-fleming", sides: 1, largest: 40 } as const;
  const [first, second, last] = spend(looks, { ...settings, finest: 1 / 2001 });
  assert.equal(first!.level, undefined);
  assert.equal(first!.upper, Infinity);
  const without = spend(looks.slice(1), { ...settings, finest: 0 });
  for (const [i, look] of [second!, last!].entries()) assert.ok(Math.abs(look.level! - without[i]!.level!) < 1e-5);
  // 0.000012 at 8 of 40 runs.
  assert.equal(spend(looks, { ...settings, finest: 0 })[0]!.level!.toFixed(6), "0.000012");
});

Deno.test("stopChances() is what simulated sums of independent increments do", () => {
  const looks = [
    { information: 8, upper: 2.1, lower: -Infinity },
    { information: 12, upper: Infinity, lower: -1.5 },
    { information: 20, upper: 1.8, lower: -1.8 },
  ];
  const rng = createRng(3), theta = 0.2, tries = 40_000;
  const counts = looks.map(() => ({ above: 0, below: 0 }));
  for (let i = 0; i < tries; i++) {
    let sum = 0, before = 0;
    for (const [k, { information, upper, lower }] of looks.entries()) {
      sum += theta * (information - before) + Math.sqrt(information - before) * rng.normal();
      before = information;
      const z = sum / Math.sqrt(information);
      if (z >= upper) counts[k]!.above++;
      else if (z <= lower) counts[k]!.below++;
      else continue;
      break;
    }
  }
  for (const [k, { above, below }] of stopChances(looks, theta).entries()) {
    assert.ok(Math.abs(above - counts[k]!.above / tries) < 0.008, `above at look ${k + 1}`);
    assert.ok(Math.abs(below - counts[k]!.below / tries) < 0.008, `below at look ${k + 1}`);
  }
});

Deno.test("stagedInterval() after one look is the usual interval", () => {
  const { theta, low, high } = stagedInterval([], { error: 0.01, z: 2.5, level: 0.95 });
  const half = 0.01 * normalQuantile(0.975);
  for (const [found, wanted] of [[theta, 0.025], [low, 0.025 - half], [high, 0.025 + half]] as const) {
    assert.ok(Math.abs(found - wanted) < 1e-8);
  }
});

Deno.test("stagedInterval() holds θ in 95 %, and its estimate lies above θ in half, of simulated studies", () => {
  const looks = spend([8, 16, 24].map((information) => ({ information })), {
    ...{ alpha: 0.05, spending: "pocock", sides: 1, largest: 24, finest: 0 },
  });
  const rng = createRng(5), studies = 400;
  for (const theta of [0, 0.5]) {
    let [held, above] = [0, 0];
    for (let i = 0; i < studies; i++) {
      let sum = 0, before = 0;
      for (const [k, { information, upper }] of looks.entries()) {
        sum += theta * (information - before) + Math.sqrt(information - before) * rng.normal();
        before = information;
        const z = sum / Math.sqrt(information);
        if (z < upper && k < looks.length - 1) continue;
        const found = stagedInterval(looks.slice(0, k), { error: information ** -0.5, z, level: 0.95 });
        if (found.low <= theta && theta <= found.high) held++;
        if (found.theta > theta) above++;
        break;
      }
    }
    assert.ok(Math.abs(held / studies - 0.95) < 0.033, `${held} of ${studies} hold ${theta}`);
    assert.ok(Math.abs(above / studies - 0.5) < 0.075, `${above} of ${studies} above ${theta}`);
  }
});
