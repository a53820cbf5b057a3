import { cumulativeStdNormalProbability, mean, sampleStandardDeviation } from "simple-statistics";
import { slope } from "../../../core/numbers.ts";
import { kendallTau } from "../../../stats/rank_correlation.ts";
import { signTest } from "../../../stats/sign_tests.ts";
import type { ConditionRow, DeliberationTables } from "../../published_deliberation.ts";
import { rowOf } from "../../published_cell.ts";
import { factBound, factValue } from "../../published_facts.ts";
import type { Checks } from "../evaluate_claims.ts";
import { countOf, HALF_DIGIT, LEVEL, pText, STANDARD_ERRORS, words } from "../words.ts";
import { sweep, sweepPairs } from "./pairs.ts";

/** Least |τ| of eight pairs that chance exceeds in fewer than 5 % of cases, two-sided: 18 / 28, with p = 0.031. */
const TREND = 18 / 28;

/** Growth that would take a difference too small to see to one that decides. */
const HUNDREDFOLD = 100;

/** What is said of temperature and of noise. */
export const TEMPERATURE: Checks<DeliberationTables> = {
  /** Whether the slopes with roles are level over temperature; intervals would be needed to say so. */
  sweepFlat({ conditions }) {
    const rows = sweep(conditions, true);
    const trend = kendallTau(rows.map(({ temperature }) => temperature), slopesOf(rows)) ?? 0;
    const sorted = rows.toSorted((a, b) => a.lambda - b.lambda);
    const odd = rows.map((row) => ({ row, ...apart(row, rows) })).reduce((a, b) => b.distance > a.distance ? b : a);
    return {
      holds: Math.abs(trend) >= TREND ? false : undefined,
      evidence: words`The slopes range from ${slope(sorted[0]!.lambda)} (${sorted[0]!.condition}) to
        ${slope(sorted.at(-1)!.lambda)} (${sorted.at(-1)!.condition}), SD
        ${slope(sampleStandardDeviation(slopesOf(rows)))}; Kendall's τ with temperature ${trend.toFixed(2)}.
        ${odd.row.condition} lies ${odd.distance.toFixed(1)} SDs from the mean of the others (${slope(odd.centre)}, SD
        ${slope(odd.deviation)}). Intervals are drawn, not printed.`,
    };
  },

  /** Without roles the slope is nowhere as high as the lowest with roles, and so lower at every temperature. */
  noRolesSuppressed({ conditions }) {
    const pairs = sweepPairs(conditions);
    const lower = pairs.filter(({ effect }) => effect > 0);
    const least = pairs.reduce((a, b) => b.effect < a.effect ? b : a);
    const [most, lowest] = [
      Math.max(...pairs.map((pair) => pair.without)),
      Math.min(...pairs.map((pair) => pair.with)),
    ];
    return {
      holds: most < lowest,
      evidence: words`Lower at ${countOf(lower, pairs)} temperatures, by ${slope(least.effect)} at least
        (${least.name}); at most ${slope(most)} without roles, at least ${slope(lowest)} with them.`,
    };
  },

  /** Taken together, the slopes without roles cannot be told from zero. */
  noRolesZero({ conditions }) {
    const slopes = slopesOf(sweep(conditions, false));
    const above = slopes.filter((lambda) => lambda > 0);
    const p = signTest({ above: above.length, below: slopes.filter((lambda) => lambda < 0).length });
    return {
      holds: p >= LEVEL,
      evidence: words`${countOf(above, slopes)} slopes are above zero (sign test ${pText(p)}),
        ${slope(mean(slopes))} on average, ${slope(Math.min(...slopes))} to ${slope(Math.max(...slopes))}.`,
    };
  },

  /** One by one: how many intervals hold zero is drawn, not printed. */
  noRolesZeroSingly({ conditions, facts }) {
    const rows = sweep(conditions, false).toSorted((a, b) => b.lambda - a.lambda);
    const stated = factValue(facts, "sweep-no-roles-zero");
    const deviation = sampleStandardDeviation(slopesOf(rows));
    const within = rows.filter(({ lambda }) => Math.abs(lambda) <= STANDARD_ERRORS * deviation);
    const [first, second] = rows;
    return {
      holds: stated > rows.length ? false : undefined,
      evidence: words`Stated of ${stated} of ${rows.length}, without saying which is the other; the two highest,
        ${slope(first!.lambda)} (${first!.condition}) and ${slope(second!.lambda)} (${second!.condition}), lie
        ${slope(first!.lambda - second!.lambda)} apart. If temperature changes nothing, the SD of the slopes, ${
        slope(deviation)
      }, stands
        for a standard error, and ${countOf(within, rows)} lie within ${STANDARD_ERRORS} of them of zero. Intervals are
        drawn, not printed.`,
    };
  },

  /** At T = 0 slopes are above zero and not systematically below those at T = 0.1. */
  zeroKeepsInstability({ landscape }) {
    const cold = landscape.filter(({ temperature }) => temperature === 0);
    const warm = cold.map(({ scenario, roles }) => rowOf(landscape, { scenario, roles, temperature: 0.1 }));
    const positive = cold.filter(({ lambda }) => lambda > HALF_DIGIT);
    const lower = cold.filter((row, i) => row.lambda < warm[i]!.lambda);
    const higher = cold.filter((row, i) => row.lambda > warm[i]!.lambda);
    const p = signTest({ above: higher.length, below: lower.length });
    return {
      holds: 2 * positive.length > cold.length && !(lower.length > higher.length && p < LEVEL),
      evidence: words`${countOf(positive, cold)} slopes at T = 0 are above zero; ${countOf(lower, cold)} are below the
        same cell's at T = 0.1 (sign test ${pText(p)}).`,
    };
  },

  /** As an inference: two intervals may overlap although a test tells their slopes apart. */
  overlapIsEquality({ conditions }) {
    const [cold, hot] = [0, 0.7].map((temperature) => rowOf(sweep(conditions, true), { temperature }).lambda);
    const z = STANDARD_ERRORS * Math.SQRT2;
    return {
      holds: cold === hot ? undefined : false,
      evidence: words`Intervals of one width still touch where two slopes lie ${z.toFixed(2)} standard errors of their
        difference apart (${pText(2 - 2 * cumulativeStdNormalProbability(z))}). Printed are ${slope(cold)} and ${
        slope(hot)
      },
        without intervals.`,
    };
  },

  /** Whether some number of the calls gives a share in the range stated; what a trial is would have to be known. */
  identicalCalls({ facts }) {
    const calls = factValue(facts, "identical-calls");
    const id = "identical-calls-differ";
    const [low, high] = [factBound(facts, id, "low"), factBound(facts, id, "high")];
    const counts = Array.from({ length: calls + 1 }, (_, k) => k).filter((k) => k / calls >= low && k / calls <= high);
    return {
      holds: counts.length === 0 ? false : undefined,
      evidence: counts.length === 0
        ? `No number of ${calls} calls is a share of ${low} to ${high}.`
        : words`${counts[0]} to ${counts.at(-1)} of ${calls} calls would be a share of ${low} to ${high}; what counts as
          a trial, how many prompts were tried and how far the replies differ is not printed.`,
    };
  },

  /** The fitted line's growth over the window is at least hundredfold; what comes before the window is not printed. */
  noiseAmplified({ conditions, facts }) {
    const [from, to] = [factBound(facts, "fit-rounds", "low"), factBound(facts, "fit-rounds", "high")];
    const { lambda } = rowOf(conditions, { experiment: "ablation", ablated: "none" });
    const growth = Math.exp((to - from) * lambda);
    return {
      holds: growth >= HUNDREDFOLD ? true : undefined,
      evidence: words`A slope of ${slope(lambda)} multiplies the fitted D by ${growth.toFixed(1)} from round ${from} to
        round ${to}; a hundredfold needs ${slope(Math.log(HUNDREDFOLD) / (to - from))}. D itself, and what happens
        before round ${from}, is not printed.`,
    };
  },
};

const slopesOf = (rows: readonly ConditionRow[]): number[] => rows.map(({ lambda }) => lambda);

/** How far one slope is from the mean of the others, in their standard deviations. */
function apart(row: ConditionRow, rows: readonly ConditionRow[]) {
  const rest = slopesOf(rows.filter((other) => other !== row));
  const [centre, deviation] = [mean(rest), sampleStandardDeviation(rest)];
  return { centre, deviation, distance: Math.abs(row.lambda - centre) / deviation };
}
