import { mean } from "simple-statistics";
import { PUBLISHED_THRESHOLDS } from "../../../quality/classify.ts";
import { factValue } from "../../published_facts.ts";
import type { StationTables } from "../../station_tables.ts";
import type { Finding } from "../evaluate_claims.ts";
import { byQ, countOf, listed, nameOf, qOf, survivors, threeDecimals } from "./words.ts";

/** After the repair every run of every model stabilised. */
export function repairSaturated({ phases }: Pick<StationTables, "phases">): Finding {
  const phase = phases.find(({ phase }) => phase.startsWith("Schema-interface repair"));
  const known = phase?.stabilized !== undefined && phase.runs !== undefined;
  return {
    holds: known ? phase.stabilized === phase.runs : undefined,
    evidence:
      `Stabilised after the repair: ${phase?.stabilized ?? "unknown"} of ${phase?.runs ?? "unknown"} runs, of ` +
      `GLM's ${phase?.glm_stabilized ?? "unknown"} of ${phase?.glm_runs ?? "unknown"}.`,
  };
}

/** Whether the strict sweep's counts order the five families without a tie; most counts are not published. */
export function strictSweepRanks({ facts }: Pick<StationTables, "facts">): Finding {
  const [mimo, glm] = [factValue(facts, "strict-mimo"), factValue(facts, "strict-glm")];
  const left = factValue(facts, "strict-stabilized") - mimo - glm;
  const possible = threeCounts(left);
  const ranked = possible.filter((counts) => new Set([...counts, mimo, glm]).size === 5);
  return {
    holds: ranked.length === 0 ? false : ranked.length === possible.length ? true : undefined,
    evidence: `MIMO ${mimo}, GLM ${glm}, the three others ${left} of 18 together: ${possible.length} ways to share ` +
      `them, ${ranked.length} without a tie.`,
  };
}

/** Three counts of up to six runs with the given sum, the largest first. */
function threeCounts(sum: number): number[][] {
  const counts = [0, 1, 2, 3, 4, 5, 6];
  return counts.flatMap((a) => counts.filter((b) => b <= a).map((b) => [a, b, sum - a - b]))
    .filter(([, b, c]) => c! >= 0 && c! <= b!);
}

/** 29 of 30 runs stabilised, and each of them is adequate or better. */
export function adequateOrBetter({ runs }: Pick<StationTables, "runs">): Finding {
  const live = survivors({ runs });
  const clear = live.filter(({ q }) => q >= PUBLISHED_THRESHOLDS.adequate);
  const last = byQ(live).at(-1);
  return {
    holds: clear.length === 29 && live.length === 29 && runs.length === 30,
    evidence: `${countOf(live, runs)} runs stabilised, ${clear.length} of them with q of at least ${
      threeDecimals(PUBLISHED_THRESHOLDS.adequate)
    }; the lowest is ${last === undefined ? "none" : `${nameOf(last)} with ${threeDecimals(last.q)}`}.`,
  };
}

/** The batches add up to the runs that are said to be logged. */
export function loggedRunsAddUp({ batches, facts }: Pick<StationTables, "batches" | "facts">): Finding {
  const [sum, stated] = [batches.reduce((sum, { runs }) => sum + runs, 0), factValue(facts, "logged-runs")];
  return {
    holds: sum === stated && batches.length === 5,
    evidence: `${batches.map(({ runs }) => runs).join(" + ")} = ${sum} in ${batches.length} batches, stated ${stated}.`,
  };
}

/** Each family ran in one batch alone, so families and batches cannot be told apart. */
export function batchesConfounded({ runs }: Pick<StationTables, "runs">): Finding {
  const families = [...Map.groupBy(runs, ({ model }) => model).values()];
  const single = families.filter((own) => new Set(own.map(({ batch }) => batch)).size === 1);
  const means = [...Map.groupBy(runs, ({ batch }) => batch)].map(([batch, own]) =>
    `${batch} ${threeDecimals(mean(qOf(own)))}`
  );
  return {
    holds: single.length === families.length && means.length > 1,
    evidence: `${countOf(single, families)} families ran in one batch only; mean q by batch: ${listed(means)}.`,
  };
}
