import { checkOptions } from "../core/options.ts";
import type { Rng } from "../core/rng.ts";
import { distance } from "./distance.ts";
import { kernelFor } from "./kernel/kernel.ts";
import { logSlopes } from "./least_squares.ts";
import type { RoundWindow } from "./round_window.ts";
import { type SlopeNull, slopeNull, type SlopeNullOptions } from "./slope_null.ts";
import type { Trajectory } from "./trajectory.ts";

/**
 * Do replicates part faster than by diffusing? H0: each run continues from its place after round 1 by independent
 * steps of its own, whose sizes do not depend on when they are taken, and which point either way equally often.
 *
 * Steps are increments of the deviation from the ensemble's mean path, so that what all runs do together counts for
 * nothing; subtracting the mean of R runs shortens them, which the factor √(R/(R−1)) undoes. Under H0 the order and the
 * signs of a run's steps mean nothing: each draw shuffles the steps of every run in time, gives each a random sign, and
 * fits the slope again; p = (1 + #{draw ≥ observed}) / (permutations + 1), where slopes within 1e-12·Σ|c_t| are ties.
 * The null has the runs' own step lengths and initial distances, and therefore its own slope: 0.0509 over rounds 3-20
 * where all start together (see `referenceSlopes`), less where they start apart.
 *
 * A small p says that distances grow faster than independent steps of that size can make them. That is not yet
 * exponential growth: drift at constant speed and steps that keep one direction are rejected too; see
 * `growthLaws` for the shape. Runs that are pulled back, as at the walls of the simplex, make the test
 * conservative. Its measured size and power, and those of the alternative, a studentised test of λ against the random
 * walk's slope, are in `notebooks/deliberation/10_estimators.ipynb`. This one was chosen because it keeps its size and
 * finds more of lasting growth, above all where replicates start apart and their slope is therefore small.
 *
 * @param runs R replicates, each [T][K]; steps of rounds 2…T are used, whatever the window. Draws may leave the simplex.
 * @returns `lambda` and `p`; where the replicates all agree in some round of the window, `lambda` over the other
 * rounds and no p (`missing-rounds`); p needs three replicates (`too-few-replicates`), since the deviations of two
 * are mirror images.
 * @throws {RangeError} on ragged runs, values that are not finite and a window outside the data.
 *
 * @example Replicates that differ but never move have no steps to exchange
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const frozen = [0.1, 0.3, 0.8].map((x) => Array.from({ length: 20 }, () => [x, 1 - x]));
 * const { lambda, p } = diffusiveNull(frozen, { rng: createRng(1), permutations: 99 });
 * assert.deepEqual([lambda, p], [0, 1]);
 * ```
 */
export function diffusiveNull(runs: readonly Trajectory[], given: SlopeNullOptions): SlopeNull {
  const { rng, ...options } = checkOptions("diffusiveNull", given, "rng! permutations from to");
  return slopeNull(runs, { ...options, least: 3 }, ({ permutations, window, weights }) => {
    const steps = deviationSteps(runs), chance = rng.fork("diffusive");
    const sums = (kernelFor(steps)?.walkSums ?? plainWalkSums)(steps, { rng: chance, permutations, window });
    return logSlopes(sums, weights);
  });
}

/** Where each run stands after round 1, then its steps, both relative to the mean of all runs. */
function deviationSteps(runs: readonly Trajectory[]): Trajectory[] {
  const R = runs.length, scale = Math.sqrt(R / (R - 1));
  const mean = runs[0]!.map((state, t) => state.map((_, k) => runs.reduce((sum, run) => sum + run[t]![k]!, 0) / R));
  return runs.map((run) => {
    const deviation = run.map((state, t) => state.map((value, k) => value - mean[t]![k]!));
    return deviation.map((state, t) =>
      t === 0 ? state : state.map((value, k) => scale * (value - deviation[t - 1]![k]!))
    );
  });
}

/**
 * Sums of all distances, [permutations][rounds of the window], of runs with the same starts and the same steps, in random
 * order and either way; without the kernel: what that is checked against, and what stands in for it.
 */
export function plainWalkSums(
  steps: readonly Trajectory[],
  { rng, permutations, window: { from, to } }: { rng: Rng; permutations: number; window: RoundWindow },
): Float64Array {
  const width = to - from + 1, sums = new Float64Array(permutations * width);
  for (let n = 0; n < permutations; n++) {
    const walks = steps.map((run) => walk(run, rng));
    for (let w = 0; w < width; w++) {
      const states = walks.map((run) => run[from - 1 + w]!);
      let sum = 0;
      for (let i = 0; i < states.length; i++) {
        for (let j = 0; j < i; j++) sum += distance(states[i]!, states[j]!);
      }
      sums[n * width + w] = sum;
    }
  }
  return sums;
}

function walk([start, ...steps]: Trajectory, rng: Rng): number[][] {
  const left = steps.map((_, t) => t), states = [[...start!]];
  for (let count = steps.length; count > 0; count--) {
    // One number decides which of the steps that are left, and its sign.
    const choice = Math.floor(2 * count * rng.next()), at = choice >> 1, sign = choice & 1 ? 1 : -1;
    const step = steps[left[at]!]!, before = states.at(-1)!;
    left[at] = left[count - 1]!;
    states.push(before.map((value, k) => value + sign * step[k]!));
  }
  return states;
}
