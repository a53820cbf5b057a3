import { branchingEntropy } from "../stats/branching_entropy.ts";
import type { BranchRuns } from "./run_branches.ts";

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
