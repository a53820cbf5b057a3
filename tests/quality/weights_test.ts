import assert from "node:assert/strict";
import { loadOutcomeClasses, loadPublishedWeights } from "@/paper/published_station.ts";
import { contributions, PUBLISHED_THRESHOLDS, PUBLISHED_WEIGHTS, type Weights } from "@/quality/mod.ts";
import { unitWeights } from "@/quality/weights.ts";
import { COMPONENTS } from "@/schema/station_summary.ts";

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
