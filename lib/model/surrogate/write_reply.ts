import type { Rng } from "../../core/rng.ts";
import { OPTION_LETTERS, type Role } from "../../schema/scenario.ts";
import { STANCES, SYNTHESIS } from "./read_prompt.ts";
import { topOption } from "./respond.ts";

/** What a surrogate says besides its stance. Only the stance is ever read by others. */
const REASONS: Readonly<Record<Role | "none", readonly string[]>> = {
  Chair: [
    "The arguments so far agree on the problem and part over who should carry the risk.",
    "Most of what was said can be reconciled, and the open point is how firm the safeguards have to be.",
    "Two concerns keep coming back, and this option answers more of both than the others do.",
  ],
  Welfare: [
    "Its benefits reach the most people for what it costs, though the transition is dearer than the packet suggests.",
    "Counting second-order effects, the net gain is larger here than under the alternatives.",
    "The tradeoff is plain: some precision is given up for a total that leaves more people better off.",
  ],
  Rights: [
    "It keeps decisions open to appeal and treats like cases alike, and no total gain would make up for losing that.",
    "The alternatives let a person's claim be outweighed by averages, which due process does not allow.",
    "It is the option under which nobody loses a protection without a hearing.",
  ],
  Equity: [
    "Those with the least room to adapt would carry the cost of the alternatives.",
    "It narrows the gap that the background describes, and the others leave it where it is.",
    "Judged by who bears the burden, it is the fairest of the options.",
  ],
  Security: [
    "The others rest on behaviour that nobody can predict, and precaution counts for most where that is so.",
    "It fails gradually and can be reversed, which matters more than its expected gain.",
    "Institutions can carry it with the capacity they have now.",
  ],
  none: [
    "On the figures given it has the better balance of benefit and cost.",
    "The evidence in the packet supports it, with some doubt about how it would be put into practice.",
    "Its weaknesses can be mended later more easily than those of the other options.",
  ],
};

const TAGS: Readonly<Record<Role | "none", readonly [string, string]>> = {
  Chair: ["common_ground", "open_questions"],
  Welfare: ["net_benefit", "tradeoffs"],
  Rights: ["due_process", "non_discrimination"],
  Equity: ["fair_shares", "disparate_impact"],
  Security: ["resilience", "precaution"],
  none: ["evidence", "feasibility"],
};

/** What a reply is made of. */
export interface Position {
  readonly role: Role | undefined;
  readonly options: readonly string[];
  readonly hundredths: readonly number[];
  /** How strongly the top option is backed, 1 to 4; 0 names none. */
  readonly quarters: number;
  /** The agent's row before, [K]; undefined on its first turn. */
  readonly own: readonly number[] | undefined;
  /** Picks the wording: equal for identical calls, unless the call is one that differs. */
  readonly wording: number;
}

/** An argument of three sentences and a STATE line. */
export function writeReply(position: Position): string {
  const { role, hundredths, own, wording } = position;
  const opening = role === "Chair" ? `${SYNTHESIS} ` : "";
  const reasons = REASONS[role ?? "none"];
  return [
    `${opening}${stanceSentence(position)}`,
    reasons[wording % reasons.length],
    movement(hundredths, own, topOption(hundredths)),
  ].join(" ") + `\n${stateLine(hundredths, role)}`;
}

/** The sentence that others hear; without a stance it names no option and is not heard as one. */
function stanceSentence({ options, hundredths, quarters }: Position): string {
  if (quarters === 0) return "I name no option yet.";
  const top = topOption(hundredths);
  return `I ${STANCES[quarters - 1]} option ${OPTION_LETTERS[top]} (${options[top]}).`;
}

function movement(hundredths: readonly number[], own: readonly number[] | undefined, top: number): string {
  if (own === undefined) return "That is where I start from.";
  if (topOption(own) !== top) {
    return `The discussion has brought me over from option ${OPTION_LETTERS[topOption(own)]}.`;
  }
  const change = hundredths[top]! - Math.round(100 * own[top]!);
  if (change === 0) return "What I have heard leaves my position as it was.";
  return change > 0 ? "What I have heard strengthens this view." : "What I have heard makes me less sure of it.";
}

/** The STATE line of the protocol, exact. */
export function stateLine(hundredths: readonly number[], role: Role | undefined): string {
  const [first, second] = TAGS[role ?? "none"];
  return `STATE: pref=[${shares(hundredths)}]; conf=${Math.max(...hundredths)}; tags=["${first}","${second}"]`;
}

const shares = (hundredths: readonly number[]): string => hundredths.map((h) => (h / 100).toFixed(2)).join(",");

/** The ways in which a surrogate spoils its STATE line; each keeps its numbers, so that a repair can repeat them. */
const SPOILT: readonly ((reply: string, hundredths: readonly number[]) => string)[] = [
  (reply, hundredths) => reply.replace(/STATE:.*$/, `My preferences are ${shares(hundredths)}.`),
  (reply, hundredths) => reply.replace(/pref=\[[^\]]*\]/, `pref=[${hundredths.map((h) => `${h}%`).join(", ")}]`),
  (reply) => reply.replace(/,"[a-z_]+"\]$/, "]"),
  (reply) => `${reply}\n${reply.slice(reply.indexOf("STATE:"))}`,
  (reply) => reply.replace("; conf=", "; confidence="),
];

/** The reply with its STATE line spoilt in one of several ways. */
export function spoil(reply: string, hundredths: readonly number[], rng: Rng): string {
  return SPOILT[rng.int(SPOILT.length)]!(reply, hundredths);
}
