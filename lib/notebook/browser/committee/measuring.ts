import { inTurn } from "../in_turn.ts";
import type { CommitteeData } from "./data.ts";
import { type CarefulMeasures, lawsOfGrowth, type QuickMeasures, quickMeasures, slopeInterval } from "./measures.ts";
import { type MeasureState, openingState } from "./state.ts";

/** What is set, and what is known of it by now. */
export interface Measured {
  readonly state: MeasureState;
  readonly quick: QuickMeasures;
  readonly careful: CarefulMeasures;
}

export interface Measuring {
  readonly now: () => Measured;
  /** Takes a step from the state as it is. */
  move(step: (state: MeasureState) => MeasureState): void;
}

/** Resampling waits until a slider has come to rest. */
const PAUSE_MS = 250;

/**
 * Measures what the reader sets: the slope at once; interval and laws, which take resampling, after a pause.
 *
 * @param show called after every change.
 * @param settled called once nothing is left to be worked out.
 */
export function measuring(data: CommitteeData, show: () => void, settled: () => void): Measuring {
  const opening = openingState(data.conditions[0]!);
  let measured: Measured = { state: opening, quick: quickMeasures(opening), careful: {} };
  const learn = (careful: CarefulMeasures) => {
    measured = { ...measured, careful: { ...measured.careful, ...careful } };
    show();
  };
  const resample = inTurn(PAUSE_MS, [
    () => learn({ bootstrap: slopeInterval(measured.state, data) }),
    () => learn({ laws: lawsOfGrowth(measured.state, data) }),
    settled,
  ]);
  resample();
  return {
    now: () => measured,
    move(step) {
      const state = step(measured.state);
      // Another scale or another law drawn is no other measurement.
      if (sameRuns(state, measured.state)) measured = { ...measured, state };
      else {
        measured = { state, quick: quickMeasures(state), careful: {} };
        resample();
      }
      show();
    },
  };
}

const sameRuns = (a: MeasureState, b: MeasureState): boolean =>
  a.condition === b.condition && a.replicates === b.replicates && a.from === b.from && a.to === b.to;
