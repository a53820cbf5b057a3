import { createRng } from "../../core/rng.ts";
import { type BootstrapSlope, bootstrapSlope } from "../../stats/bootstrap_slope.ts";
import { divergence } from "../../stats/divergence.ts";
import { type GrowthLawFit, type GrowthLaws, growthLaws } from "../../stats/growth_laws.ts";
import { type LyapunovSlope, lyapunovSlope } from "../../stats/lyapunov_slope.ts";
import { type ReferenceSlopes, referenceSlopes } from "../../stats/reference_slopes.ts";
import { inTurn } from "../dom.ts";
import type { CommitteeData } from "./data.ts";
import { type MeasureState, openingState } from "./state.ts";

/** What follows every move at once. */
export interface QuickMeasures {
  /** D(t), shape [T]. */
  readonly D: readonly number[];
  readonly slope: LyapunovSlope;
  readonly references: ReferenceSlopes;
}

/** What takes resampling, and is not there until it was done: the interval first, then the laws. */
interface CarefulMeasures {
  readonly bootstrap?: BootstrapSlope | undefined;
  readonly laws?: GrowthLaws | undefined;
}

const comparedRuns = ({ condition, replicates }: MeasureState) => condition.means.slice(0, replicates);

export function quickMeasures(state: MeasureState): QuickMeasures {
  const D = divergence(comparedRuns(state));
  const { from, to } = state;
  return { D, slope: lyapunovSlope(D, { from, to }), references: referenceSlopes({ from, to }) };
}

type Chance = Pick<CommitteeData, "seed" | "resamples">;

const streamOf = ({ condition: { name } }: MeasureState, seed: number) => createRng(seed).fork(name);

export function slopeInterval(state: MeasureState, { seed, resamples }: Chance): BootstrapSlope {
  const { from, to } = state;
  return bootstrapSlope(comparedRuns(state), { rng: streamOf(state, seed), resamples, from, to });
}

export function lawsOfGrowth(state: MeasureState, { seed, resamples }: Chance): GrowthLaws {
  const { from, to } = state;
  return growthLaws(comparedRuns(state), { rng: streamOf(state, seed), resamples, from, to });
}

/** The law that is drawn; undefined when none is, or none is known yet. */
export function drawnLaw(
  { state: { law }, careful: { laws } }: { readonly state: MeasureState; readonly careful: CarefulMeasures },
): GrowthLawFit | undefined {
  const wanted = law === "best" ? laws?.best : law;
  return laws?.laws.find((one) => one.law === wanted);
}

/** What is set, and what is known of it by now. */
export interface Measured {
  readonly state: MeasureState;
  readonly quick: QuickMeasures;
  readonly careful: CarefulMeasures;
}

interface Measuring {
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
