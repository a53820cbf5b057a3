import { mean, sampleStandardDeviation } from "simple-statistics";
import { UserError } from "../core/user_error.ts";
import type { CountsGroup } from "../plots/counts_plot.ts";
import type { Condition } from "../schema/condition.ts";
import { type Role, ROLES } from "../schema/scenario.ts";
import { type AgentPreferences, switchCounts } from "../stats/decisions.ts";
import { meanDifference } from "../stats/mean_difference.ts";
import type { PublishedIm01Row, PublishedSwitchesRow } from "./published_deliberation.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** How often the agent of one role changed its top option, over the runs of several conditions. */
interface RoleSwitches {
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

/** Switches of one role for `countsPlot`, with what they were made from. */
interface SwitchGroup extends CountsGroup {
  readonly row: RoleSwitches;
  /** Table S7's row; absent where the role has none. */
  readonly paper: PublishedSwitchesRow | undefined;
  readonly verdict: Verdict;
}

/**
 * Measured switches of each role beside the published ones.
 *
 * A published mean is `inside` when the 95 % interval of the difference of the two means holds zero: it allows for the
 * spread of both, as far as the deviation of both is known. The published standard error is sd/√n.
 *
 * @param published Table S7; see `loadPublishedSwitches`.
 */
export function switchGroups(
  measured: readonly RoleSwitches[],
  published: readonly PublishedSwitchesRow[],
): SwitchGroup[] {
  return measured.map((row) => {
    const paper = published.find(({ role }) => role === row.role);
    const { mean_switches: mean, sd, n } = paper ?? {};
    const sem = sd === undefined || n === undefined ? undefined : sd / Math.sqrt(n);
    return {
      ...{ label: row.role, counts: row.counts, row, paper, verdict: judge(row, paper) },
      ...(row.mean !== undefined && { measured: { mean: row.mean, sem: row.sem } }),
      ...(mean !== undefined && { published: { mean, sem } }),
    };
  });
}

function judge({ mean, sd, n }: RoleSwitches, paper: PublishedSwitchesRow | undefined): Verdict {
  const { mean_switches, sd: paperSd, n: paperN } = paper ?? {};
  if (mean_switches === undefined) return "not published";
  if (mean === undefined || sd === undefined || paperSd === undefined || paperN === undefined) return "no interval";
  const { low, high } = meanDifference({ mean, sd, n }, { mean: mean_switches, sd: paperSd, n: paperN });
  // The difference is measured less published: all of it above zero leaves the published value below.
  return verdict(0, { low, high });
}

/**
 * IM-01's published falls of λ̂, by the role whose mandate is taken away: the row without ablation less each other.
 *
 * The paper prints the slopes and not these differences; like the slopes they are exact to the last printed digit only,
 * so to within 0.0001.
 *
 * @param rows Table S5; see `loadIm01`.
 * @throws {UserError} where a row of the ablation is missing or has no slope.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { loadIm01 } from "../paper/published_deliberation.ts";
 * assert.equal(im01Falls(await loadIm01()).get("Chair")!.toFixed(4), "0.0534");
 * ```
 */
export function im01Falls(rows: readonly PublishedIm01Row[]): ReadonlyMap<Role, number> {
  const slope = (ablated: Role | "none"): number => {
    const found = rows.find((row) => row.experiment === "ablation" && row.ablated === ablated)?.lambda;
    if (found === undefined) throw new UserError(`Table S5 has no slope for the ablation of ${ablated}`);
    return found;
  };
  return new Map(ROLES.map((role) => [role, slope("none") - slope(role)]));
}
