import { checkRuns, type Trajectory } from "./trajectory.ts";
import { weightedForms } from "./weighted_forms.ts";

/**
 * Mean distance between replicates, round by round: D(t) = 2/(R(R−1)) · Σ_{i<j} ‖p̄_t^(i) − p̄_t^(j)‖₂.
 *
 * Zero means that all replicates agree in that round. On the simplex D cannot grow without end: see `saturation`.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", eq. (1).
 *
 * @param runs R ≥ 2 replicates of one condition, each [T][K].
 * @returns D, shape [T]; D[0] is round 1.
 * @throws {RangeError} on fewer than two runs, ragged runs and values that are not finite, naming run and round.
 *
 * @example Two runs that part by a 3-4-5 triangle
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(divergence([[[0, 0], [0, 0]], [[0, 0], [3, 4]]]), [0, 5]);
 * ```
 */
export function divergence(runs: readonly Trajectory[]): number[] {
  const { replicates, rounds } = checkRuns(runs);
  if (replicates < 2) throw new RangeError(`runs holds ${replicates}: a distance needs at least 2 replicates`);
  const { sums } = weightedForms(runs, new Int32Array(replicates).fill(1), { from: 1, to: rounds }, "none");
  return Array.from(sums, (sum) => sum / (replicates * (replicates - 1)));
}
