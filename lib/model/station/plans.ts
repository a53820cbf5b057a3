import type { Rng } from "../../core/rng.ts";
import type { Deed, OpenProposal, Sight } from "./sight.ts";

/** How a persona governs: what it does in one slot, from what it sees. */
export type Policy = (sight: Sight, rng: Rng) => Deed;

/** Whether this role already stands behind a proposal. */
export const backed = ({ role }: Sight, { votes }: OpenProposal): boolean => (votes[role] ?? 0) > 0;

/** Whole votes for minus against. */
export const lead = ({ votes }: OpenProposal): number => Object.values(votes).reduce((sum, vote) => sum + vote, 0);

/**
 * How well a plan covers what keeps people alive, in [0, 2]: the share of seats used, plus the lesser of what life
 * support and docking get of their need. A rule of thumb of the personas, not the station's executability.
 */
export function worth({ stock }: Sight, { plan }: OpenProposal): number {
  const used = Object.values(plan.seats).reduce((sum, count) => sum + count, 0) / stock.seats;
  const met = (system: "life_support" | "docking") => Math.min(1, plan.power[system] / stock.needs[system]);
  return used + Math.min(met("life_support"), met("docking"));
}

/** The item with the highest score, the first of equals. */
export function top<T>(items: readonly T[], score: (item: T) => number): T | undefined {
  let best: T | undefined;
  let high = -Infinity;
  for (const item of items) {
    const value = score(item);
    if (value > high) [best, high] = [item, value];
  }
  return best;
}
