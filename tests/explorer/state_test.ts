import assert from "node:assert/strict";
import {
  nameOf,
  PUBLISHED_STATE,
  rankedWeights,
  withNamed,
  withThreshold,
  withWeight,
} from "@/explorer/rescore/state.ts";
import { NAMED_WEIGHTS, PUBLISHED_WEIGHTS } from "@/quality/weights.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";

Deno.test("the explorer opens with the published weights and thresholds", () => {
  assert.deepEqual(PUBLISHED_STATE, { weights: PUBLISHED_WEIGHTS, thresholds: { strong: 0.82, adequate: 0.7 } });
  assert.equal(nameOf(PUBLISHED_STATE.weights), "published");
});

Deno.test("a weight is set alone, and the weights are the reader's own then", () => {
  const state = withWeight(PUBLISHED_STATE, "trust", 0.6);
  assert.deepEqual(state.weights, { ...PUBLISHED_WEIGHTS, trust: 0.6 });
  assert.equal(nameOf(state.weights), undefined);
});

Deno.test("every named weighting is chosen by its name and known again; other names change nothing", () => {
  for (const [name, { weights }] of Object.entries(NAMED_WEIGHTS)) {
    const state = withNamed(PUBLISHED_STATE, name);
    assert.deepEqual(state.weights, weights);
    assert.equal(nameOf(state.weights), name);
  }
  for (const name of ["own", "toString", ""]) assert.equal(withNamed(PUBLISHED_STATE, name), PUBLISHED_STATE);
});

Deno.test("weights that sum to 1 are used as they are", () => {
  const { sum, divided, unit } = rankedWeights(PUBLISHED_WEIGHTS);
  assert.deepEqual([sum, divided], [1, false]);
  assert.equal(unit, PUBLISHED_WEIGHTS);
});

Deno.test("other weights are divided by their sum, and say so", () => {
  // 1 − 0.10 + 0.60
  const { sum, divided, unit } = rankedWeights({ ...PUBLISHED_WEIGHTS, trust: 0.6 });
  assert.ok(Math.abs(sum - 1.5) < 1e-12 && divided);
  assert.ok(Math.abs(unit!.trust - 0.4) < 1e-12);
  assert.ok(Math.abs(unit!.executability - 0.22 / 1.5) < 1e-12);
});

Deno.test("weights that are all 0 rank nothing", () => {
  const zero = withNamed(PUBLISHED_STATE, "equal").weights;
  const { unit, sum } = rankedWeights({ ...zero, ...Object.fromEntries(COMPONENTS.map((name) => [name, 0])) });
  assert.deepEqual([unit, sum], [undefined, 0]);
});

Deno.test("a threshold moves alone, or takes the other along where they would cross", () => {
  const moved = (name: "strong" | "adequate", at: number) => withThreshold(PUBLISHED_STATE, name, at).thresholds;
  assert.deepEqual(moved("strong", 0.75), { strong: 0.75, adequate: 0.7 });
  assert.deepEqual(moved("strong", 0.5), { strong: 0.5, adequate: 0.5 });
  assert.deepEqual(moved("adequate", 0.8), { strong: 0.82, adequate: 0.8 });
  assert.deepEqual(moved("adequate", 0.9), { strong: 0.9, adequate: 0.9 });
});
