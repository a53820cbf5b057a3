import fc from "fast-check";
import assert from "node:assert/strict";
import { solve } from "yalps";
import { nearestFlip } from "@/quality/nearest_flip.ts";
import { unitWeights, weightDistance } from "@/quality/weights.ts";
import { type ComponentName, COMPONENTS } from "@/schema/quality_names.ts";

type Nine = Record<ComponentName, number>;

/** Hundredths, so that ties and zeros are frequent and exact. */
const nine = (values: readonly number[]) =>
  Object.fromEntries(COMPONENTS.map((name, i) => [name, values[i]! / 100])) as Nine;
const run = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 9, maxLength: 9 }).map(nine);
const weighting = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 9, maxLength: 9 })
  .filter((values) => values.some((value) => value > 0))
  .map((values) => unitWeights(nine(values), { normalise: true }) as Partial<Nine>);

const score = (weights: Partial<Nine>, components: Nine) =>
  COMPONENTS.reduce((sum, name) => sum + (weights[name] ?? 0) * components[name], 0);

/** The same question put to a linear-programming solver: the change of each weight split into its ups and downs. */
function byLinearProgramme(a: Nine, b: Nine, weights: Partial<Nine>): number | undefined {
  const variables: Record<string, Record<string, number>> = {};
  const constraints: Record<string, { min?: number; max?: number; equal?: number }> = {
    ahead: { min: score(weights, a) - score(weights, b) },
    balance: { equal: 0 },
  };
  for (const name of COMPONENTS) {
    const gain = b[name] - a[name];
    variables[`${name}+`] = { distance: 1, ahead: gain, balance: 1 };
    variables[`${name}-`] = { distance: 1, ahead: -gain, balance: -1, [name]: 1 };
    constraints[name] = { max: weights[name] ?? 0 };
  }
  const model = { direction: "minimize", objective: "distance", variables, constraints } as const;
  const { status, result } = solve(model, { precision: 1e-11 });
  return status === "optimal" ? result : undefined;
}

Deno.test("the nearest flip is as near as a linear-programming solver finds, on the simplex, and level", () => {
  fc.assert(
    fc.property(run, run, weighting, (a, b, weights) => {
      const { weights: flipped, distance, reason } = nearestFlip(a, b, weights);
      if (reason !== undefined) {
        assert.ok(COMPONENTS.every((name) => a[name] >= b[name]));
        return;
      }
      assert.ok(Math.abs(distance! - byLinearProgramme(a, b, weights)!) < 1e-9);
      assert.ok(Math.abs(distance! - weightDistance(weights, flipped!)) < 1e-9);
      assert.ok(COMPONENTS.every((name) => flipped![name] >= 0));
      assert.ok(Math.abs(COMPONENTS.reduce((sum, name) => sum + flipped![name], 0) - 1) < 1e-12);
      const lead = score(flipped!, b) - score(flipped!, a);
      assert.ok(lead > -1e-12);
      if (distance! > 0) assert.ok(lead < 1e-12, "no further than level");
      else assert.deepEqual(flipped, { ...nine(Array(9).fill(0)), ...weights });
    }),
    { seed: 1, numRuns: 400 },
  );
});

Deno.test("a run that is nowhere behind cannot be overtaken, even where it is level", () => {
  fc.assert(
    fc.property(
      run,
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 9, maxLength: 9 }),
      weighting,
      (a, cut, w) => {
        const b = nine(COMPONENTS.map((name, i) => Math.max(0, Math.round(100 * a[name]) - (cut[i]! % 3) * cut[i]!)));
        assert.deepEqual(nearestFlip(a, b, w), { reason: "dominated" });
        // A millionth more in any one component is enough, with all the weight on it.
        const ahead = { ...a, coalition: 0.5 };
        assert.ok(nearestFlip(ahead, { ...b, coalition: 0.500001 }, w).distance! <= 2);
      },
    ),
    { seed: 1, numRuns: 100 },
  );
});

Deno.test("by hand: the largest advantage is spent first, then the next", () => {
  const none = nine(Array(9).fill(0));
  const a = { ...none, executability: 1, public_order: 0.5, trust: 0 };
  const b = { ...none, executability: 0, public_order: 0, trust: 0.5 };
  // Ahead by 0.2 + 0.3 − 0.1 = 0.4; all 0.2 of executability gain 0.3, 0.1 of public order the last 0.1.
  const { weights, distance } = nearestFlip(a, b, { executability: 0.2, public_order: 0.6, trust: 0.2 });
  assert.ok(Math.abs(distance! - 0.6) < 1e-12);
  for (const [name, share] of [["executability", 0], ["public_order", 0.5], ["trust", 0.5]] as const) {
    assert.ok(Math.abs(weights![name] - share) < 1e-12, name);
  }
});

Deno.test("nearestFlip() names what it refuses", () => {
  const a = nine(Array(9).fill(50));
  assert.throws(() => nearestFlip({ ...a, trust: 1.2 }, a, { trust: 1 }), {
    name: "RangeError",
    message: /the component trust of a must be in \[0, 1\], found 1\.2/,
  });
  const { coalition: _, ...eight } = a;
  assert.throws(() => nearestFlip(a, eight as Nine, { trust: 1 }), /component coalition of b .* found undefined/);
  assert.throws(() => nearestFlip(a, a, { trust: 0.9 }), /the weights sum to 0\.9/);
});

Deno.test("a component of one's own is given weight like any other", () => {
  // a leads by .5 in trust, b by 1 in calm: .5 (1 − m) = m, so a third of the weight is moved.
  const zero = nine(Array(9).fill(0)), components = { calm: { field: "x", worst: 0, best: 1 } };
  const [a, b] = [{ ...zero, trust: 0.5, calm: 0 }, { ...zero, calm: 1 }];
  const { weights, distance } = nearestFlip(a, b, { trust: 1 }, { components });
  assert.ok(Math.abs(distance! - 2 / 3) < 1e-12 && Math.abs(weights!.calm! - 1 / 3) < 1e-12);
  assert.ok(Math.abs(weightDistance({ trust: 1 }, weights!) - 2 / 3) < 1e-12);
  assert.throws(() => nearestFlip(zero, b, { calm: 1 }, { components }), /the component calm of a must be/);
});
