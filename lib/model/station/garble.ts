import type { Rng } from "../../core/rng.ts";

/** Ways to break a JSON reply so that nobody can tell what was meant without making something up. */
export const BREAKS: readonly ((reply: string, rng: Rng) => string)[] = [
  // Cut off before its end.
  (reply, rng) => reply.slice(0, 12 + rng.int(reply.length - 13)),
  // Members without commas between them.
  (reply) => reply.replaceAll(',"', ' "'),
  // Words instead of an object.
  (reply) => `I have decided: ${/"action":"(\w+)"/.exec(reply)?.[1] ?? "something"}. The rest is in my notes.`,
];

/** The reply broken in one of several ways. */
export const garble = (reply: string, rng: Rng): string => BREAKS[rng.int(BREAKS.length)]!(reply, rng);
