import { unknownName } from "../core/unknown_name.ts";
import type { ConditionSpecInput } from "../schema/condition_spec.ts";
import { type Role, ROLES } from "../schema/role.ts";
import { listScenarios } from "../storage/scenarios.ts";

/** Single-model line-ups by the model's name as Tables S1 and S6 print it. */
export const PUBLISHED_LINEUPS: Readonly<Record<string, string>> = {
  "GPT-4.1": "gpt-4-1",
  "Claude Sonnet 4.6": "claude-sonnet-4-6",
  "Gemini 2.5 Flash": "gemini-2-5-flash",
  "Grok-3": "grok-3",
  "GPT-4.1-mini": "uniform",
};

/**
 * The conditions that a row of Table S1 counts the runs of, read from its words as printed. All are at T = 0.
 *
 * @param row `group` and `condition` as in `table_s1_run_accounting.csv`.
 * @throws {UserError} when the words name no group, model or role of the table.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const specs = await accountedSpecs({ group: "Ablation", condition: "Ablate Chair (IM-01, T = 0)" });
 * assert.deepEqual(specs, [{ scenario: "IM-01", roles: true, ablate: "Chair" }]);
 * ```
 */
export async function accountedSpecs(
  { group, condition }: { readonly group: string; readonly condition: string },
): Promise<ConditionSpecInput[]> {
  const scenario = /[A-Z]{2}-\d{2}/.exec(condition)?.[0] ?? "IM-01";
  switch (group) {
    case "Headline":
    case "Core": {
      const cell = { roles: !condition.includes("no-role"), lineup: /mixed/i.test(condition) ? "mixed" : "uniform" };
      const matrix = condition.startsWith("12-scenario");
      const scenarios = matrix ? (await listScenarios()).map(({ id }) => id) : [scenario];
      return scenarios.map((scenario) => ({ scenario, ...cell }));
    }
    case "Ablation":
      return [{ scenario, roles: true, ablate: ablatedIn(condition) }];
    case "Semantics": {
      const { variants } = (await listScenarios()).find(({ id }) => id === scenario)!;
      return [{ scenario }, ...variants.map((variant) => ({ scenario, variant }))];
    }
    case "Provider":
      return [{ scenario, roles: true, lineup: lineupIn(condition) }];
    default:
      throw unknownName("group of Table S1", group, ["Headline", "Core", "Ablation", "Semantics", "Provider"]);
  }
}

function ablatedIn(condition: string): Role {
  const word = condition.split(" ")[1] ?? "";
  const role = ROLES.find((role) => role === word);
  if (role === undefined) throw unknownName("role", word, ROLES);
  return role;
}

function lineupIn(condition: string): string {
  const model = condition.split(",")[0]!;
  if (!Object.hasOwn(PUBLISHED_LINEUPS, model)) throw unknownName("model", model, Object.keys(PUBLISHED_LINEUPS));
  return PUBLISHED_LINEUPS[model]!;
}
