import { fisherExact } from "../../../stats/fisher_exact.ts";
import type { DeliberationTables } from "../../deliberation_tables.ts";
import type { Finding } from "../../evaluate_claims.ts";
import { rowOf } from "../../published_cells.ts";
import { four, LEVEL, pOf } from "../words.ts";

/** Runs of several phrasings leave the commonest decision more often than runs of one phrasing do. */
export function wordingAffectsDecisions(
  { phrasings, conditions }: Pick<DeliberationTables, "phrasings" | "conditions">,
): Finding {
  const counts = [...Map.groupBy(phrasings, ({ decision }) => decision).values()].map((own) => own.length);
  const across = { part: phrasings.length - Math.max(...counts), whole: phrasings.length };
  const { flip_rate, n } = rowOf(conditions, { experiment: "ablation", ablated: "none" });
  const within = { part: Math.round(flip_rate * n), whole: n };
  const more = across.part / across.whole > within.part / within.whole;
  const p = fisherExact(across, within);
  return {
    holds: !more ? false : p < LEVEL ? true : undefined,
    evidence:
      `Across phrasings ${across.part} of ${across.whole} runs leave the commonest decision, with one and the ` +
      `same phrasing ${within.part} of ${within.whole} (Fisher p = ${pOf(p)}).`,
  };
}

/** Whether the slope across phrasings can be compared with that across replicates as sizes of perturbations. */
export function wordingSmaller({ conditions }: Pick<DeliberationTables, "conditions">): Finding {
  const across = rowOf(conditions, { experiment: "semantic" });
  const within = rowOf(conditions, { experiment: "ablation", ablated: "none" });
  return {
    holds: across.lambda < within.lambda ? undefined : false,
    evidence: `${four(across.lambda)} over ${across.n} phrasings of one run each, ${four(within.lambda)} over ` +
      `${within.n} runs of one phrasing. The ${across.n} runs carry the server's noise as well as the wording's, and a ` +
      "slope is a rate: the distance that either starts with is not printed.",
  };
}
