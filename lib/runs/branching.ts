import { mean, sampleStandardDeviation } from "simple-statistics";
import { type BranchingEntropy, branchingEntropy } from "../stats/branching_entropy.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import type { BranchRuns } from "./run_experiment.ts";

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

/** Continuations of one base state that end in one option. */
export interface OutcomeCluster {
  readonly base: number;
  /** Letter of the final decision; undefined: those without one. */
  readonly option: string | undefined;
  readonly n: number;
  /** Mean cosine similarity among them; absent with fewer than two. */
  readonly cosIn?: number;
  /** To the base state's other continuations; absent where there are none. */
  readonly cosOut?: number;
}

/**
 * Continuations of each base state clustered by where they end.
 *
 * Circular as a test: runs that end alike are put together and then found to be alike. It says into how many ends the
 * continuations part, and no more; `branchingCertificate` compares base states, which nothing was sorted by.
 *
 * @param round the last round that continuations share, 1-based.
 */
export function outcomeClusters(branches: readonly BranchRuns[], round: number): OutcomeCluster[] {
  return branches.flatMap(({ base, runs }) => {
    const ends = [...Map.groupBy(runs, ({ decision }) => decision)];
    const tail = (own: typeof runs) => own.map(({ means }) => means.slice(round - 1));
    return ends.sort(([a = "~"], [b = "~"]) => a < b ? -1 : 1).map(([option, own]) => {
      const n = own.length;
      if (n < 2) return { base, option, n };
      const { cosIn, cosOut } = branchingEntropy(tail(own), { others: tail(runs.filter((run) => !own.includes(run))) });
      return { base, option, n, ...(cosIn !== undefined && { cosIn }), ...(cosOut !== undefined && { cosOut }) };
    });
  });
}
