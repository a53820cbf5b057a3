import { remembered } from "../core/options.ts";
import type { Condition } from "../schema/condition.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import type { Asking } from "./next_step.ts";

/**
 * The regular expression that the whole reply to a step is guided by: an argument of one line and a STATE line, after a
 * repair request the STATE line alone; ballot and clerk's report as JSON. In the dialect of `ChatRequest.pattern`.
 *
 * Every match is read: preferences are one of all that add up to 1 in equal steps, see `stepOf`. No tag begins like the
 * prompt's example, which small models copy.
 */
export function replyPattern(step: Asking, condition: Condition): string {
  const { state, ballot, clerk } = formsOf(condition);
  if (step.kind === "ballot") return ballot;
  if (step.kind === "clerk") return clerk;
  return step.again ? state : argumentOf(condition, condition.seats[step.seat]!.maxTokens) + state;
}

/** What is the same for all seats of a condition; the preferences of five options take thousands of characters. */
const formsOf = remembered(({ packet, prompts, seats }: Condition) => {
  const letters = `"decision": "(${OPTION_LETTERS.slice(0, packet.options.length).join("|")})"`;
  const hundred = "(100|[1-9]?[0-9])", tag = `"${otherThan(exampleTags(prompts.stateLine))}(_[a-z]{2,12}){0,2}"`;
  const counts = seats.map((_, i) => `${i + 1}, "total": (${seats.slice(i).map((_, j) => i + j + 1).join("|")})`);
  return {
    state: `STATE: pref=\\[${sharesOf(packet.options.length)}\\]; conf=${hundred}; tags=\\[${tag},${tag}\\]`,
    ballot: `\\{${letters}, "confidence": ${hundred}\\}`,
    clerk: `\\{${letters}, "majority_count": (${counts.join("|")})\\}`,
  };
});

/** Characters of a word with its space, the least of a token as the mean over an argument, and tokens of a STATE line. */
const WORD = 6, TOKEN = 2, STATE_TOKENS = 80;
/** Words of an argument where the prompts name no number. */
const WORDS = 110;

/** One line, as long as the prompt's number of words and the token limit leave room for; never like a STATE line. */
function argumentOf({ prompts, maxTokens: limit }: Condition, maxTokens = limit): string {
  const words = Number(/(\d{1,4}) words/.exec(prompts.preamble)?.[1] ?? WORDS);
  const most = Math.max(40, Math.min(WORD * words, TOKEN * (maxTokens - STATE_TOKENS)));
  return `([^ \\t\\r\\nS]|S[^T\\r\\n])[^\\r\\n]{38,${most}}\\n`;
}

/** The most choices of preferences; servers refuse larger expressions, or are slow with them. */
const MOST_CHOICES = 2000;
const STEPS = [0.05, 0.1, 0.2];

/** The finest step of preferences that leaves at most 2,000 choices: .05 up to four options, .1 for five, .2 for more. */
export function stepOf(options: number): number {
  const choices = (step: number) => {
    let product = 1;
    for (let k = 1; k < options; k++) product *= (Math.round(1 / step) + k) / k;
    return product;
  };
  return STEPS.find((step) => choices(step) <= MOST_CHOICES) ?? STEPS.at(-1)!;
}

/** All lists of so many shares with two decimals that add up to 1, each written once, with equal beginnings shared. */
function sharesOf(options: number, step = Math.round(100 * stepOf(options)), left = 100): string {
  const written = (share: number) => (share / 100).toFixed(2).replace(".", "\\.");
  if (options === 1) return written(left);
  const branches: string[] = [];
  for (let share = 0; share <= left; share += step) {
    branches.push(`${written(share)},${sharesOf(options - 1, step, left - share)}`);
  }
  return branches.length === 1 ? branches[0]! : `(${branches.join("|")})`;
}

/** First words of the tags that a prompt shows as an example. */
const exampleTags = (stateLine: string): string[] => /tags=\[(.*)\]/.exec(stateLine)?.[1]?.match(/\b[a-z]+/g) ?? [];

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** A word of two letters or more that begins like none of these: written out, since not every dialect has look-ahead. */
function otherThan(words: readonly string[], least = 1): string {
  const heads = [...new Set(words.map(([head]) => head!))];
  const others = `[${LETTERS.filter((letter) => !heads.includes(letter)).join("")}][a-z]{${least},12}`;
  const longer = heads.filter((head) => !words.includes(head)).map((head) =>
    head + otherThan(words.filter((word) => word.startsWith(head)).map((word) => word.slice(1)), 0)
  );
  return longer.length === 0 ? others : `(${[others, ...longer].join("|")})`;
}
