import fc from "fast-check";
import assert from "node:assert/strict";
import { mean, sampleVariance } from "simple-statistics";
import { createRng } from "@/core/rng.ts";
import { dirichletWeights } from "@/quality/dirichlet_weights.ts";
import { PUBLISHED_WEIGHTS, type Weights } from "@/quality/weights.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";

const draw = (n: number, options?: Parameters<typeof dirichletWeights>[1]) => {
  const rng = createRng(5);
  return Array.from({ length: n }, () => dirichletWeights(rng, options));
};

Deno.test("every draw is on the simplex, however small its parameters", () => {
  fc.assert(
    fc.property(fc.integer(), fc.double({ min: -300, max: 4, noNaN: true }), (seed, exponent) => {
      const options = { around: PUBLISHED_WEIGHTS, concentration: 10 ** exponent };
      const weights = Object.values(dirichletWeights(createRng(seed), options));
      assert.ok(weights.every((weight) => weight >= 0 && weight <= 1));
      assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-12);
    }),
    { seed: 1, numRuns: 200 },
  );
});

Deno.test("means and variances are those of the Dirichlet distribution, uniform and around weights", () => {
  const n = 20000;
  const cases = [
    { options: undefined, means: COMPONENTS.map(() => 1 / 9), sum: 9 },
    // Below and above α = 1, where the variates are drawn in two ways.
    ...[3, 50].map((concentration) => ({
      options: { around: PUBLISHED_WEIGHTS, concentration },
      means: COMPONENTS.map((name) => PUBLISHED_WEIGHTS[name]),
      sum: concentration,
    })),
  ];
  for (const { options, means, sum } of cases) {
    const draws = draw(n, options);
    for (const [i, name] of COMPONENTS.entries()) {
      const values = draws.map((weights) => weights[name]);
      const [m, variance] = [means[i]!, means[i]! * (1 - means[i]!) / (sum + 1)];
      assert.ok(Math.abs(mean(values) - m) < 5 * Math.sqrt(variance / n), `mean of ${name} at ${sum}`);
      assert.ok(Math.abs(sampleVariance(values) / variance - 1) < 0.12, `variance of ${name} at ${sum}`);
    }
  }
});

Deno.test("with tiny parameters nearly all weight falls on one component, as often as its weight says", () => {
  const draws = draw(4000, { around: PUBLISHED_WEIGHTS, concentration: 1e-6 });
  const first = draws.filter(({ executability }) => executability > 0.999).length / draws.length;
  assert.ok(Math.abs(first - 0.22) < 4 * Math.sqrt(0.22 * 0.78 / 4000));
  assert.ok(draws.every((weights) => Object.values(weights).some((weight) => weight > 0.999)));
});

Deno.test("a weight of 0 stays 0; a concentration defaults to 100", () => {
  const around: Weights = { trust: 0.5, coalition: 0.5 };
  for (const weights of draw(50, { around })) {
    assert.ok(COMPONENTS.every((name) => (weights[name] > 0) === (name === "trust" || name === "coalition")));
  }
  assert.deepEqual(draw(3, { around }), draw(3, { around, concentration: 100 }));
});

Deno.test("dirichletWeights() names what it refuses", () => {
  const rng = createRng(1);
  for (const concentration of [0, -1, NaN, Infinity]) {
    assert.throws(() => dirichletWeights(rng, { around: PUBLISHED_WEIGHTS, concentration }), {
      name: "RangeError",
      message: /the concentration must be a finite number above 0/,
    });
  }
  assert.throws(() => dirichletWeights(rng, { concentration: 5 }), /^RangeError: a concentration \(5\) needs weights/);
  assert.throws(() => dirichletWeights(rng, { around: { trust: 0.5 } }), /^RangeError: the weights sum to 0\.5/);
});

Deno.test("components of one's own are drawn too: ten weights, each with mean 1/10", () => {
  const draws = draw(4000, { components: { calm: { field: "x", worst: 0, best: 1 } } });
  assert.deepEqual(Object.keys(draws[0]!), [...COMPONENTS, "calm"]);
  for (const name of ["calm", "trust"]) assert.ok(Math.abs(mean(draws.map((weights) => weights[name]!)) - 0.1) < 0.006);
  const around = { trust: 0.75, calm: 0.25 }, components = { calm: { field: "x", worst: 0, best: 1 } };
  assert.ok(Math.abs(mean(draw(2000, { around, components }).map(({ calm }) => calm!)) - 0.25) < 0.005);
});
