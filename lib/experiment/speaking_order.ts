import { createRng } from "../core/rng.ts";

/**
 * Seat indices in speaking order. One draw per scenario and committee size, the same for every condition, replicate
 * and master seed: the paper keeps one random order fixed (S2.1), and so do all comparisons here.
 */
export function speakingOrder(scenarioId: string, agents: number): number[] {
  return createRng(0).fork("speaking-order").fork(scenarioId).shuffle(
    Array.from({ length: agents }, (_, seat) => seat),
  );
}
