import { fixedText, slope } from "../../../core/numbers.ts";
import { branchingEntropy } from "../../../stats/branching_entropy.ts";
import { fisherExact } from "../../../stats/fisher_exact.ts";
import { referenceSlopes } from "../../../stats/reference_slopes.ts";
import type { DeliberationTables } from "../../published_deliberation.ts";
import { rowOf } from "../../published_cell.ts";
import { factBound, factValue } from "../../published_facts.ts";
import type { Checks } from "../evaluate_claims.ts";
import { countOf, HALF_DIGIT, LEVEL, listed, pText, words } from "../words.ts";

/** Two-sided 95 % point of Student's t with four degrees of freedom. */
const FOUR_DEGREES = 2.776;

/** Two continuations that part in the first round and never move again. */
const PART_AND_STAY = [[[0.5, 0.5], [0.6, 0.4], [0.6, 0.4]], [[0.5, 0.5], [0.4, 0.6], [0.4, 0.6]]];

/** What is said of the estimators, the certificate and the wordings. */
export const STATISTICS: Checks<DeliberationTables> = {
  /** Every printed positive slope is steeper than growth without any sensitivity would give. */
  positiveIsExponential({ routes, landscape, conditions, models, facts }) {
    const [from, to] = [factBound(facts, "fit-rounds", "low"), factBound(facts, "fit-rounds", "high")];
    const { randomWalk, ballistic } = referenceSlopes({ from, to });
    const tables = { "HL-01's 2×2": routes, "Table S5": conditions, "Table S6": models, "Table S8": landscape };
    const positive = Object.entries(tables).map(([name, rows]) => ({
      name,
      rows: rows.map(({ lambda }) => lambda).filter((lambda) => lambda > HALF_DIGIT),
    }));
    const above = (reference: number) =>
      positive.map(({ name, rows }) => ({ name, rows, over: rows.filter((one) => one - HALF_DIGIT > reference) }));
    const told = (reference: number) =>
      listed(above(reference).map(({ name, rows, over }) => `${countOf(over, rows)} in ${name}`));
    return {
      holds: above(ballistic).every(({ rows, over }) => over.length === rows.length) ? true : undefined,
      evidence: words`Over rounds ${from}-${to} a random walk (D ∝ √t) has slope ${slope(randomWalk)} and a straight
        drift (D ∝ t) ${slope(ballistic)}, without exponential growth. Positive slopes above the walk's:
        ${told(randomWalk)}; above the drift's: ${told(ballistic)}.`,
    };
  },

  /** Whether the p stated can come from that many permutations; what the test rejects is another matter. */
  permutationRejects({ facts }) {
    const permutations = factValue(facts, "permutations");
    const high = factBound(facts, "permutation-p", "high");
    const least = 1 / (permutations + 1);
    return {
      holds: least < high ? undefined : false,
      evidence: words`The least p that ${permutations} permutations can give is ${
        fixedText(least)
      }; stated is p < ${high}.
        Shuffling rounds within a run asks whether rounds are exchangeable, which every trend and every dependence
        between rounds refutes, growth or not.`,
    };
  },

  /** The mean of the five certificates is further from zero than chance allows, and each is positive. */
  gammaPositive({ facts }) {
    const { gamma, error, positive, replicates } = printed(facts);
    return {
      holds: positive === replicates && gamma > FOUR_DEGREES * error,
      evidence: words`${positive} of ${replicates} are positive; their mean ${gamma} is ${(gamma / error).toFixed(2)}
        standard errors (${error}) from zero.`,
    };
  },

  /** All continuations start from one state, so the certificate cannot fall below zero and refutes nothing. */
  gammaCertifies({ facts }) {
    const { positive, replicates } = printed(facts);
    const { gamma, initial } = branchingEntropy(PART_AND_STAY);
    return {
      holds: positive < replicates ? false : undefined,
      evidence: words`${positive} of ${replicates} are positive. All continuations start from one state, so the initial
        distance is ${initial} and the certificate a mean of distances, which is never below zero: two continuations
        that part at once and then stay where they are have ${gamma.toFixed(2)}.`,
    };
  },

  /** Runs of several phrasings leave the commonest decision more often than runs of one phrasing do. */
  wordingAffectsDecisions({ phrasings, conditions }) {
    const counts = [...Map.groupBy(phrasings, ({ decision }) => decision).values()].map((own) => own.length);
    const across = { part: phrasings.length - Math.max(...counts), whole: phrasings.length };
    const { flip_rate, n } = rowOf(conditions, { experiment: "ablation", ablated: "none" });
    const within = { part: Math.round(flip_rate * n), whole: n };
    const more = across.part / across.whole > within.part / within.whole;
    const p = fisherExact(across, within);
    return {
      holds: !more ? false : p < LEVEL ? true : undefined,
      evidence: words`Across phrasings ${across.part} of ${across.whole} runs leave the commonest decision, with one
        and the same phrasing ${within.part} of ${within.whole} (Fisher ${pText(p)}).`,
    };
  },

  /** Whether the slope across phrasings can be compared with that across replicates as sizes of perturbations. */
  wordingSmaller({ conditions }) {
    const across = rowOf(conditions, { experiment: "semantic" });
    const within = rowOf(conditions, { experiment: "ablation", ablated: "none" });
    return {
      holds: across.lambda < within.lambda ? undefined : false,
      evidence: words`${slope(across.lambda)} over ${across.n} phrasings of one run each, ${slope(within.lambda)} over
        ${within.n} runs of one phrasing. The ${across.n} runs carry the server's noise as well as the wording's, and
        a slope is a rate: the distance that either starts with is not printed.`,
    };
  },
};

const printed = (facts: DeliberationTables["facts"]) => ({
  gamma: factValue(facts, "branching-gamma"),
  error: factValue(facts, "branching-gamma-se"),
  positive: factValue(facts, "branching-positive"),
  replicates: factValue(facts, "branching-replicates"),
});
