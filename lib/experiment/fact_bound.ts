import { UserError } from "../core/user_error.ts";
import type { PublishedFact } from "../schema/published_fact.ts";
import { findFact } from "../storage/find_fact.ts";

/**
 * One printed end of a published range, or the one bound of a one-sided statement.
 *
 * @throws {UserError} when there is no fact of that id (naming the nearest), or that end is not printed.
 */
export function factBound(facts: readonly PublishedFact[], id: string, end: "low" | "high"): number {
  const bound = findFact(facts, id)[end];
  if (bound === undefined) throw new UserError(`the published fact ${id} has no ${end} end`);
  return bound;
}
