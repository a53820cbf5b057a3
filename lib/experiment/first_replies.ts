import type { Ledger } from "../storage/read_ledger.ts";
import type { CallReply } from "./call_noise.ts";

/**
 * The very first reply of each run: answers to one and the same request, since nothing was said before it.
 *
 * Runs that were flagged later count as well, and so does a reply that could not be read, without preferences. A call
 * that brought no reply at all is left out.
 */
export function firstReplies({ runs }: Pick<Ledger, "runs">): CallReply[] {
  return runs.flatMap(({ events }) => {
    const first = events.find((event) => event.kind === "turn.answered");
    if (first?.reply === undefined) return [];
    const { reply: { text }, reading } = first;
    return [{ text, ...("value" in reading && { preferences: reading.value.preferences }) }];
  });
}
