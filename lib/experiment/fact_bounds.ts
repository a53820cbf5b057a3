import { UserError } from "../core/user_error.ts";
import { unknownName } from "../core/unknown_name.ts";
import type { PublishedFact } from "../schema/published_fact.ts";

/** The printed ends of a range; of a one-sided statement only one is there. */
export interface FactBounds {
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/**
 * The printed bounds of a published fact.
 *
 * @throws {UserError} when there is none of that id (naming the nearest), or it has neither bound.
 */
export function factBounds(facts: readonly PublishedFact[], id: string): FactBounds {
  const fact = facts.find((fact) => fact.id === id);
  if (fact === undefined) throw unknownName("published fact", id, facts.map(({ id }) => id));
  const { low, high } = fact;
  if (low === undefined && high === undefined) throw new UserError(`the published fact ${id} has no bounds`);
  return { low, high };
}
