import { UserError } from "../core/user_error.ts";
import type { PublishedFact } from "../schema/published_fact.ts";
import { findFact } from "../storage/find_fact.ts";

/**
 * The single value of a published fact.
 *
 * @throws {UserError} when there is none of that id (naming the nearest), or it has no single value.
 */
export function factValue(facts: readonly PublishedFact[], id: string): number {
  const { value } = findFact(facts, id);
  if (value === undefined) throw new UserError(`the published fact ${id} has no single value`);
  return value;
}
