import { UserError } from "../core/user_error.ts";
import { unknownName } from "../core/unknown_name.ts";
import type { PublishedFact } from "../schema/published_fact.ts";

/**
 * The single value of a published fact.
 *
 * @throws {UserError} when there is none of that id (naming the nearest), or it has no single value.
 */
export function factValue(facts: readonly PublishedFact[], id: string): number {
  const fact = facts.find((fact) => fact.id === id);
  if (fact === undefined) throw unknownName("published fact", id, facts.map(({ id }) => id));
  if (fact.value === undefined) throw new UserError(`the published fact ${id} has no single value`);
  return fact.value;
}
