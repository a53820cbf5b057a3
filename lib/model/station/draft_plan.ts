import type { Rng } from "../../core/rng.ts";
import { GROUPS, SYSTEMS } from "../../schema/station_ids.ts";
import type { Plan } from "../../schema/station_plan.ts";
import { type Leaning, PARAMETERS } from "./parameters.ts";
import { shareOut } from "./share_out.ts";
import type { Sight } from "./sight.ts";

/**
 * A plan within its budgets: all seats by headcount and all power by need, each weighed by a leaning and a little
 * chance. Nobody gets more seats than people or more power than needed; who knows the exact power keeps to it.
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
    seats: shareOut(stock.seats, GROUPS, weigh(GROUPS, stock.people, seats), stock.people),
    power: shareOut(units, SYSTEMS, weigh(SYSTEMS, stock.needs, power), stock.needs),
  };
}
