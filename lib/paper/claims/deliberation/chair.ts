import { share, slope } from "../../../core/numbers.ts";
import { fisherExact } from "../../../stats/fisher_exact.ts";
import { kendallTau } from "../../../stats/rank_correlation.ts";
import { signTest } from "../../../stats/sign_tests.ts";
import type { ConditionRow, DeliberationTables } from "../../published_deliberation.ts";
import { rowOf } from "../../published_cell.ts";
import type { Checks } from "../evaluate_claims.ts";
import { countOf, LEVEL, listed, pText, signedText, STANDARD_ERRORS, words } from "../words.ts";

/** What is said of the Chair, and of memory. */
export const CHAIR: Checks<DeliberationTables> = {
  /** Taking the Chair's mandate away lowers IM-01's slope more than taking any other. */
  chairLargest({ conditions }) {
    const falls = fallsOf(conditions);
    return {
      holds: falls[0]!.role === "Chair" && falls[0]!.fall > falls[1]!.fall,
      evidence: words`The slope falls by ${listed(falls.map(({ role, fall }) => `${slope(fall)} (${role})`))}; the
        second fall is ${share(falls[1]!.fall / falls[0]!.fall)} of the first, and no interval is printed for any.`,
    };
  },

  /** The Chair's mandate alone makes up more than half of what all mandates do, and no other does. */
  chairDominant({ conditions }) {
    const falls = fallsOf(conditions);
    const bare = rowOf(conditions, { experiment: "temperature", temperature: 0, roles: false });
    const whole = fullOf(conditions).lambda - bare.lambda;
    const large = falls.filter(({ fall }) => fall > whole / 2);
    const sum = falls.reduce((sum, { fall }) => sum + fall, 0);
    return {
      holds: large.length === 1 && large[0]!.role === "Chair",
      evidence: words`Taking all mandates away lowers the slope by ${slope(whole)}; more than half of that is reached
        by ${listed(large.map(({ role, fall }) => `${role} (${share(fall / whole)})`))}. The ${falls.length} single
        falls add up to ${(sum / whole).toFixed(1)} times the whole, so they overlap.`,
    };
  },

  /** Whether the Chair's effect is established over the scenarios of Figure 2B. */
  chairOverScenarios({ effects, landscape }) {
    const own = effects.filter(({ figure }) => figure === "2B");
    const positive = own.filter(({ sign }) => sign === "positive");
    const resolved = positive.filter(({ excludes_zero }) => excludes_zero === true);
    const p = signTest({ above: positive.length, below: own.length - positive.length });
    const slopes = own.map(({ scenario }) => rowOf(landscape, { scenario, roles: true, temperature: 0 }));
    const least = slopes.reduce((a, b) => b.lambda < a.lambda ? b : a);
    const established = 2 * resolved.length > own.length || p < LEVEL;
    return {
      holds: 2 * positive.length <= own.length ? false : established ? true : undefined,
      evidence: words`${countOf(positive, own)} stated effects are positive (sign test ${pText(p)}),
        ${countOf(resolved, own)} with an interval that excludes zero
        (${listed(resolved.map(({ scenario }) => scenario))}). ${least.scenario} starts from ${slope(least.lambda)},
        so its fall is at most that unless the ablated slope is negative.`,
    };
  },

  /** The Chair switches more often than all others together, each of whom averages below one switch. */
  chairSwitches({ switches }) {
    const chair = rowOf(switches, { role: "Chair" }).mean_switches;
    const others = switches.filter(({ role }) => role !== "Chair").toSorted((a, b) =>
      b.mean_switches - a.mean_switches
    );
    const rest = others.reduce((sum, { mean_switches }) => sum + mean_switches, 0);
    return {
      holds: chair > rest && others[0]!.mean_switches < 1,
      evidence: words`${chair.toFixed(2)} of ${(chair + rest).toFixed(2)} switches a run are the Chair's
        (${share(chair / (chair + rest))}); next is ${others[0]!.role} with ${others[0]!.mean_switches.toFixed(2)}.`,
    };
  },

  /** Security switches less than each role that is not called stable, beyond the standard errors of the printed means. */
  securityStable({ switches }) {
    const own = rowOf(switches, { role: "Security" });
    const others = switches.filter(({ role }) => role !== "Security" && role !== "Rights");
    const next = others.reduce((a, b) => b.mean_switches < a.mean_switches ? b : a);
    const z = (next.mean_switches - own.mean_switches) / Math.sqrt(own.sd! ** 2 / own.n + next.sd! ** 2 / next.n);
    return {
      holds: Math.abs(z) < STANDARD_ERRORS ? undefined : z > 0,
      evidence:
        words`In Table S7 Security switches ${own.mean_switches} times a run and ${next.role}, not called stable,
        ${next.mean_switches}: ${Math.abs(z).toFixed(1)} standard errors apart. The figure draws six runs at T = 0.`,
    };
  },

  /** Roles that switch more often are those whose mandate steepens the slope more. */
  chairSource({ switches, conditions }) {
    const falls = fallsOf(conditions).map(({ role, fall }) => ({
      ...{ role, fall, moves: switches.find((row) => row.role === role)!.mean_switches },
    }));
    const order = (rows: typeof falls) => kendallTau(rows.map(({ fall }) => fall), rows.map(({ moves }) => moves));
    const [all, others] = [order(falls), order(falls.filter(({ role }) => role !== "Chair"))];
    const most = falls.toSorted((a, b) => b.moves - a.moves);
    const leads = falls[0]!.role === "Chair" && most[0]!.role === "Chair";
    return {
      holds: all === 1 ? true : leads ? undefined : false,
      evidence: words`By fall in slope: ${listed(falls.map(({ role }) => role))}; by switches:
        ${listed(most.map(({ role }) => role))}. Kendall's τ is ${all?.toFixed(2) ?? "not defined"} over five roles,
        ${others?.toFixed(2) ?? "not defined"} without the Chair; that one role leads both lists is one coincidence in
        five.`,
    };
  },

  /** Without the Chair's mandate slope and flips fall, and a majority still takes more than one round. */
  chairDeliberates({ conditions }) {
    const [full, bare] = [fullOf(conditions), rowOf(conditions, { experiment: "ablation", ablated: "Chair" })];
    const [before, after] = [full, bare].map(({ flip_rate, n }) => ({ part: Math.round(flip_rate * n), whole: n }));
    return {
      holds: bare.lambda < full.lambda && bare.flip_rate < full.flip_rate && bare.ttm > 1,
      evidence: words`Without the Chair's mandate the slope is ${slope(bare.lambda)} instead of ${slope(full.lambda)}
        (${signedText(bare.lambda - full.lambda)}), ${after!.part} of ${after!.whole} runs leave the modal decision
        instead of ${before!.part} of ${before!.whole} (Fisher ${pText(fisherExact(before!, after!))}), and the
        median time to majority is ${bare.ttm} rounds instead of ${full.ttm}.`,
    };
  },

  /** Whether a shorter window lowers the slope wherever it was tried, beyond what chance would do. */
  shorterMemoryLowers({ effects, landscape }) {
    const own = effects.filter(({ change }) => change === "k3" || change === "k1");
    const positive = own.filter(({ sign }) => sign === "positive");
    const scenarios = [...new Set(own.map(({ scenario }) => scenario))];
    const lowered = scenarios.filter((id) => own.every((row) => row.scenario !== id || row.sign === "positive"));
    const p = signTest({ above: lowered.length, below: scenarios.length - lowered.length });
    const slopes = scenarios.map((scenario) => rowOf(landscape, { scenario, roles: true, temperature: 0 }));
    const least = slopes.reduce((a, b) => b.lambda < a.lambda ? b : a);
    return {
      holds: positive.length < own.length ? false : p < LEVEL ? true : undefined,
      evidence: words`${countOf(positive, own)} comparisons are said to show a fall, in ${countOf(lowered, scenarios)}
        scenarios (${listed(scenarios)}; sign test ${pText(p)}); no value and no interval is printed.
        ${least.scenario} starts from ${slope(least.lambda)}.`,
    };
  },
};

const fullOf = (conditions: readonly ConditionRow[]): ConditionRow =>
  rowOf(conditions, { experiment: "ablation", ablated: "none" });

/** How far the slope falls without each role's mandate, the largest fall first. */
function fallsOf(conditions: readonly ConditionRow[]): { readonly role: string; readonly fall: number }[] {
  const full = fullOf(conditions).lambda;
  return conditions.filter(({ experiment, ablated }) => experiment === "ablation" && ablated !== "none")
    .map(({ ablated, lambda }) => ({ role: ablated, fall: full - lambda }))
    .toSorted((a, b) => b.fall - a.fall);
}
