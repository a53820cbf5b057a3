import { unknownName } from "../core/nearest.ts";
import { type Role, ROLES } from "./scenario.ts";

/** Stands between the mandates of one value, as in `Chair+Equity`. */
const AND = "+";

/**
 * The mandates of a value such as `Equity+Chair`, in the order of ROLES; one written twice is there twice.
 *
 * @throws {UserError} on a name that is no role (`exitCode` 2, offering the nearest).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(splitMandates("Equity+Chair"), ["Chair", "Equity"]);
 * ```
 */
export function splitMandates(value: string): Role[] {
  return inOrder(
    value.split(AND).map((name) => {
      const role = ROLES.find((role) => role === name.trim());
      if (role === undefined) throw unknownName("role", name, ROLES);
      return role;
    }),
  );
}

/** Mandates as one value, in the order of ROLES. */
export const joinMandates = (roles: readonly Role[]): string => inOrder(roles).join(AND);

const inOrder = (roles: readonly Role[]): Role[] => roles.toSorted((a, b) => ROLES.indexOf(a) - ROLES.indexOf(b));

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Mandates in a sentence: `Chair, Welfare and Welfare`. */
export const mandatesInWords = (value: string): string => list.format(splitMandates(value));

/**
 * The role of every seat of a committee of so many agents, in seat order: the five roles, then the mandates other than
 * the Chair's again, since a committee has one Chair.
 */
export function rolesOfNumber(agents: number): Role[] {
  return Array.from({ length: agents }, (_, seat) => {
    const extra = seat - ROLES.length;
    return extra < 0 ? ROLES[seat]! : ROLES[1 + (extra % (ROLES.length - 1))]!;
  });
}

/**
 * The role of every seat, in seat order, from what `agents` says: a number, or who sits.
 *
 * Every mandate that sits takes a first seat in the order of ROLES, then those that sit twice a second one, and so on:
 * who sits thus decides the seats, and a number is only a short way to say it.
 */
export function seatedRoles(agents: number | string): Role[] {
  if (typeof agents === "number") return rolesOfNumber(agents);
  const sitting = splitMandates(agents);
  const seats: Role[] = [];
  for (let time = 1; seats.length < sitting.length; time++) {
    seats.push(...ROLES.filter((role) => sitting.filter((one) => one === role).length >= time));
  }
  return seats;
}

/** Who sits, as `agents` of a condition says it: the number alone where it says the same, otherwise the roles joined. */
export function seatingOf(roles: readonly Role[]): number | string {
  const joined = joinMandates(roles);
  return joined === joinMandates(rolesOfNumber(roles.length)) ? roles.length : joined;
}
