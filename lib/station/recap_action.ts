import type { Mosaic } from "../schema/mosaic.ts";
import type { ActionTaken } from "../schema/station_event.ts";
import { COUNCIL, type CouncilRole, type Group, GROUPS, type PowerSystem, SYSTEMS } from "../schema/station_ids.ts";
import type { Plan } from "../schema/station_reply.ts";
import { capital, count, listed, plainMarkdown, type Varied } from "./recap_text.ts";

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

const GROUP_NAMES: Readonly<Record<Group, string>> = {
  outer_ring: "the Outer Ring",
  crew: "the crew",
  sponsor_deck: "the sponsor deck",
  medical: "the medical ward",
};
const SYSTEM_NAMES: Readonly<Record<PowerSystem, string>> = {
  life_support: "life support",
  docking: "docking",
  outer_ring: "the Outer Ring",
  sponsor_deck: "the sponsor deck",
  comms: "communications",
};

/** A role's title, within a sentence; a delegate is a person, the others are offices. */
export function title(role: CouncilRole, { roles }: Mosaic): string {
  const { title, faction } = roles[role];
  return faction === undefined ? plainMarkdown(title) : `the ${plainMarkdown(title)}`;
}

/** What a plan gives to whom. */
function planWords({ seats, power }: Plan): string {
  const places = GROUPS.map((group) => `${seats[group]} for ${GROUP_NAMES[group]}`);
  const units = SYSTEMS.map((system) => `${power[system]} to ${SYSTEM_NAMES[system]}`);
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

const DEEDS: Readonly<Partial<Record<ActionTaken["action"], string>>> = {
  speak: "spoke to the room",
  defect: "walked out on its allies and took back its votes",
  leak: "passed council papers to the press",
  spread_rumor: "set a rumour going",
  moderate: "calmed the channels around the loudest rumour",
  appeal: "appealed for calm",
  auction: "auctioned places to the highest bidder",
  allocate: "took the largest offer off the market",
  sabotage: "damaged a power line",
  repair: "had power restored",
  audit: "opened the worst scandal to an audit",
  broadcast: "told the whole station what is known",
  poll: "asked the public",
  observe: "watched and did nothing",
};

const attempt = ({ action, target }: ActionTaken): string =>
  `${action.replaceAll("_", " ")}${target === undefined ? "" : ` (${plainMarkdown(target)})`}`;

const REFUSALS: Readonly<Record<string, string>> = {
  action_not_allowed: "the office has no such power",
  unknown_proposal: "there is no such proposal",
  proposal_not_open: "that proposal was no longer open",
  own_proposal: "nobody endorses a plan of their own",
  unknown_role: "there is no such role",
  own_role: "that would have been itself",
  unknown_rumor: "there is no such rumour",
  no_tokens: "the compute tokens were spent",
};

const refusalWords = ({ refused }: ActionTaken): string => REFUSALS[refused!] ?? plainMarkdown(refused!);

const id = (target: string | undefined): string => plainMarkdown(target ?? "nothing in particular");

function partner(target: string | undefined, rules: Mosaic): string {
  const role = COUNCIL.find((role) => role === target);
  return role === undefined ? id(target) : title(role, rules);
}
