import assert from "node:assert/strict";
import { ownRanker, summaryText } from "@/explorer/rescore/ranking.ts";
import { PUBLISHED_STATE, withNamed, withWeight } from "@/explorer/rescore/state.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";

const zero = Object.fromEntries(COMPONENTS.map((name) => [name, 0]));
const run = { source: "v2", synthetic: true, stabilized: true, passed_count: 1 };
const rank = ownRanker([
  { ...run, label: "a", components: { ...zero, executability: 1, public_order: 1 } }, // 0.22 + 0.16
  { ...run, label: "b", components: { ...zero, coalition: 1, trust: 1, info_integrity: 1 } }, // 0.06 + 0.10 + 0.12
  { ...run, label: "c", components: { ...zero, schema_independence: 1, time_to_pass: 1 } }, // 0.04 + 0.12
]);
const told = (state: typeof PUBLISHED_STATE) =>
  summaryText(state, [{
    ...{ title: "Runs", labels: ["a", "b", "c"], ranking: rank(state), baseline: rank(PUBLISHED_STATE) },
  }]);

Deno.test("the summary says when nothing has moved", () => {
  assert.equal(told(PUBLISHED_STATE), "Weights: published. Runs: no rank changed; first is a.");
});

Deno.test("the summary tells the weights, what moved and who is first", () => {
  // 3, 2 and 2 of 9: b rises to the first rank, a and c share the second.
  assert.equal(
    told(withNamed(PUBLISHED_STATE, "equal")),
    "Weights: equal. Runs: of 3 ranks 2 up, 1 down; first is b.",
  );
  // 0.40 for c, 0.28 for b, 0.24 for a: b alone stays.
  assert.equal(
    told(withWeight(withWeight(PUBLISHED_STATE, "schema_independence", 0.28), "executability", 0.08)),
    "Your own weights, divided by their sum 1.10. Runs: of 3 ranks 1 up, 1 down; first is c.",
  );
});

Deno.test("the summary tells that weights were divided, and classes that changed", () => {
  // 1.06 of 1.94 is 0.546, and 0.38 of it 0.196: b alone stays brittle at 0.70 unless coalition outweighs all.
  const state = withWeight(PUBLISHED_STATE, "coalition", 1);
  assert.equal(
    told({ ...state, thresholds: { strong: 0.82, adequate: 0.6 } }),
    "Your own weights, divided by their sum 1.94. Runs: of 3 ranks 1 up, 1 down, 1 with another class; first is b.",
  );
});

Deno.test("the summary says when nothing can be ranked", () => {
  const none = { ...PUBLISHED_STATE, weights: { ...PUBLISHED_STATE.weights, ...zero } };
  assert.equal(told(none), "All weights are 0: nothing can be ranked.");
});
