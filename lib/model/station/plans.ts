import type { Rng } from "../../core/rng.ts";
import { GROUPS, SYSTEMS } from "../../schema/station_ids.ts";
import type { Plan } from "../../schema/station_reply.ts";
import { type Leaning, PARAMETERS } from "./parameters.ts";
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

/**
 * Whole parts of a total in proportion to weights, by largest remainder, none above its cap; the first of equals comes
 * first. Where all caps are reached, the rest is not given out.
 *
 * @example What one cap cuts off goes to the others
 * ```ts
 * import assert from "node:assert/strict";
 * const parts = shareOut(10, ["a", "b", "c"], { a: 8, b: 1, c: 1 }, { a: 6, b: 9, c: 9 });
 * assert.deepEqual(parts, { a: 6, b: 2, c: 2 });
 * ```
 */
export function shareOut<K extends string>(
  total: number,
  keys: readonly K[],
  weights: Readonly<Record<K, number>>,
  caps: Readonly<Record<K, number>>,
): Record<K, number> {
  const parts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  let free = keys.filter((key) => weights[key] > 0);
  let rest = total;
  // Those whose share exceeds their cap get the cap; what is over is shared again among the others.
  for (;;) {
    const sum = free.reduce((all, key) => all + weights[key], 0);
    const full = free.filter((key) => (rest * weights[key]) / sum >= caps[key]);
    if (full.length === 0) break;
    for (const key of full) parts[key] = caps[key];
    rest -= full.reduce((all, key) => all + caps[key], 0);
    free = free.filter((key) => !full.includes(key));
  }
  const sum = free.reduce((all, key) => all + weights[key], 0);
  const exact = free.map((key) => (rest * weights[key]) / sum);
  free.forEach((key, i) => parts[key] = Math.floor(exact[i]!));
  let left = free.length === 0 ? 0 : rest - free.reduce((all, key) => all + parts[key], 0);
  const byRemainder = free.map((_, i) => i).sort((a, b) => (exact[b]! % 1) - (exact[a]! % 1) || a - b);
  for (const i of byRemainder) if (left-- > 0) parts[free[i]!]++;
  return parts;
}

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
