import { z } from "zod";
import { unknownName } from "../core/nearest.ts";
import { createRng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import { type Condition, ConditionSpec, type ConditionSpecInput, type Seat } from "../schema/condition.ts";
import type { Lineups } from "../schema/lineups.ts";
import type { PromptPack } from "../schema/prompt_pack.ts";
import { ROLES } from "../schema/scenario.ts";
import { loadLineups, loadPromptPack, loadScenario, type ScenarioFolder } from "./scenarios.ts";

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
 * stand for what is left out (roles on, uniform line-up, T = 0, k = 15, five agents, 20 rounds).
 * @throws {UserError} on an unknown name or a value out of range, naming it and the nearest known names.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const condition = await loadCondition({ scenario: "HL-01", roles: false });
 * assert.equal(condition.seats[0]!.label, "Agent 1");
 * ```
 */
export async function loadCondition(spec: ConditionSpecInput, { folder }: ScenarioFolder = {}): Promise<Condition> {
  const { scenario, variant, roles, ablate, lineup, temperature, window, agents, rounds, prompts: pack, maxTokens } =
    parseSpec(spec);
  const from = folder === undefined ? {} : { folder };
  const [packet, prompts, { lineups }] = await Promise.all([
    loadScenario(scenario, { ...from, variant }),
    loadPromptPack(pack, from),
    loadLineups(from),
  ]);
  const models = lineups[lineup]?.models;
  if (models === undefined) throw unknownName("line-up", lineup, Object.keys(lineups));
  return {
    schema: "condition/1",
    packet,
    prompts,
    seats: Array.from({ length: agents }, (_, seat) => makeSeat(seat, { roles, ablate, models, prompts })),
    order: speakingOrder(scenario, agents),
    roles,
    lineup,
    ...(ablate && { ablate }),
    temperature,
    window,
    rounds,
    maxTokens,
  };
}

function parseSpec(spec: ConditionSpecInput): ConditionSpec {
  const known = Object.keys(ConditionSpec.shape);
  const stray = Object.keys(spec).find((key) => !known.includes(key));
  if (stray !== undefined) throw unknownName("condition parameter", stray, known);
  if (spec.ablate !== undefined && !ROLES.includes(spec.ablate)) throw unknownName("role", spec.ablate, ROLES);
  const parsed = ConditionSpec.safeParse(spec);
  if (parsed.success) return parsed.data;
  throw new UserError(`condition out of range: ${z.prettifyError(parsed.error)}`, { exitCode: 2 });
}

/** Seats beyond the five roles repeat the mandates other than the Chair's: a committee has one Chair. */
function makeSeat(
  seat: number,
  { roles, ablate, models, prompts }: {
    roles: boolean;
    ablate: ConditionSpec["ablate"];
    models: Lineups["lineups"][string]["models"];
    prompts: PromptPack;
  },
): Seat {
  const extra = seat - ROLES.length;
  const role = extra < 0 ? ROLES[seat]! : ROLES[1 + (extra % (ROLES.length - 1))]!;
  const number = extra < 0 ? 1 : 2 + Math.floor(extra / (ROLES.length - 1));
  const label = roles ? (number === 1 ? role : `${role}-${number}`) : `Agent ${seat + 1}`;
  const mandate = roles && role !== ablate ? prompts.mandates[role] : "";
  return { label, role, mandate, model: models[role] };
}
