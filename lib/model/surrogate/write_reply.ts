import { maxIndex } from "d3-array";
import type { Rng } from "../../core/rng.ts";
import { OPTION_LETTERS, type Role } from "../../schema/scenario.ts";
import { STANCES, SYNTHESIS } from "./read_prompt.ts";
import words from "./reasons.json" with { type: "json" };
import { topOption } from "./respond.ts";

/**
 * What a surrogate says besides its stance, and its two tags, by mandate. Only the stance is ever read by others. The
 * texts stand beside the code: they belong to the hash of the code that every run records.
 */
const WORDS: Readonly<Record<Role | "none", { readonly reasons: string[]; readonly tags: string[] }>> = words;

/** What a reply is made of. */
interface Position {
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
  const reasons = WORDS[role ?? "none"].reasons;
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
  if (maxIndex(own) !== top) {
    return `The discussion has brought me over from option ${OPTION_LETTERS[maxIndex(own)]}.`;
  }
  const change = hundredths[top]! - Math.round(100 * own[top]!);
  if (change === 0) return "What I have heard leaves my position as it was.";
  return change > 0 ? "What I have heard strengthens this view." : "What I have heard makes me less sure of it.";
}

/** The STATE line of the protocol, exact. */
export function stateLine(hundredths: readonly number[], role: Role | undefined): string {
  const [first, second] = WORDS[role ?? "none"].tags;
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
