import { branchingEntropy } from "../../../stats/branching_entropy.ts";
import type { DeliberationTables } from "../../deliberation_tables.ts";
import type { Finding } from "../../evaluate_claims.ts";
import { factValue } from "../../fact_value.ts";

type Facts = Pick<DeliberationTables, "facts">;

/** Two-sided 95 % point of Student's t with four degrees of freedom. */
const FOUR_DEGREES = 2.776;

/** The mean of the five certificates is further from zero than chance allows, and each is positive. */
export function gammaPositive({ facts }: Facts): Finding {
  const { gamma, error, positive, replicates } = printed(facts);
  return {
    holds: positive === replicates && gamma > FOUR_DEGREES * error,
    evidence: `${positive} of ${replicates} are positive; their mean ${gamma} is ${
      (gamma / error).toFixed(2)
    } standard errors (${error}) from zero.`,
  };
}

/** Two continuations that part in the first round and never move again. */
const PART_AND_STAY = [[[0.5, 0.5], [0.6, 0.4], [0.6, 0.4]], [[0.5, 0.5], [0.4, 0.6], [0.4, 0.6]]];

/** All continuations start from one state, so the certificate cannot fall below zero and refutes nothing. */
export function gammaCertifies({ facts }: Facts): Finding {
  const { positive, replicates } = printed(facts);
  const { gamma, initial } = branchingEntropy(PART_AND_STAY);
  return {
    holds: positive < replicates ? false : undefined,
    evidence: `${positive} of ${replicates} are positive. All continuations start from one state, so the initial ` +
      `distance is ${initial} and the certificate a mean of distances, which is never below zero: two continuations ` +
      `that part at once and then stay where they are have ${gamma.toFixed(2)}.`,
  };
}

const printed = (facts: DeliberationTables["facts"]) => ({
  gamma: factValue(facts, "branching-gamma"),
  error: factValue(facts, "branching-gamma-se"),
  positive: factValue(facts, "branching-positive"),
  replicates: factValue(facts, "branching-replicates"),
});
