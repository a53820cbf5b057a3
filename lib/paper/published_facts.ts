import { z } from "zod";
import { unknownName } from "../core/nearest.ts";
import { UserError } from "../core/user_error.ts";
import { publishedNumber, PublishedText } from "./published_cell.ts";

/**
 * One statement of a paper's text or captions. `value` is a single number, `low` and `high` are the printed bounds
 * of a range; what the paper gives in words alone has none of them.
 */
export const PublishedFact = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, "must be lower case with hyphens"),
  value: publishedNumber(z.number()),
  low: publishedNumber(z.number()),
  high: publishedNumber(z.number()),
  unit: PublishedText,
  statement: PublishedText.describe("what is stated, in our words"),
  source: PublishedText.describe("section, table or figure"),
});
export type PublishedFact = z.infer<typeof PublishedFact>;

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
