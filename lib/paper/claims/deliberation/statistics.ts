import { fixedText, share, slope } from "../../../core/numbers.ts";
import { branchingEntropy } from "../../../stats/branching_entropy.ts";
import { fisherExact } from "../../../stats/fisher_exact.ts";
import { referenceSlopes } from "../../../stats/reference_slopes.ts";
import type { DeliberationTables } from "../../published_deliberation.ts";
import { rowOf } from "../../published_cell.ts";
import { factBound, factValue } from "../../published_facts.ts";
import type { Checks } from "../evaluate_claims.ts";
import type { DeliberationEvidence } from "./evidence.ts";
import { countOf, HALF_DIGIT, LEVEL, listed, pText, words } from "../words.ts";

/** Two-sided 95 % point of Student's t with four degrees of freedom. */
const FOUR_DEGREES = 2.776;

/** The paper's null test among what the study of the estimators counts. */
const SHUFFLED = "rounds shuffled";

/** Two continuations that part in the first round and never move again. */
const PART_AND_STAY = [[[0.5, 0.5], [0.6, 0.4], [0.6, 0.4]], [[0.5, 0.5], [0.4, 0.6], [0.4, 0.6]]];

/** What is said of the estimators, the certificate and the wordings. */
export const STATISTICS: Checks<DeliberationEvidence> = {
  /**
   * Every printed positive slope is steeper than growth without any sensitivity would give. As an inference the
   * statement is refuted by a law that is not exponential, has a positive slope, and fits a printed one.
   */
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
    const allAbove = (reference: number) => above(reference).every(({ rows, over }) => over.length === rows.length);
    return {
      holds: allAbove(ballistic) ? true : allAbove(randomWalk) ? undefined : false,
      evidence: words`Over rounds ${from}-${to} a random walk (D ∝ √t) has slope ${slope(randomWalk)} and a straight
        drift (D ∝ t) ${slope(ballistic)}: positive, without exponential growth. Positive slopes above the walk's:
        ${told(randomWalk)}; above the drift's: ${told(ballistic)}.`,
    };
  },

  /** Whether shuffling rounds within runs rejects no more often than it should where the slope is zero. */
  permutationRejects({ facts, study }) {
    const least = 1 / (factValue(facts, "permutations") + 1);
    const high = factBound(facts, "permutation-p", "high");
    const level = study.filter(({ truth, counts }) => truth === 0 && SHUFFLED in counts);
    const sized = level.map((row) => ({ ...row, size: row.counts[SHUFFLED]! / row.ensembles }));
    const often = sized.filter(({ size, ensembles }) => size > LEVEL + 3 * Math.sqrt(LEVEL * (1 - LEVEL) / ensembles));
    const most = Math.max(0, ...often.map(({ size }) => size));
    const told = sized.map(({ regime, replicates, size }) => `${share(size)} (${regime}, ${replicates[0]} runs)`);
    return {
      holds: least >= high || often.length > 0 ? false : undefined,
      evidence: words`The least p that ${factValue(facts, "permutations")} permutations can give is
        ${fixedText(least)}; stated is p < ${high}. In our own simulations with a slope of zero a test at
        ${share(LEVEL)} rejects ${listed(told)}: too often in ${countOf(often, sized)} regimes, up to
        ${share(most)}. Shuffling asks whether rounds are exchangeable, not whether the slope is above zero.`,
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

  /** All continuations start from one state, so the certificate cannot fall below zero: it is nearly vacuous. */
  gammaCertifies({ facts }) {
    const { positive, replicates } = printed(facts);
    const { initial } = branchingEntropy(PART_AND_STAY);
    return {
      holds: positive < replicates ? false : undefined,
      evidence: words`${positive} of ${replicates} are positive, which is nearly vacuous: all continuations start from
        one state, so their initial distance is ${initial} and the certificate a mean of distances. It is never below
        zero, and zero only where no continuation ever differs from another.`,
    };
  },

  /** As an inference: two continuations that part once and then never move have a positive certificate too. */
  gammaGoesOn({ facts }) {
    const { positive, replicates } = printed(facts);
    const { gamma } = branchingEntropy(PART_AND_STAY);
    return {
      holds: gamma > 0 && positive > 0 ? false : undefined,
      evidence: words`Two continuations that part in the first round and then stay where they are have
        ${gamma.toFixed(2)}, without diverging any further; ${positive} of ${replicates} printed certificates are
        positive, ${factValue(facts, "branching-gamma")} on average, and no distance by round is printed.`,
    };
  },

  /** As an inference: continuations that never move from where they start are more alike within a base state too. */
  cosineIsStructure({ facts }) {
    const standing = (state: readonly number[]) => [[state, state], [state, state]];
    const { cosIn, cosOut } = branchingEntropy(standing([0.6, 0.4]), { others: standing([0.4, 0.6]) });
    const [alike, replicates] = [factValue(facts, "branching-cosine"), factValue(facts, "branching-replicates")];
    return {
      holds: alike === replicates && cosIn! > cosOut! ? false : undefined,
      evidence:
        words`Stated of ${alike} of ${replicates} replicates, no value printed. Continuations that stay where they
        start, of two different states, have ${cosIn!.toFixed(2)} within and ${
          cosOut!.toFixed(2)
        } across: the order follows
        from different starts.`,
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
      holds: p < LEVEL ? more : undefined,
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
