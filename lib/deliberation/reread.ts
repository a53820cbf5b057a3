import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import { answered, type Call, conditionHash, placeOf, settled } from "./deliberate.ts";
import { nextStep } from "./next_step.ts";
import type { Asking } from "./prompt.ts";
import { applyEvent, initialState } from "./state.ts";

/**
 * Reads a recorded run through another parser: the same words, another reading. Every event is made anew by the rules of
 * `condition`, which is the recorded one with or without `normaliser`.
 *
 * It is open loop: the words answer to what was read when they were written. A repair request that is not needed any more
 * leaves its answer unused; where one is needed that was never sent, or a turn follows that was never taken, the run ends
 * there without a closing event, since nobody knows what would have been said.
 *
 * @param events of one run, from its `run.opened` on.
 * @throws {RangeError} when they do not begin so.
 *
 * @example Two parsers over one ledger's runs
 * ```ts ignore
 * const { declaration: { condition }, runs } = await readLedger(path);
 * const normalised = runs.map(({ events }) => reread(events, { ...condition, normaliser: true }));
 * ```
 */
export function reread(events: readonly DeliberationEvent[], condition: Condition): DeliberationEvent[] {
  const [opening] = events;
  if (opening?.kind !== "run.opened" || events.some(({ kind }) => kind === "run.forked")) {
    throw new RangeError("only a run from its run.opened on, and no continuation of another, can be read again");
  }
  const said = new Map(events.flatMap((event) => "seat" in event ? [[placeOf(stepOf(event)), event]] : []));
  const again: DeliberationEvent[] = [{ ...opening, condition: conditionHash(condition) }];
  for (let state = applyEvent(initialState(condition), again[0]!);;) {
    const step = nextStep(state, condition);
    if (step.kind === "done" || step.kind === "open") return again;
    let event: DeliberationEvent;
    if (step.kind === "decide" || step.kind === "close") event = settled(step.kind, state, condition);
    else {
      const recorded = said.get(placeOf(step));
      if (recorded === undefined) return again;
      event = answered(step, callOf(recorded), condition);
    }
    again.push(event);
    state = applyEvent(state, event);
  }
}

type Answered = Extract<DeliberationEvent, { seat: number }>;

function stepOf(event: Answered): Asking {
  if (event.kind === "clerk.answered") return { kind: "clerk" };
  const { seat, again } = event;
  return event.kind === "turn.answered"
    ? { kind: "turn", round: event.round, seat, again }
    : { kind: "ballot", seat, again };
}

/** The call behind an event: what came of it was kept, and why it failed. */
function callOf({ seat, seed, reply, reading }: Answered): Call {
  const record = { seat, seed, ...(reply && { reply }) };
  return reading.kind === "missing" ? { record, failure: reading } : { record: { seat, seed, reply: reply! } };
}
