import type { CountsGroup } from "../figures/counts_plot.ts";
import type { PublishedSwitchesRow } from "../schema/published_switches.ts";
import type { RoleSwitches } from "./switches_by_role.ts";
import { meanDifference } from "../stats/mean_difference.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** Switches of one role for `countsPlot`, with what they were made from. */
export interface SwitchGroup extends CountsGroup {
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
