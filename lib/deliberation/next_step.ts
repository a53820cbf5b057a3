import { known } from "../core/options.ts";
import type { Condition } from "../schema/condition.ts";
import type { Ballot, DeliberationEvent } from "../schema/deliberation_event.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import type { BallotSlot, DeliberationState } from "./state.ts";

/** The ballot in a slot, where it could be read. */
export function readableBallot(slot: BallotSlot | undefined): Ballot | undefined {
  return slot?.reading.kind === "read" || slot?.reading.kind === "normalised" ? slot.reading.value : undefined;
}

/**
 * The committee's decision from its private ballots, with the clerk checked against them.
 *
 * The option with most ballots wins, by `majority` (more than half of the seats) or `plurality`; a draw goes to the
 * higher summed confidence, then to the earlier letter, and is recorded as `tie`. Where the clerk reports another
 * decision or other counts, the ballots stand and `clerk` says `disagrees`.
 */
export function decide(
  state: DeliberationState,
  { packet, seats }: Condition,
): Extract<DeliberationEvent, { kind: "run.decided" }> {
  const ballots = state.ballots.map(readableBallot).filter((ballot) => ballot !== undefined);
  const letters = OPTION_LETTERS.slice(0, packet.options.length);
  const votes = letters.map((letter) => ballots.filter(({ decision }) => decision === letter).length);
  const most = Math.max(...votes);
  const weight = (letter: string) =>
    ballots.reduce((sum, { decision, confidence }) => sum + (decision === letter ? confidence : 0), 0);
  const leaders: readonly string[] = most === 0 ? [] : letters.filter((_, i) => votes[i] === most);
  const [decision] = leaders.toSorted((a, b) => weight(b) - weight(a));
  const by = most === 0 ? "none" : leaders.length > 1 ? "tie" : most > seats.length / 2 ? "majority" : "plurality";
  const clerk = checkClerk(state, decision, most, ballots.length);
  return { kind: "run.decided", ...known({ decision }), by, votes, clerk };
}

function checkClerk({ clerk }: DeliberationState, decision: string | undefined, count: number, total: number) {
  if (clerk?.kind !== "read" && clerk?.kind !== "normalised") return "unreadable";
  const { value } = clerk;
  const agrees = value.decision === decision && value.majority_count === count && value.total === total;
  return agrees ? "agrees" : "disagrees";
}

/** The next step of a run. */
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
