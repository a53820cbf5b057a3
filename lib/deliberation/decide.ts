import type { Condition } from "../schema/condition.ts";
import type { Ballot, DeliberationEvent } from "../schema/deliberation_event.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import type { BallotSlot, DeliberationState } from "./state.ts";

/** What a ballot slot says, where it could be read. */
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
  if (most === 0) return { kind: "run.decided", by: "none", votes, clerk: checkClerk(state, undefined, 0, 0) };
  const leaders = letters.filter((_, i) => votes[i] === most);
  const weight = (letter: string) =>
    ballots.reduce((sum, { decision, confidence }) => sum + (decision === letter ? confidence : 0), 0);
  const decision = leaders.reduce((best, letter) => (weight(letter) > weight(best) ? letter : best));
  const by = leaders.length > 1 ? "tie" : most > seats.length / 2 ? "majority" : "plurality";
  return { kind: "run.decided", decision, by, votes, clerk: checkClerk(state, decision, most, ballots.length) };
}

function checkClerk({ clerk }: DeliberationState, decision: string | undefined, count: number, total: number) {
  if (clerk?.kind !== "read" && clerk?.kind !== "normalised") return "unreadable";
  const { value } = clerk;
  const agrees = value.decision === decision && value.majority_count === count && value.total === total;
  return agrees ? "agrees" : "disagrees";
}
