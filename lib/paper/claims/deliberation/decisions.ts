import { sampleCorrelation } from "simple-statistics";
import { slope } from "../../../core/numbers.ts";
import { signTest } from "../../../stats/sign_tests.ts";
import type { ConditionRow, DeliberationTables } from "../../published_deliberation.ts";
import { rowOf } from "../../published_cell.ts";
import { factBound, factValue } from "../../published_facts.ts";
import type { Checks } from "../evaluate_claims.ts";
import { countOf, HALF_DIGIT, listed, pText, signedText, words } from "../words.ts";
import { pairOf, sweep } from "./pairs.ts";

/** What is said of majorities and decisions, and of models. */
export const DECISIONS: Checks<DeliberationTables> = {
  /** Whether every run without roles finds a majority in round one; medians alone are printed. */
  consensusRoundOne({ conditions }) {
    const rows = sweep(conditions, false);
    const first = rows.filter(({ ttm }) => ttm === 1);
    const flipped = rows.filter(({ flip_rate }) => flip_rate > 0);
    const told = flipped.map((row) => `${offMode(row)} of ${row.n} runs at ${row.condition}`);
    return {
      holds: first.length === rows.length ? undefined : false,
      evidence: words`The median is round 1 at ${countOf(first, rows)} temperatures; medians do not tell of every run.
        Another than the commonest decision was reached by ${listed(told)}.`,
    };
  },

  /** With roles the middle run finds its majority in the rounds stated, at every temperature. */
  consensusDelayed({ conditions, facts }) {
    const id = "majority-rounds-roles";
    const [low, high] = [factBound(facts, id, "low"), factBound(facts, id, "high")];
    const rows = sweep(conditions, true);
    const within = rows.filter(({ ttm }) => ttm >= low && ttm <= high);
    const rounds = [...new Set(rows.map(({ ttm }) => ttm))].toSorted((a, b) => a - b);
    return {
      holds: within.length === rows.length,
      evidence: words`The median is within rounds ${low} to ${high} at ${countOf(within, rows)} temperatures (round ${
        listed(rounds.map(String))
      }); medians say nothing of the single runs.`,
    };
  },

  /** Whether a tenth to a fifth of the runs with roles never find a majority; medians alone are printed. */
  neverMajority({ conditions, facts }) {
    const id = "never-majority-roles";
    const [low, high] = [factBound(facts, id, "low"), factBound(facts, id, "high")];
    const rounds = factValue(facts, "rounds");
    const rows = sweep(conditions, true);
    const within = rows.filter(({ ttm }) => ttm <= rounds);
    const medians = [...new Set(rows.map(({ ttm }) => ttm))];
    const runs = rows[0]!.n;
    return {
      holds: high < 0.5 && within.length < rows.length ? false : undefined,
      evidence: words`${low} to ${high} of ${runs} runs is ${low * runs} to ${high * runs}. The median is round
        ${listed(medians.map(String))} at all ${rows.length} temperatures, which leaves room for that and for none.`,
    };
  },

  /** Wherever the slope is positive, some runs end in another decision. */
  slopeMeansDecisions({ conditions }) {
    // The sweep at T = 0 and "No ablation" are one condition, printed twice.
    const rows = conditions.filter((row) => row.lambda > HALF_DIGIT && !isRepeated(row));
    const unanimous = rows.filter(({ flip_rate }) => flip_rate === 0).toSorted((a, b) => b.lambda - a.lambda);
    const swept = sweep(conditions, true);
    const r = sampleCorrelation(swept.map(({ lambda }) => lambda), swept.map(({ flip_rate }) => flip_rate));
    return {
      holds: unanimous.length === 0,
      evidence: words`In ${countOf(unanimous, rows)} conditions with a positive slope all runs end
        alike${unanimous.length === 0 ? "" : `, with slopes up to ${slope(unanimous[0]!.lambda)}`}; over the
        ${swept.length} temperatures with roles slope and flip rate correlate with r = ${r.toFixed(2)}.`,
    };
  },

  /** Roles steepen IM-01's slope in every model at both temperatures. */
  rolesInEveryModel({ models }) {
    const names = [...new Set(models.map(({ model }) => model))];
    const slope = (model: string, temperature: number, roles: boolean) =>
      rowOf(models, { model, temperature, roles }).lambda;
    const pairsAt = (temperature: number) =>
      names.map((model) => pairOf(model, slope(model, temperature, true), slope(model, temperature, false)));
    const [cold, warm] = [pairsAt(0), pairsAt(0.1)];
    const raised = [...cold, ...warm].filter(({ effect }) => effect > 0);
    const always = names.filter((_, i) => cold[i]!.effect > 0 && warm[i]!.effect > 0);
    const [most, ...others] = cold.toSorted((a, b) => b.effect - a.effect);
    return {
      holds: always.length === names.length,
      evidence: words`Roles raise the slope in ${raised.length} of ${2 * names.length} cells, at both temperatures in
        ${countOf(always, names)} models (sign test
        ${pText(signTest({ above: always.length, below: names.length - always.length }))}). At T = 0 most in
        ${most!.name} (${signedText(most!.effect)}), by ${signedText(others.at(-1)!.effect)} to
        ${signedText(others[0]!.effect)} in the others.`,
    };
  },
};

const offMode = ({ flip_rate, n }: ConditionRow): number => Math.round(flip_rate * n);

const isRepeated = ({ experiment, ablated }: ConditionRow): boolean => experiment === "ablation" && ablated === "none";
