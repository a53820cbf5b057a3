import { mean, sampleStandardDeviation } from "simple-statistics";
import type { Condition } from "../schema/condition.ts";
import { type Role, ROLES } from "../schema/role.ts";
import { switchCounts } from "../stats/switch_counts.ts";
import type { AgentPreferences } from "../stats/top_option.ts";

/** How often the agent of one role changed its top option, over the runs of several conditions. */
export interface RoleSwitches {
  readonly role: Role;
  /** One a run, in the order of conditions and runs. */
  readonly counts: readonly number[];
  /** Agent-runs. */
  readonly n: number;
  /** Absent without runs. */
  readonly mean?: number;
  /** Sample standard deviation over agent-runs; absent with fewer than two. */
  readonly sd?: number;
  /** Standard error of the mean, sd/√n. */
  readonly sem?: number;
}

/**
 * Switches a run of each role, pooled over conditions; every role has a seat in each of them.
 *
 * Source: Figure S3 and Table S7 of the deliberation paper, which pool six temperatures of IM-01.
 *
 * @throws {RangeError} when a condition has no seat for a role.
 */
export function switchesByRole(
  conditions: readonly {
    readonly condition: Pick<Condition, "seats">;
    readonly runs: readonly { readonly preferences: AgentPreferences }[];
  }[],
): RoleSwitches[] {
  return ROLES.map((role) => {
    const counts = conditions.flatMap(({ condition: { seats }, runs }) => {
      const seat = seats.findIndex((one) => one.role === role);
      if (seat < 0) throw new RangeError(`a condition has no seat for ${role}: seats are ${seatNames(seats)}`);
      return runs.map(({ preferences }) => switchCounts(preferences)[seat]!);
    });
    return { role, counts, n: counts.length, ...moments(counts) };
  });
}

const seatNames = (seats: Condition["seats"]): string => seats.map(({ role }) => role).join(", ");

function moments(counts: number[]): Pick<RoleSwitches, "mean" | "sd" | "sem"> {
  if (counts.length === 0) return {};
  if (counts.length === 1) return { mean: counts[0]! };
  const sd = sampleStandardDeviation(counts);
  return { mean: mean(counts), sd, sem: sd / Math.sqrt(counts.length) };
}
