import { checkOptions } from "../core/options.ts";
import type { ModelCall } from "../schema/model_call.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { ActionTaken, StationEvent, Switches } from "../schema/station_event.ts";
import type { CouncilRole } from "../schema/station_ids.ts";
import { applyEvent, statesAtCloses } from "./apply_event.ts";
import { NO_MODEL, readSlot, settle, type SlotReplies } from "./fill_slot.ts";
import { advanceProgress, nextStationStep, PROGRESS } from "./next_station_step.ts";
import { RULES } from "./rules.ts";
import { eventOfStep } from "./protocol.ts";
import { initialState, type StationState } from "./state.ts";

/** A run with the model calls behind it, `origin.calls` being indices into them. */
export interface StationRun {
  readonly events: readonly StationEvent[];
  readonly calls: readonly ModelCall[];
  /** In a re-reading: the first round at whose close the room differs from the recorded one; absent where none does. */
  readonly divergedAt?: number;
}

/**
 * Reads a recorded run through another parser: the same weather, the same words, another clerk.
 *
 * It is open loop. After the first round in which the room comes out differently (`divergedAt`), the words answer to a
 * room that the council never saw, so what follows says what this parser would have made of these replies, not what
 * the council would have done. This is the station paper's "v1 traces rescored under the normaliser" (Appendix E).
 *
 * @throws {RangeError} when the run is not closed, a role's turn is missing, or an event names a call that is not there.
 */
export function reread(run: StationRun, options: { normaliser: boolean }, rules: Mosaic = RULES): StationRun {
  const { normaliser } = checkOptions("reread", options, "normaliser!");
  const opening = run.events[0];
  if (opening?.kind !== "run.opened" || run.events.at(-1)?.kind !== "run.closed") {
    throw new RangeError("only a finished run, from its run.opened to its run.closed, can be read again");
  }
  const recorded = statesAtCloses(run.events, rules);
  const events: StationEvent[] = [];
  let divergedAt: number | undefined;
  for (const { event, state } of retold(run, { ...opening, ruleset: { ...opening.ruleset, normaliser } }, rules)) {
    events.push(event);
    if (event.kind === "round.closed" && divergedAt === undefined && !sameRoom(state, recorded[event.round - 1]!)) {
      divergedAt = event.round;
    }
  }
  return { events, calls: run.calls, ...(divergedAt !== undefined && { divergedAt }) };
}

/**
 * The events that a run's replies lead to after an opening, one by one and with the station after each. Everything but the
 * council's turns follows from the rules.
 *
 * @throws {RangeError} at a turn of which the run holds nothing, or that names a call that is not there.
 */
export function* retold(
  { events, calls }: StationRun,
  opening: Extract<StationEvent, { kind: "run.opened" }>,
  rules: Mosaic,
): Generator<{ readonly event: StationEvent; readonly state: StationState }> {
  const turns = new Map(
    events.flatMap((event) => event.kind === "action.taken" ? [[`${event.round}/${event.role}`, event]] : []),
  );
  const said = (round: number, role: CouncilRole): SlotReplies => {
    const turn = turns.get(`${round}/${role}`);
    if (turn) return repliesOf(turn, calls, opening.ruleset);
    throw new RangeError(`round ${round}, ${role}: the run has no action.taken for this turn`);
  };
  let state = initialState(rules);
  let progress = PROGRESS;
  for (;;) {
    const step = nextStationStep(state, progress, progress.opened ? opening.card : undefined, rules.rounds);
    if (step.kind === "done") return;
    const event = step.kind === "slot"
      ? settle(state, step.role, said(state.round, step.role), rules)
      : eventOfStep(step, state, { opening, rules });
    state = applyEvent(state, event, rules);
    progress = advanceProgress(progress, event);
    yield { event, state };
  }
}

function repliesOf(
  { origin, round, role }: ActionTaken,
  calls: readonly ModelCall[],
  ruleset: Switches,
): SlotReplies {
  const readings = origin.calls.flatMap((index) => {
    const call = calls[index];
    if (call === undefined) {
      throw new RangeError(`round ${round}, ${role}: call ${index} is not among the ${calls.length} recorded`);
    }
    const text = call.reply?.text ?? "";
    return text.trim() === "" ? [] : [readSlot(text, ruleset)];
  });
  const last = origin.calls.at(-1);
  const cause = last === undefined ? NO_MODEL : silence(calls[last]!);
  return { readings, calls: origin.calls, ...(cause !== undefined && { cause }) };
}

/** Why a call brought no words, as a run records it. Read from the call: an event that rests on another reply has no cause. */
function silence({ reply, failure }: ModelCall): string | undefined {
  if (failure === undefined) return reply?.text.trim() === "" ? NO_MODEL : undefined;
  return failure.code === "empty" ? NO_MODEL : `model_error:${failure.code}`;
}

/** Whether two rooms are the same to the eye of the rules: everything but how words were labelled. */
const sameRoom = (a: StationState, b: StationState): boolean => JSON.stringify(a) === JSON.stringify(b);
