import fc from "fast-check";
import assert from "node:assert/strict";
import { mean, sampleVariance } from "simple-statistics";
import { createRng } from "@/core/rng.ts";
import { loadOutcomeClasses, loadPublishedWeights } from "@/lab/paper/published_station.ts";
import { NAMED_WEIGHTS, namedWeights, PUBLISHED_THRESHOLDS } from "@/quality/mod.ts";
import { contributions } from "@/quality/quality_of_survival.ts";
import { dirichletWeights, PUBLISHED_WEIGHTS, unitWeights, type Weights, withShare } from "@/quality/weights.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";
import { anyWeights, NAMES } from "./bounds_by_hand.ts";

Deno.test("the published weights are those of Table 4, one a component, and sum to 1", async () => {
  const printed = (await loadPublishedWeights()).map(({ component, weight }) => [component, weight]);
  assert.deepEqual(Object.fromEntries(printed), PUBLISHED_WEIGHTS);
  assert.deepEqual(Object.keys(PUBLISHED_WEIGHTS), [...COMPONENTS]);
  const hundredths = Object.values(PUBLISHED_WEIGHTS).map((weight) => Math.round(weight * 100));
  assert.equal(hundredths.reduce((sum, weight) => sum + weight, 0), 100);
});

Deno.test("the published thresholds are those of Table 5", async () => {
  const from = Object.fromEntries((await loadOutcomeClasses()).map((row) => [row.classification, row.q_from]));
  assert.equal(from["BENCHMARK_STRONG"], PUBLISHED_THRESHOLDS.strong);
  assert.equal(from["BENCHMARK_ADEQUATE"], PUBLISHED_THRESHOLDS.adequate);
});

Deno.test("contributions() are weight times component, of those known and used only", () => {
  const parts = contributions({ trust: 0.5, coalition: 1, executability: 0.25 }, {
    trust: 0.5,
    executability: 2,
    coalition: 0,
  });
  assert.deepEqual(parts, { executability: 0.5, trust: 0.25 });
  assert.deepEqual(contributions({}), {});
});

Deno.test("weights are refused by name: unknown, negative, not finite, none above 0", () => {
  const wrong = (weights: Record<string, number>) => () => contributions({ trust: 1 }, weights as Weights);
  assert.throws(wrong({ trsut: 1 }), /^UserError: unknown component "trsut": did you mean trust\b/);
  for (const weight of [-0.1, NaN, Infinity]) {
    assert.throws(wrong({ executability: 1, trust: weight }), /^RangeError: the weight of trust must be/);
  }
  assert.throws(wrong({}), /^RangeError: at least one weight must be above 0/);
  assert.throws(wrong({ trust: 0, coalition: 0 }), /^RangeError: at least one weight/);
});

Deno.test("unitWeights() takes weights that sum to 1 as they are, and others only when asked to normalise", () => {
  const given = { trust: 0.25, coalition: 0.75 };
  assert.equal(unitWeights(given), given);
  assert.equal(unitWeights(PUBLISHED_WEIGHTS), PUBLISHED_WEIGHTS);
  assert.throws(
    () => unitWeights({ trust: 1, coalition: 3 }),
    /^RangeError: the weights sum to 4, not 1: change them, or give normalise: true \(--normalise\)$/,
  );
  assert.throws(() => unitWeights({ trust: 1.000001 }), /the weights sum to 1\.000001, not 1/);
  assert.throws(() => unitWeights({ trust: 0.99 }), /the weights sum to 0\.99, not 1/);
  assert.deepEqual(unitWeights({ trust: 1, coalition: 3, executability: 0 }, { normalise: true }), given);
});

Deno.test("normalising mends the sum and nothing else: bad weights stay refused", () => {
  const wrong = (weights: Record<string, number>) => () => unitWeights(weights as Weights, { normalise: true });
  assert.throws(wrong({ trust: -1, coalition: 2 }), /^RangeError: the weight of trust must be/);
  assert.throws(wrong({ trust: NaN }), /^RangeError: the weight of trust must be/);
  assert.throws(wrong({ trust: 0 }), /^RangeError: at least one weight/);
  assert.throws(wrong({ trsut: 1 }), /^UserError: unknown component/);
  assert.throws(
    wrong({ trust: 1e308, coalition: 1e308 }),
    /^RangeError: the weights are too large to sum: 1e\+308, 1e\+308$/,
  );
});

const near = (found: number, expected: number, what: string) =>
  assert.ok(Math.abs(found - expected) < 1e-12, `${what}: ${found}, expected ${expected}`);

Deno.test("every named weighting gives all nine a weight, sums to 1, and can be had by its name alone", () => {
  const names = ["published", "equal", "participation-first", "feasibility-first", "order-free", "no-schema-term"];
  assert.deepEqual(Object.keys(NAMED_WEIGHTS), names);
  for (const [name, { label, argument, weights }] of Object.entries(NAMED_WEIGHTS)) {
    assert.deepEqual(Object.keys(weights), [...COMPONENTS], name);
    near(Object.values(weights).reduce((sum, weight) => sum + weight, 0), 1, name);
    assert.equal(unitWeights(weights), weights);
    assert.equal(namedWeights(name), weights);
    assert.ok(Object.isFrozen(weights) && label !== "" && argument !== "");
  }
});

Deno.test("the published ones are those that section 9.2 names; participation first turns their priority round", () => {
  const { executability, public_order, trust, coalition } = namedWeights("published");
  assert.deepEqual([executability, public_order, trust, coalition], [0.22, 0.16, 0.1, 0.06]);
  const reversed = namedWeights("participation-first");
  const { coalition: first, trust: second, public_order: third, executability: last, ...rest } = reversed;
  assert.deepEqual([first, second, third, last], [executability, public_order, trust, coalition]);
  for (const [name, weight] of Object.entries(rest)) near(weight, PUBLISHED_WEIGHTS[name as keyof typeof rest], name);
});

Deno.test("equal is a ninth each; the others set one share and keep the proportions of the rest", () => {
  for (const weight of Object.values(namedWeights("equal"))) assert.equal(weight, 1 / 9);
  const only = [["feasibility-first", "executability", 0.5], ["order-free", "public_order", 0], [
    "no-schema-term",
    "schema_independence",
    0,
  ]] as const;
  for (const [name, component, share] of only) {
    const weights = namedWeights(name);
    assert.equal(weights[component], share);
    const scale = (1 - share) / (1 - PUBLISHED_WEIGHTS[component]);
    for (const other of NAMES.filter((other) => other !== component)) {
      near(weights[other], PUBLISHED_WEIGHTS[other] * scale, `${name}, ${other}`);
    }
  }
});

Deno.test("an unknown name is refused, offering the nearest; so is a name that every object has", () => {
  assert.throws(
    () => namedWeights("order_free"),
    /^UserError: unknown weighting "order_free": did you mean order-free/,
  );
  assert.throws(() => namedWeights("toString"), /^UserError: unknown weighting "toString"/);
});

Deno.test("withShare() gives the share, sums to 1, keeps proportions, and undoes itself", () => {
  const share = fc.double({ min: 0, max: 0.99, noNaN: true });
  fc.assert(
    fc.property(anyWeights, fc.constantFrom(...NAMES), share, (weights, component, share) => {
      const others = NAMES.filter((name) => name !== component);
      fc.pre(others.some((name) => weights[name] > 0));
      const shared = withShare(component, share, weights);
      assert.equal(shared[component], share);
      near(NAMES.reduce((sum, name) => sum + shared[name], 0), 1, "sum");
      const rest = others.reduce((sum, name) => sum + weights[name], 0);
      for (const name of others) near(shared[name], weights[name] / rest * (1 - share), name);
      const back = withShare(component, weights[component] / (rest + weights[component]), shared);
      for (const name of NAMES) near(back[name], weights[name] / (rest + weights[component]), `${name} and back`);
    }),
    { seed: 9, numRuns: 300 },
  );
});

Deno.test("withShare() at its ends: all, nothing, and no others to give the rest to", () => {
  assert.equal(withShare("trust", 1).trust, 1);
  assert.equal(withShare("trust", 1).coalition, 0);
  assert.equal(withShare("trust", 1, { trust: 3 }).trust, 1);
  assert.throws(() => withShare("trust", 0.5, { trust: 3 }), /^RangeError: trust has all the weight/);
  for (const share of [-0.01, 1.01, NaN]) {
    const message = `the share of trust must be in [0, 1], found ${share}`;
    assert.throws(() => withShare("trust", share), { name: "RangeError", message });
  }
  assert.throws(
    () => withShare("trsut" as "trust", 0.5),
    /^UserError: unknown component "trsut": did you mean trust\b/,
  );
});

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
