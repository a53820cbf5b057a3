import { createRng } from "../core/rng.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { type BranchingEntropy, branchingEntropy } from "../stats/branching_entropy.ts";
import { type CommitteeSpec, simulateCommittee } from "./simulate_committee.ts";
import { committeeMean } from "./simulated_lambda.ts";

/**
 * The branching certificate of simulated committees, one entry a base state.
 *
 * Continuations of a base state share the random stream up to its round and have their own from there on.
 *
 * @param options `bases` 5, `continuations` 30 as in the paper (S3.2); `round` 10, which the paper does not give: the
 * last round that continuations share, 1-based.
 */
export function simulatedBranching(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  seed: number,
  { bases = 5, continuations = 30, round = 10 }: { bases?: number; continuations?: number; round?: number } = {},
): BranchingEntropy[] {
  const rng = createRng(seed);
  const continued = (base: number, branch: number): number[][] => {
    const [shared, own] = [rng.fork(base), rng.fork(base).fork(branch)];
    const run = simulateCommittee(spec, parameters, (at) => (at <= round ? shared : own));
    return run.slice(round - 1).map(committeeMean);
  };
  const tails = Array.from(
    { length: bases },
    (_, base) => Array.from({ length: continuations }, (_, branch) => continued(base, branch)),
  );
  return tails.map((tail, base) => branchingEntropy(tail, { others: tails.filter((_, other) => other !== base) }));
}
