import { sum } from "d3-array";
import { apportion } from "../../core/apportion.ts";
import type { Rng } from "../../core/rng.ts";
import { GROUPS, SYSTEMS } from "../../schema/station_ids.ts";
import type { Plan } from "../../schema/station_reply.ts";
import { type Leaning, PARAMETERS } from "./parameters.ts";
import type { Deed, OpenProposal, Sight } from "./sight.ts";

/** How a persona governs: what it does in one slot, from what it sees. */
export type Policy = (sight: Sight, rng: Rng) => Deed;

/** Whether this role already stands behind a proposal; a clerk's quarters in its name are no word of its own. */
export const backed = ({ role }: Sight, { votes }: OpenProposal): boolean => (votes[role] ?? 0) >= 1;

/** Whole votes for minus against. */
export const netVotes = ({ votes }: OpenProposal): number => sum(Object.values(votes));

/**
 * How well a plan covers what keeps people alive, in [0, 2]: the share of seats used, plus the lesser of what life
 * support and docking get of their need. A rule of thumb of the personas, not the station's executability.
 */
export function worth({ stock }: Sight, { plan }: OpenProposal): number {
  const used = sum(Object.values(plan.seats)) / stock.seats;
  const met = (system: "life_support" | "docking") => Math.min(1, plan.power[system] / stock.needs[system]);
  return used + Math.min(met("life_support"), met("docking"));
}

/**
 * A plan within its budgets: all seats by headcount and all power by need, each weighed by a leaning and a little
 * chance. Nobody gets more seats than people or more power than needed; a role that knows the exact power stays within it.
 */
export function draftPlan({ stock, privately }: Sight, { seats, power }: Leaning, rng: Rng): Plan {
  const weigh = <K extends string>(
    keys: readonly K[],
    base: Readonly<Record<K, number>>,
    leaning: Readonly<Partial<Record<K, number>>>,
  ) =>
    Object.fromEntries(
      keys.map((key) => [key, base[key] * (leaning[key] ?? 1) * (1 + PARAMETERS.jitter * (2 * rng.next() - 1))]),
    ) as Record<K, number>;
  const units = Math.min(stock.powerUnits, Math.floor(privately.power ?? stock.powerUnits));
  return {
    seats: apportion(stock.seats, GROUPS, { weights: weigh(GROUPS, stock.people, seats), caps: stock.people }),
    power: apportion(units, SYSTEMS, { weights: weigh(SYSTEMS, stock.needs, power), caps: stock.needs }),
  };
}
