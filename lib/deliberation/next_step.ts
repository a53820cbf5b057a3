import type { Condition } from "../schema/condition.ts";
import type { DeliberationState } from "./state.ts";

/** What a run does next. */
export type Step =
  | { readonly kind: "open" }
  | { readonly kind: "turn"; readonly round: number; readonly seat: number; readonly again: boolean }
  | { readonly kind: "ballot"; readonly seat: number; readonly again: boolean }
  | { readonly kind: "clerk" }
  | { readonly kind: "decide" }
  | { readonly kind: "close" }
  | { readonly kind: "done" };

/**
 * The protocol's order of business (S2): every seat speaks once a round in the fixed order, with one repair request
 * for an unreadable STATE line; then a private ballot each, asked for once more when unreadable; then the clerk.
 * It depends on the state alone, which is what makes stopping and resuming the same as never having stopped.
 */
export function nextStep(state: DeliberationState, { order, rounds }: Condition): Step {
  if (state.closed) return { kind: "done" };
  if (!state.opened) return { kind: "open" };
  if (state.flaw || state.decided) return { kind: "close" };
  const spoken = state.turns.length;
  if (spoken < rounds * order.length) {
    const round = 1 + Math.floor(spoken / order.length);
    return { kind: "turn", round, seat: order[spoken % order.length]!, again: state.unread !== undefined };
  }
  for (const seat of order) {
    const slot = state.ballots[seat];
    if (slot === undefined) return { kind: "ballot", seat, again: false };
    if (slot.reading.kind === "invalid" && slot.tries === 1) return { kind: "ballot", seat, again: true };
  }
  return state.clerk ? { kind: "decide" } : { kind: "clerk" };
}
