import type { Mosaic } from "../schema/mosaic.ts";
import { GROUPS, SYSTEMS } from "../schema/station_ids.ts";
import type { Plan } from "../schema/station_reply.ts";
import { RULES } from "./rules.ts";
import { clamp01, type StationProposal, type StationState } from "./state.ts";

/**
 * Which budget a readable plan breaks, if any: more seats than there are, or than a group has people; more power than
 * the station can make. Such a plan is a failure of reasoning, not of parsing.
 */
export function planFlaw(plan: Plan, { people, seats, power }: Mosaic = RULES): string | undefined {
  if (total(Object.values(plan.seats)) > seats) return "seats_over_total";
  if (GROUPS.some((group) => plan.seats[group] > people[group])) return "seats_over_headcount";
  if (total(Object.values(plan.power)) > power.available) return "power_over_budget";
  return undefined;
}

/** Whole votes for minus against. */
export const netVotes = ({ votes }: StationProposal): number => total(Object.values(votes)) / 4;

/**
 * How far a proposal could be carried out now, in [0, 1]: 0.40 seats + 0.35 power + 0.25 command.
 *
 * - seats: 0.7 · share of the seats used + 0.3 · mean over groups of min(1, seats / half the group's fair share);
 * - power: what life support (0.5), docking (0.3) and the rest (0.2) get of their need, after a brown-out that cuts
 *   everything alike where more is asked than there is;
 * - command: authority · min(1, net votes / 4).
 *
 * That seats, power and command authority decide is published (Table 1); the formula is ours.
 */
export function executability(proposal: StationProposal, state: StationState, rules: Mosaic = RULES): number {
  const { plan } = proposal;
  if (plan === undefined) return 0;
  const weights = rules.executability;
  const command = state.authority * clamp01((4 * netVotes(proposal)) / weights.votes);
  return weights.seats * seatScore(plan, rules) + weights.power * powerScore(plan, state.power, rules) +
    weights.command * command;
}

function seatScore(plan: Plan, { people, seats }: Mosaic): number {
  const everyone = total(Object.values(people));
  const fair = GROUPS.map((group) => clamp01(plan.seats[group] / (0.5 * seats * people[group] / everyone)));
  return 0.7 * total(Object.values(plan.seats)) / seats + 0.3 * total(fair) / GROUPS.length;
}

/** The share of its needs that a plan's power covers, weighted. */
export function powerScore(plan: Plan, available: number, { power: { needs } }: Mosaic = RULES): number {
  const asked = total(Object.values(plan.power));
  const brownOut = asked === 0 ? 1 : Math.min(1, available / asked);
  const met = (system: typeof SYSTEMS[number]) => clamp01(brownOut * plan.power[system] / needs[system]);
  return 0.5 * met("life_support") + 0.3 * met("docking") +
    0.2 * (met("outer_ring") + met("sponsor_deck") + met("comms")) / 3;
}

/** The proposal that counts as the final plan: the passed one with the highest executability, else the best valid one. */
export function finalPlan(
  state: StationState,
  rules: Mosaic = RULES,
): { proposal: StationProposal; e: number } | undefined {
  const valid = state.proposals.filter(({ status }) => status !== "invalid");
  const passed = valid.filter(({ status }) => status === "passed" || status === "executed");
  const scored = (passed.length > 0 ? passed : valid).map((proposal) => ({
    proposal,
    e: executability(proposal, state, rules),
  }));
  return scored.reduce<typeof scored[number] | undefined>(
    (best, one) => (best && best.e >= one.e ? best : one),
    undefined,
  );
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
