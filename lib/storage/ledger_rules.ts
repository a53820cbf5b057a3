import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";

/** How an event is at odds with the condition it was recorded under; undefined where it fits. */
export function eventFlaw(event: DeliberationEvent, { seats, rounds, packet }: Condition): string | undefined {
  if ("seat" in event && event.seat >= seats.length) {
    return `is of seat ${event.seat}, the condition has seats 0…${seats.length - 1}`;
  }
  if (event.kind !== "turn.answered") return undefined;
  if (event.round > rounds) return `is of round ${event.round}, the condition has ${rounds}`;
  const { reading } = event;
  const shares = "value" in reading ? reading.value.preferences.length : packet.options.length;
  if (shares === packet.options.length) return undefined;
  return `has ${shares} preferences, the packet has ${packet.options.length} options`;
}

/** What a run that says it is complete lacks; undefined where nothing. */
export function closingFlaw(events: readonly DeliberationEvent[], { seats, rounds }: Condition): string | undefined {
  const closing = events.at(-1);
  if (closing?.kind !== "run.closed" || closing.outcome !== "complete") return undefined;
  const turns = events.filter((event) => event.kind === "turn.answered" && "value" in event.reading).length;
  const planned = seats.length * rounds;
  return turns === planned ? undefined : `says complete after ${turns} of ${planned} readable turns`;
}
