import { nearest } from "./nearest.ts";
import { UserError } from "./user_error.ts";

const either = new Intl.ListFormat("en-GB", { type: "disjunction" });

/**
 * The error for a name nobody knows, offering the nearest known ones: `unknown scenario "HL01": did you mean HL-01?`
 *
 * @param kind what is named, such as "scenario".
 * @returns a bad argument, hence `exitCode` 2; throw it.
 */
export function unknownName(kind: string, name: string, known: Iterable<string>): UserError {
  const offers = nearest(name, known);
  const hint = offers.length === 0 ? `there is no ${kind} yet` : `did you mean ${either.format(offers)}?`;
  return new UserError(`unknown ${kind} ${JSON.stringify(name)}: ${hint}`, { exitCode: 2 });
}
