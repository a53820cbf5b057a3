import { distance } from "./distance.ts";

/** Mean Euclidean distance over all pairs of at least two states: 2/(R(R−1)) · Σ_{i<j} ‖x_i − x_j‖. */
export function meanDistance(states: readonly (readonly number[])[]): number {
  let sum = 0;
  for (let i = 1; i < states.length; i++) {
    for (let j = 0; j < i; j++) sum += distance(states[i]!, states[j]!);
  }
  return (2 * sum) / (states.length * (states.length - 1));
}
