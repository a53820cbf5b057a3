import { createRng, type Rng } from "../core/rng.ts";
import { topOption } from "../model/surrogate/respond.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { type ConditionFacts, conditionFacts, type FactsRun } from "./condition_facts.ts";
import { type CommitteeSpec, simulateCommittee } from "./simulate_committee.ts";
import { committeeMean } from "./simulated_lambda.ts";

/** What a simulated ensemble of R runs shows; its λ̂ is `simulatedLambda`'s of the same seed. */
export function simulatedFacts(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  seed: number,
  replicates: number,
): ConditionFacts {
  const rng = createRng(seed);
  return conditionFacts(
    Array.from({ length: replicates }, (_, replicate) => simulatedRun(spec, parameters, rng.fork(replicate))),
  );
}

/** One simulated run: preferences, committee means and the decision that its ballots give. */
export function simulatedRun(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  stream: Rng,
): FactsRun {
  const preferences = simulateCommittee(spec, parameters, () => stream);
  return { preferences, means: preferences.map(committeeMean), decision: ballotDecision(preferences.at(-1)!) };
}

/** What the ballots of agents who vote for their own top option decide: most votes, then confidence, then the letter. */
export function ballotDecision(rows: readonly (readonly number[])[]): string {
  const tops = rows.map(topOption);
  // A vote outweighs the confidence, at most 100 each, of all who vote.
  const vote = 100 * rows.length + 1;
  const weight = rows[0]!.map((_, k) =>
    rows.reduce((sum, row, i) => sum + (tops[i] === k ? vote + Math.round(100 * row[k]!) : 0), 0)
  );
  return OPTION_LETTERS[topOption(weight)]!;
}
