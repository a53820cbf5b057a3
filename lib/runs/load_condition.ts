import type { z } from "zod";
import { unknownName } from "../core/nearest.ts";
import { createRng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import { type Condition, ConditionSpec, type Seat } from "../schema/condition.ts";
import type { Lineups } from "../schema/lineups.ts";
import { seatedRoles, splitMandates } from "../schema/mandates.ts";
import type { PromptPack } from "../schema/prompt_pack.ts";
import type { Role } from "../schema/scenario.ts";
import { fieldName, violations } from "./read_json.ts";
import { holding, loadLineups, loadPromptPack, loadScenario, type ScenarioFolder } from "./scenarios.ts";

/**
 * Seat indices in speaking order. One draw per scenario and committee size, the same for every condition, replicate
 * and master seed: the paper keeps one random order fixed (S2.1), and so do all comparisons here.
 */
export function speakingOrder(scenarioId: string, agents: number): number[] {
  return createRng(0).fork("speaking-order").fork(scenarioId).shuffle(
    Array.from({ length: agents }, (_, seat) => seat),
  );
}

/**
 * A condition with everything it needs, from its names.
 *
 * @param spec scenario, roles, lineup, temperature, window, ablate, variant, agents, rounds; the paper's defaults
 * stand for what is left out (roles on, uniform line-up, T = 0, k = 15, five agents, 20 rounds). `ablate` takes away one mandate or several,
 * `Chair+Equity`; `agents` is a number or, with roles on, who sits: `Chair+Welfare+Welfare`.
 * @param options `folder`: where the packet stands, in `policy/`. Prompts and line-ups that it lacks are the project's own.
 * @throws {UserError} on an unknown name or a value out of range, naming it and the nearest known names.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const condition = await loadCondition({ scenario: "HL-01", roles: false });
 * assert.equal(condition.seats[0]!.label, "Agent 1");
 * ```
 */
export async function loadCondition(spec: ConditionSpec, { folder }: ScenarioFolder = {}): Promise<Condition> {
  const { scenario, variant, roles, ablate, lineup, temperature, window, agents, rounds, prompts: pack, maxTokens } =
    parseSpec(spec);
  const packet = await loadScenario(scenario, { folder, variant });
  const prompts = await loadPromptPack(pack, await holding("prompts", folder));
  const { lineups } = await loadLineups(await holding("lineups.json", folder));
  const models = lineups[lineup]?.models;
  if (models === undefined) throw unknownName("line-up", lineup, Object.keys(lineups));
  const seated = seatedRoles(agents);
  return {
    schema: "condition/1",
    packet,
    prompts,
    seats: seated.map((_, seat) => makeSeat(seat, { seated, roles, ablate, models, prompts })),
    order: speakingOrder(scenario, seated.length),
    roles,
    lineup,
    ...(ablate !== undefined && { ablate }),
    ...(typeof agents === "string" && { agents }),
    temperature,
    window,
    rounds,
    maxTokens,
  };
}

function parseSpec(spec: ConditionSpec): z.output<typeof ConditionSpec> {
  const known = Object.keys(ConditionSpec.shape);
  const stray = Object.keys(spec).find((key) => !known.includes(key));
  if (stray !== undefined) throw unknownName("condition parameter", stray, known);
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

/** A seat is called after its role; from a role's second seat on, with a number, since the others know it by its label. */
function makeSeat(
  seat: number,
  { seated, roles, ablate, models, prompts }: {
    seated: readonly Role[];
    roles: boolean;
    ablate: string | undefined;
    models: Lineups["lineups"][string]["models"];
    prompts: PromptPack;
  },
): Seat {
  const role = seated[seat]!;
  const number = seated.slice(0, seat + 1).filter((one) => one === role).length;
  const label = roles ? (number === 1 ? role : `${role}-${number}`) : `Agent ${seat + 1}`;
  const lost = ablate !== undefined && splitMandates(ablate).includes(role);
  const mandate = roles && !lost ? prompts.mandates[role] : "";
  return { label, role, mandate, model: models[role] };
}
