import fc from "fast-check";
import assert from "node:assert/strict";
import { qualityOfSurvival, rescore, type Weights } from "@/quality/mod.ts";
import { componentColumns, scoreColumns } from "@/quality/scores.ts";
import { COMPONENTS } from "@/schema/station_summary.ts";
import { anyWeights, NAMES } from "./bounds_by_hand.ts";
import { anySummary } from "./summaries.ts";

const level = fc.double({ min: 0, max: 1, noNaN: true });
/** Components of which any may be missing. */
const sparse = fc.record(Object.fromEntries(NAMES.map((name) => [name, level])), { requiredKeys: [] })
  .filter((components) => Object.keys(components).length > 0);

Deno.test("one column a component, in their order, NaN where one is not known", () => {
  const { length, columns } = componentColumns([{ components: { trust: 0.25, executability: 0 } }, {
    components: { trust: undefined, coalition: 1 },
  }]);
  assert.equal(length, 2);
  assert.equal(columns.length, COMPONENTS.length);
  assert.deepEqual(columns[COMPONENTS.indexOf("trust")], Float64Array.of(0.25, NaN));
  assert.deepEqual(columns[COMPONENTS.indexOf("executability")], Float64Array.of(0, NaN));
  assert.deepEqual(columns[COMPONENTS.indexOf("coalition")], Float64Array.of(NaN, 1));
});

Deno.test("the same q as one run at a time, to the last digit, under weights of any sum", () => {
  fc.assert(
    fc.property(fc.array(anySummary, { maxLength: 6 }), anyWeights, (summaries, weights) => {
      const columns = componentColumns(summaries.map((summary) => qualityOfSurvival(summary)));
      const expected = summaries.map((summary) => qualityOfSurvival(summary, weights).q);
      assert.deepEqual([...scoreColumns(columns, weights)], expected);
    }),
    { seed: 16, numRuns: 300 },
  );
});

Deno.test("NaN where the weights use what is missing, and only there: exactly where rescore() has no q", () => {
  fc.assert(
    fc.property(fc.array(sparse, { maxLength: 6 }), anyWeights, (runs, weights) => {
      const summaries = runs.map((components) => ({ stabilized: true, components }));
      const sum = NAMES.reduce((total, name) => total + weights[name], 0);
      const unit = Object.fromEntries(NAMES.map((name) => [name, weights[name] / sum]));
      const scores = scoreColumns(componentColumns(summaries), unit);
      for (const [i, { q }] of rescore(summaries, weights, { normalise: true }).entries()) {
        if (q === undefined) assert.ok(Number.isNaN(scores[i]));
        else assert.ok(Math.abs(scores[i]! - q) < 1e-12);
      }
    }),
    { seed: 17, numRuns: 300 },
  );
});

Deno.test("what is written into is used again whatever it held, and must hold one number a run", () => {
  const runs = componentColumns([{ components: { trust: 0.25 } }, { components: { trust: 0.5 } }]);
  const into = Float64Array.of(NaN, 7);
  assert.equal(scoreColumns(runs, { trust: 1 }, into), into);
  assert.deepEqual(into, Float64Array.of(0.25, 0.5));
  const wrong = () => scoreColumns(runs, { trust: 1 }, new Float64Array(3));
  assert.throws(wrong, /^RangeError: into must hold 2 numbers, one a run; it holds 3$/);
});

Deno.test("bad weights are refused", () => {
  const of = (weights: Record<string, number>) => () => scoreColumns(componentColumns([]), weights as Weights);
  assert.throws(of({ trsut: 1 }), /^UserError: unknown component/);
  assert.throws(of({ trust: -1 }), /^RangeError: the weight of trust/);
  assert.throws(of({}), /^RangeError: at least one weight/);
});
