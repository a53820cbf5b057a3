import type { Rng } from "../../core/rng.ts";
import type { ActionName, CouncilRole } from "../../schema/station_ids.ts";
import type { Camp } from "./parameters.ts";
import type { Deed, Sight } from "./sight.ts";
import statements from "./statements.json" with { type: "json" };

/** In whose manner a plan is spoken of. */
export type Voice = "triage" | "coalition" | "auditor" | "broadcaster" | "chaser" | Camp;

type Lines = Readonly<Partial<Record<ActionName, readonly string[]>>>;

/**
 * What is said: of plans and in general by manner, and what each office says when it does its own work. In braces:
 * {id} and {by} of the plan aimed at, {who} of the role aimed at, seats {outer} {crew} {sponsor} {medical}, power {life}
 * {docking} {comms} of the plan at hand, {hours} left, {seats} in all, {people} of the Outer Ring, {need} of power for
 * life support, {rumour} the text of a rumour. The texts stand beside the code, not in `scenarios/`: they belong to the
 * hash of the code that every run records.
 */
export const STATEMENTS: Readonly<{ manner: Record<Voice, Lines>; office: Record<CouncilRole, Lines> }> = statements;

/** Longer than every rumour of the rules; a council role's own could be longer. */
const RUMOUR_WORDS = 16;

/** How a role is spoken of. */
const SPOKEN: Readonly<Record<CouncilRole, string>> = {
  C1_COMMAND: "Command",
  C2_EQUITY: "Equity",
  C3_ENGINEER: "Engineering",
  C4_CIVIL: "Civil affairs",
  F1_OUTER: "the Outer Ring",
  F2_SPONSOR: "the sponsor deck",
};

/**
 * A sentence or two for a deed, at most 60 words, in the persona's manner or the office's; one that was not heard this
 * round, where there is one. Undefined where manner and office are both silent.
 */
export function say(deed: Deed, voice: Voice, sight: Sight, rng: Rng): string | undefined {
  const lines = [
    ...(STATEMENTS.manner[voice][deed.action] ?? []),
    ...(STATEMENTS.office[sight.role][deed.action] ?? []),
  ];
  if (lines.length === 0) return undefined;
  const first = rng.int(lines.length);
  const inWords = (i: number) => spoken(lines[(first + i) % lines.length]!, deed, sight);
  for (let i = 0; i < lines.length; i++) {
    const said = inWords(i);
    if (!sight.heard.includes(said)) return said;
  }
  return inWords(0);
}

function spoken(line: string, deed: Deed, sight: Sight): string {
  const said = line.replace(/\{(\w+)\}/g, (_, slot: string) => fillIn(slot, deed, sight));
  return said[0]!.toUpperCase() + said.slice(1);
}

function fillIn(slot: string, { target, plan }: Deed, { open, rumors, hoursLeft, stock }: Sight): string {
  const aimed = open.find(({ id }) => id === target);
  const { seats, power } = plan ?? aimed?.plan ?? {};
  switch (slot) {
    case "id":
      return target ?? "";
    case "by":
      return aimed ? SPOKEN[aimed.by] : "";
    case "who":
      return SPOKEN[target as CouncilRole];
    case "hours":
      return String(hoursLeft);
    case "seats":
      return String(stock.seats);
    case "people":
      return String(stock.people.outer_ring);
    case "need":
      return String(stock.needs.life_support);
    case "rumour":
      return quoted((rumors.find(({ id }) => id === target) ?? rumors[0])?.text ?? "");
    case "outer":
      return String(seats?.outer_ring);
    case "crew":
    case "medical":
      return String(seats?.[slot]);
    case "sponsor":
      return String(seats?.sponsor_deck);
    case "life":
      return String(power?.life_support);
    case "docking":
    case "comms":
      return String(power?.[slot]);
    default:
      throw new RangeError(`no value for {${slot}} in a statement`);
  }
}

function quoted(text: string): string {
  const words = text.split(" ");
  return words.length > RUMOUR_WORDS ? `${words.slice(0, RUMOUR_WORDS).join(" ")} …` : text;
}
