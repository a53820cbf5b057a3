import type { Mosaic } from "../schema/mosaic.ts";
import type { ActionTaken } from "../schema/station_event.ts";
import { type ActionName, COUNCIL, type CouncilRole, GROUPS, SYSTEMS } from "../schema/station_ids.ts";
import type { Plan } from "../schema/station_reply.ts";
import { capital, count, listed, plainMarkdown, type Varied } from "./recap_text.ts";
import words from "./recap_words.json" with { type: "json" };

/** What a role did, where no target changes the words. */
const DEEDS: Readonly<Partial<Record<ActionName, string>>> = words.deeds;
/** Why an action had no effect, by its code. */
const REFUSALS: Readonly<Record<string, string>> = words.refusals;

export interface Author {
  readonly role: CouncilRole;
  readonly clerk: boolean;
}

/** What a sentence about an action needs to know besides it. */
export interface Telling {
  readonly rules: Mosaic;
  readonly say: Varied;
  /** Who put up each proposal, and whether it was the clerk in that role's place. */
  readonly authors: ReadonlyMap<string, Author>;
}

/** A role's title, within a sentence; a delegate is a person, the others are offices. */
export function title(role: CouncilRole, { roles }: Mosaic): string {
  const { title, faction } = roles[role];
  return faction === undefined ? plainMarkdown(title) : `the ${plainMarkdown(title)}`;
}

/** What a plan gives to whom. */
function planWords({ seats, power }: Plan): string {
  const places = GROUPS.map((group) => `${seats[group]} for ${words.groups[group]}`);
  const units = SYSTEMS.map((system) => `${power[system]} to ${words.systems[system]}`);
  return `seats, ${listed(places)}; power, ${listed(units)}`;
}

/** A council role's own action as a sentence. */
export function actionSentence(event: ActionTaken, telling: Telling): string {
  const who = capital(title(event.role, telling.rules));
  if (event.refused !== undefined) {
    return `${who} tried to ${attempt(event)}, and nothing came of it: ${refusalWords(event)}.`;
  }
  if (event.filing) return filingSentence(event, who, telling);
  return `${who} ${deed(event, telling)}.`;
}

/** The clerk's action in a role's place, to follow the words "the clerk". */
export function clerkDeed({ action, filing, target }: ActionTaken): string {
  switch (action) {
    case "propose":
      return `put up the standing plan ${filing!.id} (${planWords(filing!.plan!)})`;
    case "endorse":
      return `lent a quarter vote to ${id(target)}`;
    case "broadcast":
      return "read out the scripted broadcast";
    default:
      return "let the turn pass, since the role stood against every open plan";
  }
}

function filingSentence({ action, filing, target }: ActionTaken, who: string, { say }: Telling): string {
  const { id: name, plan, flaw, reading } = filing!;
  const from = action === "fork_proposal" ? `, a changed version of ${id(target)}` : "";
  if (plan === undefined) {
    return `${who} handed in a plan${from === "" ? "" : `${from},`} that could not be read (${
      plainMarkdown(reading.code ?? "no reason given")
    }). As ${name} it is on file and worth nothing.`;
  }
  const verb = say(
    "propose",
    "put a plan on the table",
    "came with a plan",
    "laid out a plan",
    "asked the room to back a plan",
  );
  const mended = reading.repairs.length > 0
    ? ` The clerk's normaliser had to mend ${count(reading.repairs.length, "thing")} in it first.`
    : "";
  const over = flaw === undefined
    ? ""
    : ` It asks for more than there is (${plainMarkdown(flaw)}), so nobody can back it.`;
  return `${who} ${verb}, ${name}${from}: ${planWords(plan)}.${mended}${over}`;
}

function deed({ role, action, target, support }: ActionTaken, { say, authors, rules }: Telling): string {
  const plan = id(target);
  const theirs = `${plan}${ownership(authors.get(target ?? ""), role, rules)}`;
  switch (action) {
    case "endorse":
      return say("endorse", `backed ${theirs}`, `came out for ${theirs}`, `put its weight behind ${theirs}`);
    case "oppose":
      return say("oppose", `spoke against ${theirs}`, `set itself against ${theirs}`);
    case "vote":
      return support ? `voted for ${theirs}, tying itself to nobody` : `voted against ${theirs}`;
    case "form_coalition":
      return `joined hands with ${partner(target, rules)}`;
    case "bribe":
      return `offered ${partner(target, rules)} a private advantage`;
    case "fact_check":
      return target === undefined ? "had the loudest rumour checked" : `had rumour ${plan} checked`;
    default:
      return DEEDS[action] ?? `chose to ${action}`;
  }
}

function ownership(author: Author | undefined, role: CouncilRole, rules: Mosaic): string {
  if (author === undefined) return "";
  if (author.clerk) return ", the clerk's standing plan";
  return author.role === role ? ", its own plan" : `, the plan of ${title(author.role, rules)}`;
}

const attempt = ({ action, target }: ActionTaken): string =>
  `${action.replaceAll("_", " ")}${target === undefined ? "" : ` (${plainMarkdown(target)})`}`;

const refusalWords = ({ refused }: ActionTaken): string => REFUSALS[refused!] ?? plainMarkdown(refused!);

const id = (target: string | undefined): string => plainMarkdown(target ?? "nothing in particular");

function partner(target: string | undefined, rules: Mosaic): string {
  const role = COUNCIL.find((role) => role === target);
  return role === undefined ? id(target) : title(role, rules);
}
