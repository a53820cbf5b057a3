import { greatest } from "d3-array";
import { apportion } from "../core/numbers.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import { COUNCIL, type CouncilRole, GROUPS, type Plan, SYSTEMS } from "../schema/station_ids.ts";
import { executability } from "./executability.ts";
import { RULES } from "./rules.ts";
import type { StationProposal, StationState } from "./state.ts";

/** The clerk's deed in a slot that no usable action filled. */
type Fallback =
  | { readonly action: "propose"; readonly plan: Plan }
  | { readonly action: "endorse"; readonly target: string }
  | { readonly action: "broadcast"; readonly statement: string }
  | { readonly action: "observe" };

/**
 * The fallback policy: endorse the least bad open proposal, or put up a standing plan where there is none. That is
 * published; the details are ours:
 *
 * 1. no valid open proposal: the standing plan;
 * 2. only proposals that this role itself stands against: nothing, since a clerk must not reverse a role's vote;
 * 3. command in even rounds: the scripted broadcast that asks to gather behind one plan;
 * 4. otherwise endorse the open proposal with the highest executability, the oldest of equals.
 */
export function fallback(state: StationState, role: CouncilRole, rules: Mosaic = RULES): Fallback {
  const open = state.proposals.filter(({ status }) => status === "open");
  if (open.length === 0) return { action: "propose", plan: standingPlan(state, rules) };
  const acceptable = open.filter(({ votes }) => (votes[role] ?? 0) >= 0);
  if (acceptable.length === 0) return { action: "observe" };
  if (role === COUNCIL[0] && state.round % 2 === 0) return { action: "broadcast", statement: rules.texts.consolidate };
  return { action: "endorse", target: leastBad(acceptable, state, rules).id };
}

/** The open proposal that could best be carried out. */
export function leastBad(
  open: readonly StationProposal[],
  state: StationState,
  rules: Mosaic = RULES,
): StationProposal {
  return greatest(open, (proposal) => executability(proposal, state, rules))!;
}

/** Seats in proportion to headcount, power in proportion to need, both by largest remainder. */
export function standingPlan({ power }: StationState, rules: Mosaic = RULES): Plan {
  return {
    seats: apportion(rules.seats, GROUPS, { weights: rules.people }),
    power: apportion(Math.floor(power), SYSTEMS, { weights: rules.power.needs }),
  };
}
