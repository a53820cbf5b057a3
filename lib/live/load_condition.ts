import { unknownName, UserError } from "../core/user_error.ts";
import { checkOptions, described } from "../core/options.ts";
import { seatCondition } from "../deliberation/seat_condition.ts";
import { type Condition, ConditionSpec, type ParsedSpec } from "../schema/condition.ts";
import { splitMandates } from "../schema/scenario.ts";
import { fieldName, violations } from "../record/read_json.ts";
import { holding, loadLineups, loadPromptPack, loadScenario, type ScenarioFolder } from "./scenarios.ts";

/**
 * A condition with everything it needs, from its names.
 *
 * @param spec scenario, roles, lineup, temperature, window, ablate, variant, agents, rounds; the paper's defaults
 * stand for what is left out (roles on, uniform line-up, T = 0, k = 15, five agents, 20 rounds). `ablate` takes away one mandate or several,
 * `Chair+Equity`; `agents` is a number or, with roles on, who sits: `Chair+Welfare+Welfare`. With `normaliser` near misses of the formats
 * are read too. `prompts`: a pack by its name in `scenarios/prompts/`. `ablation`: "block" takes an ablated mandate away with its heading; by
 * default the heading stays.
 * @param options `folder`: where the packet stands, in `policy/` or `questions/`. Prompts and line-ups that it lacks are the project's own.
 * @throws {UserError} on an unknown name or a value out of range, naming it and the nearest known names.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const condition = await loadCondition({ scenario: "HL-01", roles: false });
 * assert.equal(condition.seats[0]!.label, "Agent 1");
 * ```
 */
export async function loadCondition(spec: ConditionSpec, options: ScenarioFolder = {}): Promise<Condition> {
  const { folder } = checkOptions("loadCondition", options, "folder");
  const parsed = parseSpec(spec);
  const { scenario, variant, prompts: pack, lineup } = parsed;
  const packet = await loadScenario(scenario, { folder, variant });
  const prompts = await loadPromptPack(pack, await holding("prompts", folder));
  const { lineups } = await loadLineups(await holding("lineups.json", folder));
  const models = lineups[lineup]?.models;
  if (models === undefined) throw unknownName("line-up", lineup, Object.keys(lineups));
  return seatCondition(parsed, { packet, prompts, models });
}

/** @throws {UserError} on a parameter that no condition has. @throws {TypeError} on what is no object. */
export function checkSpec(spec: object): void {
  if (typeof spec !== "object" || spec === null) {
    throw new TypeError(`a condition is ${described(spec)}: give an object such as { scenario: "HL-01" }`);
  }
  const known = Object.keys(ConditionSpec.shape);
  const stray = Object.keys(spec).find((key) => !known.includes(key));
  if (stray !== undefined) throw unknownName("condition parameter", stray, known);
}

function parseSpec(spec: ConditionSpec): ParsedSpec {
  checkSpec(spec);
  // A wrong role is a wrong name, which has its own words.
  for (const roles of [spec.ablate, spec.agents]) {
    if (typeof roles === "string" && roles !== "none") splitMandates(roles);
  }
  const parsed = violations(ConditionSpec, spec);
  if (parsed.ok) return parsed.value;
  const words = parsed.violations.map(({ rule, path }) =>
    `${fieldName(path)}${rule.startsWith("must ") ? "" : ":"} ${rule}`
  );
  throw new UserError(words.join("; "), { exitCode: 2 });
}
