import type { Trajectory } from "./trajectory.ts";

/**
 * Euclidean distance from explicit differences. The shortcut ‖a‖² + ‖b‖² − 2a·b cancels: at separations of 1e-10,
 * where divergence begins, it is wrong by several hundred per cent.
 */
export function distance(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = a[k]! - b[k]!;
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}

/**
 * All distances between replicates in one round, as a symmetric matrix [R][R], row by row.
 *
 * @param round 1-based.
 * @param into where to write, of length R².
 */
export function distanceMatrix(runs: readonly Trajectory[], round: number, into: Float64Array): void {
  const R = runs.length;
  const states = runs.map((run) => run[round - 1]!);
  for (let i = 0; i < R; i++) {
    for (let j = 0; j < i; j++) {
      const d = distance(states[i]!, states[j]!);
      into[i * R + j] = d;
      into[j * R + i] = d;
    }
    into[i * R + i] = 0;
  }
}

/** Mean Euclidean distance over all pairs of at least two states: 2/(R(R−1)) · Σ_{i<j} ‖x_i − x_j‖. */
export function meanDistance(states: readonly (readonly number[])[]): number {
  let sum = 0;
  for (let i = 1; i < states.length; i++) {
    for (let j = 0; j < i; j++) sum += distance(states[i]!, states[j]!);
  }
  return (2 * sum) / (states.length * (states.length - 1));
}
