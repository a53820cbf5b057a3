import { PUBLISHED_THRESHOLDS, type Thresholds } from "../../quality/classify.ts";
import { NAMED_WEIGHTS, PUBLISHED_WEIGHTS } from "../../quality/weights.ts";
import { type ComponentName, COMPONENTS } from "../../schema/quality_names.ts";

export type FullWeights = Readonly<Record<ComponentName, number>>;

/** What the reader has set. */
export interface ExplorerState {
  /** As set, of any sum; the ranking divides by it. */
  readonly weights: FullWeights;
  readonly thresholds: Thresholds;
}

/** The published weights and thresholds: how the explorer opens, and what every change is compared with. */
export const PUBLISHED_STATE: ExplorerState = { weights: PUBLISHED_WEIGHTS, thresholds: PUBLISHED_THRESHOLDS };

export function withWeight(state: ExplorerState, name: ComponentName, weight: number): ExplorerState {
  return { ...state, weights: { ...state.weights, [name]: weight } };
}

/** @param name one of `NAMED_WEIGHTS`; any other leaves the state as it is. */
export function withNamed(state: ExplorerState, name: string): ExplorerState {
  const named = Object.hasOwn(NAMED_WEIGHTS, name) ? NAMED_WEIGHTS[name] : undefined;
  return named === undefined ? state : { ...state, weights: named.weights };
}

/** Moves one threshold; the other moves too where it would be on the wrong side. */
export function withThreshold(state: ExplorerState, name: keyof Thresholds, at: number): ExplorerState {
  const { strong, adequate } = state.thresholds;
  const thresholds = name === "strong"
    ? { strong: at, adequate: Math.min(adequate, at) }
    : { strong: Math.max(strong, at), adequate: at };
  return { ...state, thresholds };
}

/** The name of the weights in `NAMED_WEIGHTS`, undefined when they are the reader's own. */
export function nameOf(weights: FullWeights): string | undefined {
  const same = (other: FullWeights) => COMPONENTS.every((name) => other[name] === weights[name]);
  return Object.keys(NAMED_WEIGHTS).find((name) => same(NAMED_WEIGHTS[name]!.weights));
}

/** What the ranking uses: the weights divided by their sum. Undefined when all are 0 and nothing can be ranked. */
export function rankedWeights(weights: FullWeights): { sum: number; divided: boolean; unit?: FullWeights } {
  const total = COMPONENTS.reduce((sum, name) => sum + weights[name], 0);
  // Decimals that sum to 1 on paper may miss it in the last digit.
  const divided = Math.abs(total - 1) > 1e-9;
  if (!divided) return { sum: 1, divided, unit: weights };
  if (total === 0) return { sum: 0, divided };
  const shares = COMPONENTS.map((name) => [name, weights[name] / total]);
  return { sum: total, divided, unit: Object.fromEntries(shares) as Record<ComponentName, number> };
}
