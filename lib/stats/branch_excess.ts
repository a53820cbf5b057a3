import type { Rng } from "../core/rng.ts";
import { distance } from "./distance.ts";
import { divergence } from "./divergence.ts";
import { checkCount, checkList, checkOptions } from "./input_checks.ts";
import { checkRuns, type Trajectory } from "./trajectory.ts";

/** Continuations of one state, and of the same state with one changed reply. */
export interface BranchPair {
  readonly same: readonly Trajectory[];
  readonly changed: readonly Trajectory[];
}

interface BranchExcess {
  /** Mean distance between the two groups less that within them, by round, [T], over all pairs of groups. */
  readonly byRound: number[];
  /** Its mean over the rounds: 0 where the change leaves no trace; sampling makes it positive or negative. */
  readonly excess: number;
  /** P(excess at least as large) when the change does nothing: continuations exchanged within each base state. */
  readonly p: number;
}

/**
 * What one changed reply does where dice cannot be shared: how much farther continuations after the change are from those
 * without it than either kind is from its own.
 *
 * The excess is half the energy distance of the two groups, estimated without bias, so it is 0 on average when the
 * change does nothing. It measures how far the *distribution* of what follows moved; `twinSlope` measures pairs.
 *
 * Source: G. J. Székely and M. L. Rizzo, "Energy statistics", Journal of Statistical Planning and Inference 143 (2013).
 *
 * @param pairs base states; each group of at least two continuations, each [T][K], the rounds after the change.
 * @throws {RangeError} without pairs, on groups of fewer than two, continuations of different lengths, ragged runs and
 * values that are not finite.
 *
 * @example Two groups that lie apart by 1 and are each in one place
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const [here, there] = [[[0]], [[1]]];
 * const { excess } = branchExcess([{ same: [here, here], changed: [there, there] }], { rng: createRng(1) });
 * assert.equal(excess, 1);
 * ```
 */
export function branchExcess(
  pairs: readonly BranchPair[],
  options: { rng: Rng; permutations?: number | undefined },
): BranchExcess {
  const { rng, permutations = 999 } = checkOptions("branchExcess", options, "rng! permutations");
  checkCount("permutations", permutations);
  checkList("pairs", pairs);
  if (pairs.length === 0) throw new RangeError("pairs is empty: at least one base state is needed");
  checkRuns(pairs.flatMap(({ same, changed }) => [...same, ...changed]), "continuations");
  const mean = (series: readonly (readonly number[])[]) =>
    series[0]!.map((_, t) => series.reduce((sum, one) => sum + one[t]!, 0) / series.length);
  const total = (series: readonly number[]) => series.reduce((sum, value) => sum + value, 0) / series.length;
  const byRound = mean(pairs.map(excessOf)), excess = total(byRound), chance = rng.fork("branch excess");
  let asLarge = 0;
  for (let draw = 0; draw < permutations; draw++) {
    const exchanged = pairs.map(({ same, changed }) => {
      const all = chance.shuffle([...same, ...changed]);
      return excessOf({ same: all.slice(0, same.length), changed: all.slice(same.length) });
    });
    if (total(mean(exchanged)) >= excess - 1e-12) asLarge++;
  }
  return { byRound, excess, p: (1 + asLarge) / (permutations + 1) };
}

/** [T]. */
function excessOf({ same, changed }: BranchPair): number[] {
  const within = divergence(same), other = divergence(changed), count = same.length * changed.length;
  return within.map((d, t) => {
    const between = same.reduce((sum, a) => changed.reduce((part, b) => part + distance(a[t]!, b[t]!), sum), 0);
    return between / count - (d + other[t]!) / 2;
  });
}
