import { canonicalJson, differences } from "../core/json.ts";
import type { Declaration } from "../schema/ledger_line.ts";
import type { Look } from "../schema/until.ts";

/** Differences named at most; one changed seat can bring twenty. */
const NAMED = 8;

/** Every value in which two plans differ, in words; none where runs of one belong to the other. */
export function planDifferences(before: Declaration<unknown, unknown>, now: Declaration<unknown, unknown>): string[] {
  return [
    ...(before.hash === now.hash ? [] : conditionDifferences(before, now)),
    ...fieldDifferences(["seed", "council"], before, now),
    ...differences(before.until, now.until, "until"),
    ...(canonicalJson(before.base) === canonicalJson(now.base) ? [] : ["base: continues another run"]),
  ];
}

/** Runs begun when a stopping design came to its end; undefined while it goes on. */
export const endOfDesign = ({ looks }: { readonly looks: readonly Look[] }): number | undefined =>
  looks.find(({ decision }) => decision !== "go on" && decision !== "skipped")?.begun;

/** A declaration without a design as one that goes on where a ledger's design has ended. */
export const goingOn = <Plan, Event>(
  declaration: Declaration<Plan, Event>,
  held: { readonly declaration: Declaration<Plan, Event>; readonly looks: readonly Look[] },
): Declaration<Plan, Event> =>
  declaration.until || endOfDesign(held) === undefined
    ? declaration
    : { ...declaration, until: held.declaration.until, unplanned: true };

/** The fields in which two records differ, in words. */
export const fieldDifferences = <Name extends string>(
  names: readonly Name[],
  before: Readonly<Partial<Record<Name, unknown>>>,
  now: Readonly<Partial<Record<Name, unknown>>>,
): string[] =>
  names.filter((name) => before[name] !== now[name])
    .map((name) => `${name}: ledger ${before[name] ?? "none"}, now ${now[name] ?? "none"}`);

function conditionDifferences(before: Declaration<unknown, unknown>, now: Declaration<unknown, unknown>): string[] {
  const found = differences(before.condition, now.condition, "condition");
  const more = found.length - NAMED;
  return more > 0 ? [...found.slice(0, NAMED), `and ${more} more`] : found;
}
