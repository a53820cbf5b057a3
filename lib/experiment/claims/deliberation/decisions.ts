import { sampleCorrelation } from "simple-statistics";
import type { ConditionRow, DeliberationTables } from "../../deliberation_tables.ts";
import type { Finding } from "../../evaluate_claims.ts";
import { factBound } from "../../fact_bound.ts";
import { factValue } from "../../fact_value.ts";
import { four, HALF_DIGIT, listed, of } from "../words.ts";
import { sweep } from "./pairs.ts";

type Conditions = Pick<DeliberationTables, "conditions">;

/** Whether every run without roles finds a majority in round one; medians alone are printed. */
export function consensusRoundOne({ conditions }: Conditions): Finding {
  const rows = sweep(conditions, false);
  const first = rows.filter(({ ttm }) => ttm === 1);
  const flipped = rows.filter(({ flip_rate }) => flip_rate > 0);
  const told = flipped.map((row) => `${offMode(row)} of ${row.n} runs at ${row.condition}`);
  return {
    holds: first.length === rows.length ? undefined : false,
    evidence:
      `The median is round 1 at ${of(first, rows)} temperatures; medians do not tell of every run. Another than ` +
      `the commonest decision was reached by ${listed(told)}.`,
  };
}

const offMode = ({ flip_rate, n }: ConditionRow): number => Math.round(flip_rate * n);

/** Whether a tenth to a fifth of the runs with roles never find a majority; medians alone are printed. */
export function neverMajority({ conditions, facts }: Pick<DeliberationTables, "conditions" | "facts">): Finding {
  const id = "never-majority-roles";
  const [low, high] = [factBound(facts, id, "low"), factBound(facts, id, "high")];
  const rounds = factValue(facts, "rounds");
  const rows = sweep(conditions, true);
  const within = rows.filter(({ ttm }) => ttm <= rounds);
  const medians = [...new Set(rows.map(({ ttm }) => ttm))];
  const runs = rows[0]!.n;
  return {
    holds: high < 0.5 && within.length < rows.length ? false : undefined,
    evidence: `${low} to ${high} of ${runs} runs is ${low * runs} to ${high * runs}. The median is round ${
      listed(medians.map(String))
    } at all ${rows.length} temperatures, which leaves room for that and for none.`,
  };
}

/** Wherever the slope is positive, some runs end in another decision. */
export function slopeMeansDecisions({ conditions }: Conditions): Finding {
  // The sweep at T = 0 and "No ablation" are one condition, printed twice.
  const rows = conditions.filter((row) => row.lambda > HALF_DIGIT && !isRepeated(row));
  const unanimous = rows.filter(({ flip_rate }) => flip_rate === 0).toSorted((a, b) => b.lambda - a.lambda);
  const swept = sweep(conditions, true);
  const r = sampleCorrelation(swept.map(({ lambda }) => lambda), swept.map(({ flip_rate }) => flip_rate));
  return {
    holds: unanimous.length === 0,
    evidence: `In ${of(unanimous, rows)} conditions with a positive slope all runs end alike${
      unanimous.length === 0 ? "" : `, with slopes up to ${four(unanimous[0]!.lambda)}`
    }; over the ${swept.length} temperatures with roles slope and flip rate correlate with r = ${r.toFixed(2)}.`,
  };
}

const isRepeated = ({ experiment, ablated }: ConditionRow): boolean => experiment === "ablation" && ablated === "none";
