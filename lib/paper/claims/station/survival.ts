import { mean, median } from "simple-statistics";
import { PUBLISHED_THRESHOLDS } from "../../../quality/classify.ts";
import { rescoreBounds } from "../../../quality/rescore_bounds.ts";
import { fisherExact } from "../../../stats/fisher_exact.ts";
import { factValue } from "../../published_facts.ts";
import type { LiveRun, StationTables } from "../../published_station.ts";
import type { Checks, Finding } from "../evaluate_claims.ts";
import {
  byQ,
  countOf,
  listed,
  nameOf,
  onlyFailure,
  pText,
  qOf,
  rumours,
  survivors,
  threeDecimals,
  words,
} from "../words.ts";

/** The formula's clamp: information integrity counts from 0.40, and in full from 0.45 above. */
const INFO = { from: 0.40, span: 0.45 };

/** From here on, schema independence says that the run's plans were read nearly as they were written. */
const MOSTLY_AS_WRITTEN = 0.5;

/** What is said of survival, of the one failure and of the batches. */
export const SURVIVAL: Checks<StationTables> = {
  /** Public order and information integrity stood above the gate, and no plan passed: the failure was the plan's. */
  stateDidNotCollapse({ runs, facts }) {
    const run = onlyFailure(runs);
    if (run === undefined) return noSingleFailure(runs);
    const least = rescoreBounds(withTrust(run, facts), { info_integrity: 1 }).low;
    const gate = { order: factValue(facts, "gate-public-order"), info: factValue(facts, "gate-info-integrity") };
    const info = INFO.from + INFO.span * least;
    const apart = run.passed_count === 0 && run.public_order >= gate.order;
    return {
      // Whatever lies below its first level counts as 0: from a component of 0 nothing follows about the level.
      holds: !apart ? false : least > 0 && info >= gate.info ? true : undefined,
      evidence: words`${nameOf(run)}: ${run.passed_count} plans passed; public order ${threeDecimals(run.public_order)}
        (gate ${threeDecimals(gate.order)}), information integrity
        ${least > 0 ? `at least ${threeDecimals(info)} for its q to be possible` : "not bounded by its q"} (gate
        ${threeDecimals(gate.info)}).`,
    };
  },

  /** The failed run looks no worse in public order and rumours than the middle of those that stabilised. */
  decentWhileFailing({ runs }) {
    const run = onlyFailure(runs);
    if (run === undefined) return noSingleFailure(runs);
    const live = survivors(runs);
    const [order, rumors] = [median(live.map((one) => one.public_order)), median(live.map((one) => one.active_rumors))];
    const below = live.filter(({ public_order }) => public_order < run.public_order);
    return {
      holds: run.public_order >= order && run.active_rumors <= rumors,
      evidence: words`${nameOf(run)} ended with public order ${threeDecimals(run.public_order)}, above
        ${countOf(below, live)} survivors (median ${threeDecimals(order)}), and ${rumours(run.active_rumors)} (median
        ${rumors}).`,
    };
  },

  /** What q leaves of schema independence in the failed run. */
  failureNotSchema({ runs, facts }) {
    const run = onlyFailure(runs);
    if (run === undefined) return noSingleFailure(runs);
    const { low, high } = rescoreBounds(withTrust(run, facts), { schema_independence: 1 });
    return {
      holds: low >= MOSTLY_AS_WRITTEN ? true : high < MOSTLY_AS_WRITTEN ? false : undefined,
      evidence: words`What is printed of ${nameOf(run)} leaves its schema independence anywhere from
        ${threeDecimals(low)} to ${threeDecimals(high)}.`,
    };
  },

  /** After the repair every run of every model stabilised. */
  repairSaturated({ phases }) {
    const phase = phases.find(({ phase }) => phase.startsWith("Schema-interface repair"));
    const known = phase?.stabilized !== undefined && phase.runs !== undefined;
    return {
      holds: known ? phase.stabilized === phase.runs : undefined,
      evidence: words`Stabilised after the repair: ${phase?.stabilized ?? "unknown"} of ${phase?.runs ?? "unknown"}
        runs, of GLM's ${phase?.glm_stabilized ?? "unknown"} of ${phase?.glm_runs ?? "unknown"}.`,
    };
  },

  /** Whether every clean-live run of the second ruleset stabilised too, as all of the repair rollout did. */
  saturatedUnderV2({ runs, phases }) {
    const live = survivors(runs);
    const failed = runs.filter((run) => !run.stabilized).map(nameOf);
    const rollout = phases.find(({ phase }) => phase.startsWith("Schema-interface repair"));
    const [part, whole] = [rollout?.stabilized, rollout?.runs];
    const p = part === undefined || whole === undefined
      ? undefined
      : fisherExact({ part, whole }, { part: live.length, whole: runs.length });
    return {
      holds: failed.length === 0,
      evidence: words`${countOf(live, runs)} clean-live runs stabilised, not ${listed(failed)}; in the repair rollout
        ${part ?? "unknown"} of ${whole ?? "unknown"}${p === undefined ? "" : ` (Fisher ${pText(p)})`}.`,
    };
  },

  /** Whether the strict sweep's counts order the five families without a tie; most counts are not published. */
  strictSweepRanks({ facts }) {
    const [mimo, glm] = [factValue(facts, "strict-mimo"), factValue(facts, "strict-glm")];
    const left = factValue(facts, "strict-stabilized") - mimo - glm;
    const possible = threeCounts(left);
    const ranked = possible.filter((counts) => new Set([...counts, mimo, glm]).size === 5);
    return {
      holds: ranked.length === 0 ? false : ranked.length === possible.length ? true : undefined,
      evidence: words`MIMO ${mimo}, GLM ${glm}, the three others ${left} of 18 together: ${possible.length} ways to
        share them, ${ranked.length} without a tie.`,
    };
  },

  /** 29 of 30 runs stabilised, and each of them is adequate or better. */
  adequateOrBetter({ runs }) {
    const live = survivors(runs);
    const clear = live.filter(({ q }) => q >= PUBLISHED_THRESHOLDS.adequate);
    const last = byQ(live).at(-1);
    return {
      holds: clear.length === 29 && live.length === 29 && runs.length === 30,
      evidence: words`${countOf(live, runs)} runs stabilised, ${clear.length} of them with q of at least
        ${threeDecimals(PUBLISHED_THRESHOLDS.adequate)}; the lowest is
        ${last === undefined ? "none" : `${nameOf(last)} with ${threeDecimals(last.q)}`}.`,
    };
  },

  /** The batches add up to the runs that are said to be logged. */
  loggedRunsAddUp({ batches, facts }) {
    const [sum, stated] = [batches.reduce((sum, { runs }) => sum + runs, 0), factValue(facts, "logged-runs")];
    return {
      holds: sum === stated && batches.length === 5,
      evidence: words`${batches.map(({ runs }) => runs).join(" + ")} = ${sum} in ${batches.length} batches, stated
        ${stated}.`,
    };
  },

  /** Each family ran in one batch alone, so families and batches cannot be told apart. */
  batchesConfounded({ runs }) {
    const families = [...Map.groupBy(runs, ({ model }) => model).values()];
    const single = families.filter((own) => new Set(own.map(({ batch }) => batch)).size === 1);
    const means = [...Map.groupBy(runs, ({ batch }) => batch)].map(([batch, own]) =>
      `${batch} ${threeDecimals(mean(qOf(own)))}`
    );
    return {
      holds: single.length === families.length && means.length > 1,
      evidence: `${countOf(single, families)} families ran in one batch only; mean q by batch: ${listed(means)}.`,
    };
  },
};

/** The failed run with what section 2 says of it besides. */
const withTrust = (run: LiveRun, facts: StationTables["facts"]) => ({
  ...run,
  trust: factValue(facts, "gemini-104-trust"),
});

const noSingleFailure = (runs: readonly LiveRun[]): Finding => ({
  holds: false,
  evidence: `${runs.filter((run) => !run.stabilized).length} of ${runs.length} clean-live runs failed, not one.`,
});

/** Three counts of up to six runs with the given sum, the largest first. */
function threeCounts(sum: number): number[][] {
  const counts = [0, 1, 2, 3, 4, 5, 6];
  return counts.flatMap((a) => counts.filter((b) => b <= a).map((b) => [a, b, sum - a - b]))
    .filter(([, b, c]) => c! >= 0 && c! <= b!);
}
