import type { ConditionEntry, RunEntry } from "@/explorer/committee/data.ts";
import { lawsOfGrowth, type Measured, quickMeasures, slopeInterval } from "@/explorer/committee/measures.ts";
import { type MeasureState, openingState } from "@/explorer/committee/state.ts";

/** Four replicates at fixed places that all move away from the middle by the same factor: D(t) ∝ f(t) exactly. */
export function entryOf(f: (round: number) => number, { rounds = 20, places = [0, 1, 3, 4.5] } = {}): ConditionEntry {
  const means = places.map((place) => Array.from({ length: rounds }, (_, t) => [place * f(t + 1)]));
  return { label: "made by hand", name: "by-hand", synthetic: true, target: places.length, means };
}

export const CHANCE = { seed: 1, resamples: 200 };

/** All that there is to know of a state. */
export function measuredOf(state: MeasureState): Measured {
  const careful = { bootstrap: slopeInterval(state, CHANCE), laws: lawsOfGrowth(state, CHANCE) };
  return { state, quick: quickMeasures(state), careful };
}

export const doubling: ConditionEntry = entryOf((t) => 2 ** t);
export const opening: Measured = measuredOf(openingState(doubling));

/** Two seats and two rounds; the second seat speaks first. */
export const shortRun: RunEntry = {
  label: "a short run",
  synthetic: true,
  options: ["A: stay", "B: leave", "C: wait"],
  seats: ["Chair", "Rights"],
  decision: "B",
  turns: [
    { round: 1, seat: 1, argument: "first", preferences: [0, 1, 0], confidence: 90, tags: ["a", "b"] },
    { round: 1, seat: 0, argument: "second", preferences: [0.5, 0, 0.5], confidence: 40, tags: ["c", "d"] },
    { round: 2, seat: 1, argument: "third", preferences: [0, 1, 0], confidence: 95, tags: ["a", "b"] },
    {
      ...{ round: 2, seat: 0, argument: "fourth", preferences: [0.2, 0.6, 0.2], confidence: 50, tags: ["c", "d"] },
      ...{ repaired: true, writtenSum: 1.1 },
    },
  ],
};
