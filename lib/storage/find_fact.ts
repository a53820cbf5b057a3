import { unknownName } from "../core/unknown_name.ts";
import type { PublishedFact } from "../schema/published_fact.ts";

/**
 * The fact of that id.
 *
 * @throws {UserError} when there is none (`exitCode` 2, naming the nearest).
 */
export function findFact(facts: readonly PublishedFact[], id: string): PublishedFact {
  const fact = facts.find((fact) => fact.id === id);
  if (fact === undefined) throw unknownName("published fact", id, facts.map(({ id }) => id));
  return fact;
}
