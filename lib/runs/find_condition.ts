import { canonicalJson } from "../core/json.ts";
import { type Condition, ConditionSpec } from "../schema/condition.ts";
import { conditionKnobs } from "../schema/condition_knobs.ts";

/**
 * The condition of this spec among those of an experiment; undefined where it was not run. What the spec leaves out has
 * the paper's default.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { loadCondition } from "./load_condition.ts";
 * const run = [{ condition: await loadCondition({ scenario: "HL-01", window: 3 }), runs: [] }];
 * assert.equal(findCondition(run, { scenario: "HL-01", window: 3 }), run[0]);
 * assert.equal(findCondition(run, { scenario: "HL-01" }), undefined);
 * ```
 */
export function findCondition<One extends { readonly condition: Condition }>(
  conditions: readonly One[],
  spec: ConditionSpec,
): One | undefined {
  const { prompts: _, maxTokens: __, ...wanted } = ConditionSpec.parse(spec);
  const sought = canonicalJson(wanted);
  return conditions.find(({ condition }) => canonicalJson(conditionKnobs(condition)) === sought);
}
