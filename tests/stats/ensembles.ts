import type { Rng } from "@/core/rng.ts";
import type { Trajectory } from "@/stats/mod.ts";

interface Size {
  replicates: number;
  rounds?: number;
  options?: number;
}

/** Replicates that wander on the simplex: softmax of independent Gaussian random walks. */
export function walkers(rng: Rng, { replicates, rounds = 20, options = 3 }: Size): Trajectory[] {
  return Array.from({ length: replicates }, () => {
    const logits = Array.from({ length: options }, () => 0);
    return Array.from({ length: rounds }, () => {
      for (let k = 0; k < options; k++) logits[k]! += 0.15 * rng.normal();
      const powers = logits.map(Math.exp), total = powers.reduce((sum, power) => sum + power, 0);
      return powers.map((power) => power / total);
    });
  });
}

/**
 * Replicates x_i(t) = e^(λt)·y_i(t) with y_i a stationary Gaussian AR(1). The law of y is the same in every round, so the
 * expected distance is proportional to e^(λt): the true slope is λ exactly.
 */
export function growing(rng: Rng, lambda: number, { replicates, rounds = 20, options = 3 }: Size): Trajectory[] {
  const phi = 0.8;
  return Array.from({ length: replicates }, () => {
    const y = Array.from({ length: options }, () => rng.normal());
    return Array.from({ length: rounds }, (_, t) => {
      for (let k = 0; k < options; k++) y[k] = phi * y[k]! + Math.sqrt(1 - phi * phi) * rng.normal();
      return y.map((value) => value * Math.exp(lambda * t));
    });
  });
}

/** Replicates at given places, all distances between which grow by the same factor e^λ a round. */
export function proportional(places: readonly number[], lambda: number, rounds = 20): Trajectory[] {
  return places.map((place) => Array.from({ length: rounds }, (_, t) => [place * Math.exp(lambda * t), 1]));
}

export function close(actual: number | undefined, expected: number, tolerance = 1e-12): boolean {
  return actual !== undefined && Math.abs(actual - expected) <= tolerance;
}
