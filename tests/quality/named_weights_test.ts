import fc from "fast-check";
import assert from "node:assert/strict";
import { NAMED_WEIGHTS, namedWeights, PUBLISHED_WEIGHTS } from "@/quality/mod.ts";
import { unitWeights, withShare } from "@/quality/weights.ts";
import { COMPONENTS } from "@/schema/station_summary.ts";
import { anyWeights, NAMES } from "./bounds_by_hand.ts";

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
