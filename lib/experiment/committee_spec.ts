import { type Role, ROLES } from "../schema/role.ts";
import type { CommitteeSpec } from "./simulate_committee.ts";
import { speakingOrder } from "./speaking_order.ts";

/**
 * A committee of five as the paper runs it, by what the surrogate's mechanism sees of it.
 *
 * @param models model id by seat.
 * @param options `ablated`: the seat without its mandate; `temperature` 0, `window` 15 unless given.
 */
export function committeeSpec(
  scenario: string,
  optionCount: number,
  models: Readonly<Record<Role, string>>,
  { roles, ablated, temperature = 0, window = 15 }: {
    roles: boolean;
    ablated?: Role | undefined;
    temperature?: number;
    window?: number;
  },
): CommitteeSpec {
  return {
    scenario,
    optionCount,
    seats: ROLES.map((role) => ({
      model: models[role],
      mandate: roles && role !== ablated ? role : undefined,
    })),
    order: speakingOrder(scenario, ROLES.length),
    temperature,
    window,
    rounds: 20,
  };
}

/** One model in all five seats. */
export function oneModel(model: string): Record<Role, string> {
  return { Chair: model, Welfare: model, Rights: model, Equity: model, Security: model };
}
