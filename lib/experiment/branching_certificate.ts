import { mean, sampleStandardDeviation } from "simple-statistics";
import { type BranchingEntropy, branchingEntropy } from "../stats/branching_entropy.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import type { BranchRuns } from "./run_branches.ts";

/** Γ̂ of one base state. */
export interface BaseCertificate extends BranchingEntropy {
  readonly base: number;
  /** Continuations that were completed. */
  readonly n: number;
}

export interface BranchingCertificate {
  readonly bases: readonly BaseCertificate[];
  /** Over base states; without its standard error where there is only one, absent where there is none. */
  readonly gamma: { readonly mean?: number; readonly se?: number };
}

/**
 * The branching certificate of a condition: Γ̂ of every base state against the others, their mean and its standard error
 * over base states.
 *
 * @param branches continuations of every base state.
 * @param round the last round that continuations share, 1-based: the state after it is x_t.
 * @throws {RangeError} when a base state has fewer than two complete continuations.
 */
export function branchingCertificate(branches: readonly BranchRuns[], round: number): BranchingCertificate {
  const tails = branches.map(({ runs }): Trajectory[] => runs.map(({ means }) => means.slice(round - 1)));
  const bases = branches.map(({ base }, i) => ({
    base,
    n: tails[i]!.length,
    ...branchingEntropy(tails[i]!, { others: tails.filter((_, other) => other !== i) }),
  }));
  const gammas = bases.map(({ gamma }) => gamma);
  return {
    bases,
    gamma: {
      ...(gammas.length > 0 && { mean: mean(gammas) }),
      ...(gammas.length > 1 && { se: sampleStandardDeviation(gammas) / Math.sqrt(gammas.length) }),
    },
  };
}
