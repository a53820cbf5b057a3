import type { GrowthLaw } from "../../stats/growth_law_fits.ts";
import type { RoundWindow } from "../../stats/round_window.ts";
import type { ConditionEntry } from "./data.ts";

/** The rounds the deliberation paper fits. */
const PAPER_WINDOW: RoundWindow = { from: 3, to: 20 };

/** No line is fitted to fewer rounds. */
export const LEAST_ROUNDS = 3;

export type Scale = "log" | "linear";

/** What the reader has set. */
export interface MeasureState extends RoundWindow {
  readonly condition: ConditionEntry;
  /** How many of the condition's complete runs are compared, the first ones. */
  readonly replicates: number;
  readonly scale: Scale;
  /** Which law of growth is drawn beside the fit. */
  readonly law: GrowthLaw | "best" | "none";
}

/** All replicates of a condition over the paper's window, or as much of it as there is. */
export function openingState(condition: ConditionEntry): MeasureState {
  const opening = { condition, replicates: condition.means.length, scale: "log", law: "best" } as const;
  return withPaperWindow({ ...opening, ...PAPER_WINDOW });
}

export const roundsOf = ({ means }: ConditionEntry): number => means[0]?.length ?? 0;

/** Another condition: all of its runs where all were compared, otherwise as many as there are. */
export function withCondition(state: MeasureState, condition: ConditionEntry): MeasureState {
  const all = state.replicates === state.condition.means.length;
  const replicates = all ? condition.means.length : Math.min(state.replicates, condition.means.length);
  const { from, to } = state;
  return withTo({ ...state, condition, replicates, from }, to);
}

export function withReplicates(state: MeasureState, replicates: number): MeasureState {
  return { ...state, replicates: between(2, replicates, state.condition.means.length) };
}

/** Moves the first round of the fit; the last one goes along where fewer than three would be left. */
export function withFrom(state: MeasureState, from: number): MeasureState {
  const rounds = roundsOf(state.condition), first = between(1, from, rounds - LEAST_ROUNDS + 1);
  return { ...state, from: first, to: between(first + LEAST_ROUNDS - 1, state.to, rounds) };
}

/** Moves the last round of the fit; the first one goes along where fewer than three would be left. */
export function withTo(state: MeasureState, to: number): MeasureState {
  const last = between(LEAST_ROUNDS, to, roundsOf(state.condition));
  return { ...state, to: last, from: between(1, state.from, last - LEAST_ROUNDS + 1) };
}

export function withPaperWindow(state: MeasureState): MeasureState {
  return withTo({ ...state, from: PAPER_WINDOW.from }, PAPER_WINDOW.to);
}

const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);
