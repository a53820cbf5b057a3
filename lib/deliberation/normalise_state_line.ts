import { LINE_BREAK } from "../core/json_spans.ts";
import { attempt } from "../core/lenient_json.ts";
import { refuse } from "../core/lenient_json_reader.ts";
import { Repairs } from "../core/name_finder.ts";
import { ok, type Result } from "../core/result.ts";
import type { StateVector } from "../schema/deliberation_event.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import { isOfOne, plainRepairs, plainText, readConfidence, withoutThinking } from "./dialect.ts";
import {
  asShares,
  cutOut,
  excerpt,
  ownLines,
  type ParseIssue,
  parseStateLine,
  withoutInlineState,
} from "./parse_state_line.ts";

/** A STATE line as read. */
interface ReadState {
  readonly value: StateVector;
  /** Every change that reading took; `rescaled` alone does not make a line another than the strict parser reads. */
  readonly repairs: readonly string[];
}

/**
 * Reads the STATE line of a reply, with the normaliser also one in a dialect that a careful reader takes for the same,
 * naming each repair. What `parseStateLine` reads is read so, with or without the normaliser.
 *
 * Of the reply: `think_block`, `repeated_line` (the same state twice), `other_line_left_out` (inside other words, beside a
 * line of the speaker's own). Of the form: `label_case`, `label_form`, `label_missing`, `markup`, `escaped`, `spacing`,
 * `line_breaks`, `separator`, `brackets`, `json_object`, `field_order`, `key_case`, `key_synonym:confidence->conf`,
 * `pref_unnamed`, `smart_quotes`, `unicode_minus`, `full_width`, `odd_space`. Of the numbers: `whole_number`, `percent`,
 * `percent_scale`, `exponent`, `fraction`, `decimal_comma`, `quoted_number`, `signed_number`, `approximate`,
 * `labelled_entries`, `entry_separator`, `trailing_comma`, `percent_sign`, `out_of_scale`, `confidence_scale`,
 * `decimal_confidence`, `comment`. Of the tags: `tag_case`, `tag_hyphen`, `tag_spaces`, `tag_quotes`, `tag_punctuation`,
 * `tag_accent`.
 *
 * Nothing is completed or chosen: a missing field, one tag or three, another number of options, a sum that misses 1 by
 * over 0.01, and two lines that say different things are issues. Takes time linear in the text, and never throws on text.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const read = readStateLine("**State:** pref=[60%, 40%]; conf=0.8; tags=[Cost, reach]", { optionCount: 2, normaliser: true });
 * assert.ok(read.ok);
 * assert.deepEqual(read.value.value, { preferences: [0.6, 0.4], confidence: 80, tags: ["cost", "reach"] });
 * assert.deepEqual(read.value.repairs, ["label_case", "markup", "percent", "confidence_scale", "tag_case"]);
 * ```
 */
export function readStateLine(
  text: string,
  { optionCount, normaliser }: { optionCount: number; normaliser: boolean },
): Result<ReadState, ParseIssue> {
  const strict = parseStateLine(text, optionCount);
  if (strict.ok) {
    const { value } = strict;
    const repairs = value.writtenSum === undefined ? [] : [RESCALED];
    return ok({ value, repairs });
  }
  return normaliser ? attempt(() => normalised(text, optionCount).read) : strict;
}

/**
 * A reply without the STATE line that a parser reads in it, and without what a model thought to itself where that had to
 * be left out; for the others to see. Lines that begin with `STATE:` may still stand in it.
 */
export function withoutState(text: string, optionCount: number, { normaliser }: { normaliser: boolean }): string {
  if (!normaliser) return withoutInlineState(text);
  const result = attempt(() => normalised(text, optionCount).rest);
  return result.ok ? result.value : text;
}

/** The one repair that the strict parser makes too. */
export const RESCALED = "rescaled";

type Field = "pref" | "conf" | "tags";

/** A field's key and value where they stand. */
interface Token {
  readonly field: Field;
  readonly start: number;
  /** Key with what follows it, up to the value. */
  readonly key: string;
  /** What stands in the brackets, or up to where the next field begins. */
  readonly content: string;
  readonly bracket: string;
  readonly end: number;
}

/** What may be a STATE line: its fields, with as much around them as belongs to it. */
interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  /** Three, in order of writing; fewer where it is no whole line. */
  readonly tokens: readonly Token[];
  /** 0: a line of one's own, 1: behind marks alone, 2: inside other words; 3 more where nothing says STATE. */
  readonly level: number;
}

const MARKS = "\\\\\"'*_`";
const KEY = new RegExp(
  "(?<![A-Za-z0-9])(?:(?<pref>prefs?|preferences?|preference[_ ]vector|probs|probabilities)" +
    "|(?<conf>conf(?:idence)?(?:[_ ](?:level|score))?)|(?<tags>(?:concept[_ ])?tags?))(?![A-Za-z0-9])" +
    `[${MARKS}.\\s)]{0,6}(?:=>|[:=])[${MARKS}\\s]{0,6}` +
    `|(?<unnamed>(?=\\[|\\( ?[\\d.]|p?_?A ?[:=] ?[\\d.])(?<=\\bSTATE[${MARKS}:=\\s]{1,8}))`,
  "gi",
);
const LABEL = new RegExp(
  `[*_\`"'<{#([]*(?<![A-Za-z])(?:(?:my|final|current|updated)[_ ])?state(?:[_ ](?:line|vector|update))?(?![A-Za-z])` +
    `(?: ?\\([^()]{0,20}\\))?[${MARKS}:=>→|{}()[\\]\\s#~-]{0,12}(?:json[\\s{"]{0,6})?$`,
  "i",
);
const GAP = new RegExp(`^[${MARKS}\\s;,|&/>)\\]}.•·-]{0,30}(?:and )?["'*_\`]{0,3}$`, "i");
const DECORATION = /^[\s*_`#+•·|~-]*(?:\(?\d{1,2}[.)])?[\s*_`#-]*$/;
const BRACKETED: Readonly<Record<string, RegExp>> = {
  "[": /\[([^[\]]{0,400})\]/y,
  "(": /\(([^()]{0,400})\)/y,
  "{": /\{([^{}]{0,400})\}/y,
};
/** A value without brackets ends where another field begins. */
const BARE: Readonly<Record<Field, RegExp>> = {
  pref: /(?:(?!["'*_`]{0,3}(?:conf|tags?\b))[^|[\]{}<>]){1,200}/iy,
  conf: /(?:(?!["'*_`\s]{0,3}(?:pref|tags?\b))[^;,|\r\n[\]{}"<]){1,40}/iy,
  tags: /(?:(?!["'*_`\s]{0,3}(?:pref|conf))[^;|.\r\n[\]{}<>]){1,120}/iy,
};
/** How far before a candidate its line and label are looked for. */
const WINDOW = 100;
/** More lines that count alike than any reply means. */
const MOST_CANDIDATES = 20;

function normalised(text: string, optionCount: number): { read: ReadState; rest: string } {
  const repairs = new Repairs();
  const said = withoutThinking(text, repairs);
  const all = candidatesOf(said, plainText(said));
  const best = Math.min(...all.map(({ level }) => level));
  const chosen = all.filter(({ level }) => level === best);
  const { level, lines: [own] } = ownLines(said);
  if (own !== undefined && best > level) {
    refuse("malformed", `not of the STATE format: ${excerpt(said.slice(own.start, own.end).trim())}`);
  }
  if (chosen.length === 0) refuse("missing", "nothing like a STATE line is there");
  if (chosen.length > MOST_CANDIDATES) refuse("ambiguous", `${chosen.length} STATE lines are there, one is wanted`);
  const states = chosen.map((candidate) => readCandidate(candidate, said, optionCount, repairs));
  if (new Set(states.map((state) => JSON.stringify(state))).size > 1) {
    refuse("ambiguous", `${states.length} STATE lines say different things`);
  }
  if (states.length > 1) repairs.add("repeated_line");
  if (all.length > chosen.length) repairs.add("other_line_left_out");
  const value = states[0]!;
  if (value.writtenSum !== undefined) repairs.add(RESCALED);
  return { read: { value, repairs: repairs.list() }, rest: cutOut(said, chosen) };
}

function candidatesOf(text: string, plain: string): Candidate[] {
  const tokens = tokensOf(plain);
  const candidates: Candidate[] = [];
  for (let i = 0; i < tokens.length;) {
    const three = tokens.slice(i, i + 3);
    const whole = new Set(three.map(({ field }) => field)).size === 3 &&
      three.every((token, k) => k === 0 || GAP.test(plain.slice(three[k - 1]!.end, token.start)));
    if (whole) candidates.push(candidateOf(three, text, plain));
    else if (three[0]!.field === "pref" && /\d/.test(three[0]!.content)) {
      candidates.push(candidateOf(three.slice(0, 1), text, plain));
    }
    i += whole ? 3 : 1;
  }
  return candidates;
}

function tokensOf(plain: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: key, index, groups } of plain.matchAll(KEY)) {
    const field = groups!.conf !== undefined ? "conf" : groups!.tags !== undefined ? "tags" : "pref";
    const at = index + key.length;
    // Inside the value of the field before, such as a tag called "tags: all".
    if (at < (tokens.at(-1)?.end ?? 0)) continue;
    const bracketed = BRACKETED[plain[at] ?? ""];
    const value = bracketed ?? BARE[field];
    value.lastIndex = at;
    const match = value.exec(plain);
    if (match === null) continue;
    const bracket = bracketed === undefined ? "" : plain[at]!;
    tokens.push({ field, start: index, key, content: match[1] ?? match[0], bracket, end: value.lastIndex });
  }
  return tokens;
}

function candidateOf(tokens: readonly Token[], text: string, plain: string): Candidate {
  const [from, end] = [tokens[0]!.start, tokens.at(-1)!.end];
  const before = plain.slice(Math.max(0, from - WINDOW), from);
  const label = LABEL.exec(before)?.[0] ?? "";
  const marks = label === "" ? /[{"'*_`(\\]*$/.exec(before)![0] : label;
  const start = from - marks.length;
  const line = plain.slice(Math.max(0, start - WINDOW), start).split(LINE_BREAK);
  const prefix = line.length > 1 || start <= WINDOW ? line.at(-1)! : "…";
  const ownLine = prefix.trim() === "" && text.startsWith("STATE:", start);
  const level = ownLine ? 0 : DECORATION.test(prefix) ? 1 : 2;
  return { start, end, label: marks, tokens, level: level + (label === "" ? 3 : 0) };
}

function readCandidate(
  { start, end, label, tokens, level }: Candidate,
  text: string,
  optionCount: number,
  repairs: Repairs,
): StateVector {
  if (tokens.length < 3) refuse("malformed", `not of the STATE format: ${excerpt(text.slice(start, end))}`);
  const token = (field: Field) => tokens.find((one) => one.field === field)!;
  nameForm({ label, tokens, level }, text, repairs);
  repairs.add(...plainRepairs(text.slice(start, end)));
  const values = readPreferences(token("pref"), optionCount, repairs);
  const confidence = readConf(token("conf"), repairs);
  const tags = readTags(token("tags"), repairs);
  const shares = asShares(values);
  if (!shares.ok) return refuse(shares.issue.code, shares.issue.message);
  const { shares: preferences, writtenSum } = shares.value;
  return { preferences, confidence, tags, ...(writtenSum !== undefined && { writtenSum }) };
}

/** Names every departure of label, keys and what stands between the fields from `STATE: pref=…; conf=…; tags=…`. */
function nameForm(
  { label, tokens, level }: Pick<Candidate, "label" | "tokens" | "level">,
  text: string,
  repairs: Repairs,
) {
  const json = tokens.some(({ key }) => /^[^:=]*"\s*:/.test(key));
  const gaps = tokens.slice(1).map(({ start }, i) => plainText(text.slice(tokens[i]!.end, start)));
  const pieces = [label, ...gaps, ...tokens.map(({ key }) => key)];
  if (level >= 3) repairs.add("label_missing");
  else nameLabel(bare(label).replace(/ ?json$/i, ""), json, repairs);
  if (json) repairs.add("json_object");
  if (pieces.some((piece) => /[*`]|_(?![a-z])/i.test(piece))) repairs.add("markup");
  if (pieces.some((piece) => piece.includes("\\"))) repairs.add("escaped");
  // In the tags the published expression takes any white space, so that its form is no departure.
  const numbers = tokens.filter(({ field }) => field !== "tags").map(({ content }) => content);
  if ([...pieces, ...numbers].some((piece) => /[\r\n]/.test(piece))) repairs.add("line_breaks");
  if (tokens.map(({ field }) => field).join() !== "pref,conf,tags") repairs.add("field_order");
  for (const { field, key, bracket } of tokens) {
    const [name, sign] = splitKey(bare(key));
    if (name === "") repairs.add("pref_unnamed");
    else {
      if (name !== name.toLowerCase()) repairs.add("key_case");
      if (name.toLowerCase() !== field) repairs.add(`key_synonym:${name.toLowerCase().replaceAll(" ", "_")}->${field}`);
      if (sign !== "=" && !json) repairs.add("separator");
    }
    if (bracket !== (field === "conf" ? "" : "[")) repairs.add("brackets");
  }
  if (!json && gaps.some((gap) => bare(gap) !== ";")) repairs.add("separator");
  const spaced = gaps.some((gap) => unmarked(gap) !== "; ") || numbers.some((words) => /[^\S ]/.test(words)) ||
    tokens.some(({ field, content }) => field === "conf" && content !== content.trim()) ||
    tokens.some(({ key }) => /\s/.test(key)) ||
    (level < 3 && unmarked(label) !== "STATE: ");
  // Whatever else departs has its own name already.
  if (spaced && repairs.list().length === 0) repairs.add("spacing");
}

function nameLabel(label: string, json: boolean, repairs: Repairs): void {
  if (label !== label.toUpperCase()) repairs.add("label_case");
  if (!json && label.toUpperCase() !== "STATE:") repairs.add("label_form");
}

const unmarked = (piece: string): string => piece.replace(/[*_`]/g, "");

/** A piece of a line without marks and white space. */
const bare = (piece: string): string => piece.replace(/[\\"'*`{([<#]|^_+|_+(?=\W|$)/g, "").replace(/\s+/g, " ").trim();

const splitKey = (key: string): [name: string, sign: string] => {
  const [, name = "", sign = ""] = /^(.*?) ?([.:=)>]*)$/.exec(key) ?? [];
  return [name, sign];
};

const NUMBER =
  /^(?:(?:option |p_?)?\(?([A-H])\)? ?[:= -] ?)?(?:about |~|≈)?([+-]?)(?:(\d{1,20}) ?\/ ?(\d{1,20})|((?:\d{1,20}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+-]?\d{1,2})?)) ?(%|percent|pct)?(?: ?\(([A-H])\)| for (?:option )?([A-H]))?$/i;

interface Entry {
  readonly letter: string | undefined;
  readonly value: number;
  readonly percent: boolean;
}

function readPreferences({ content, bracket }: Token, optionCount: number, repairs: Repairs): number[] {
  // Without a bracket what parts the fields stands behind the last entry.
  const parts = entriesOf(bracket === "" ? content.replace(/[;,\s]+$/, "") : content, repairs);
  if (parts.length !== optionCount) {
    refuse("option_count", `pref has ${parts.length} entries, the packet has ${optionCount} options`);
  }
  const entries = parts.map((part) => readEntry(part, repairs));
  const percents = entries.filter(({ percent }) => percent).length;
  if (percents > 0 && percents < entries.length) {
    refuse("preference_format", `some entries of pref are percentages and some are not: ${excerpt(content)}`);
  }
  return inOrder(inOnes(entries, percents > 0, repairs), repairs);
}

/** Percentages, and numbers that sum to about 100, as shares. */
function inOnes(entries: readonly Entry[], percent: boolean, repairs: Repairs): Entry[] {
  const sum = entries.reduce((total, { value }) => total + value, 0);
  const scale = !percent && Math.abs(sum - 100) <= 1 && entries.every(({ value }) => value >= 0);
  if (percent) repairs.add("percent");
  if (scale) repairs.add("percent_scale");
  // Written decimals are moved by two places, so that 33.3 is 0.333 and not its neighbour.
  return percent || scale ? entries.map((entry) => ({ ...entry, value: Number(`${entry.value}e-2`) })) : [...entries];
}

/** By their letters, where all have one; a letter that is missing, or there twice, or without its like is refused. */
function inOrder(entries: readonly Entry[], repairs: Repairs): number[] {
  if (entries.every(({ letter }) => letter === undefined)) return entries.map(({ value }) => value);
  repairs.add("labelled_entries");
  return entries.map((_, i) => {
    const mine = entries.filter(({ letter }) => letter === OPTION_LETTERS[i]);
    if (mine.length !== 1) refuse("preference_format", `pref must name option ${OPTION_LETTERS[i]} once`);
    return mine[0]!.value;
  });
}

/** The entries of a list, by the sign that parts them. */
function entriesOf(content: string, repairs: Repairs): string[] {
  const list = content.replace(/[\\*`]/g, "").trim().replace(/[;\s]+$/, "");
  if (/[\\*`]/.test(content)) repairs.add("markup");
  const sign = [";", ",", "|", "\n", "/"].find((sign) => list.includes(sign));
  if (sign !== ",") repairs.add("entry_separator");
  const parts = sign === undefined ? list.replace(/ ?([:=]) ?/g, "$1").split(/\s+/) : list.split(sign);
  if (sign === "," && parts.length > 1 && parts.at(-1)!.trim() === "") {
    repairs.add("trailing_comma");
    parts.pop();
  }
  if (sign !== ";" || !parts.every((part) => /^[^.]*\d,\d+\D*$/.test(part))) return parts.map((part) => part.trim());
  repairs.add("decimal_comma");
  return parts.map((part) => part.replace(",", ".").trim());
}

function readEntry(part: string, repairs: Repairs): Entry {
  const written = part.replace(/["']/g, "").trim();
  const match = written.length > WINDOW ? null : NUMBER.exec(written);
  if (match === null) return refuse("preference_format", `pref entry "${excerpt(part)}" is not a decimal such as 0.25`);
  const [, before, sign, over, under, numeral, percent, behind, after] = match;
  if (/["']\s*[-+~.\d]|\d\s*["']/.test(part)) repairs.add("quoted_number");
  if (/~|≈|about/.test(written)) repairs.add("approximate");
  if (sign !== "") repairs.add("signed_number");
  if (over !== undefined) repairs.add("fraction");
  else if (/e/i.test(numeral!)) repairs.add("exponent");
  else if (percent === undefined && !numeral!.includes(".")) repairs.add("whole_number");
  const size = over === undefined ? Number(numeral) : Number(over) / Number(under);
  if (sign === "-" && size !== 0) refuse("preference_range", `pref entry ${excerpt(written)} lies outside [0, 1]`);
  const letter = (before ?? behind ?? after)?.toUpperCase();
  return { letter, value: size, percent: percent !== undefined };
}

function readConf({ content }: Token, repairs: Repairs): number {
  const written = content.replace(/[\\*_`"']/g, "").trim();
  if (/["']/.test(content)) repairs.add("quoted_number");
  if (/[*_`]/.test(content)) repairs.add("markup");
  const confidence = readConfidence(written, "malformed", repairs);
  if (/^\D*\d*\.\d/.test(written) && !isOfOne(written)) repairs.add("decimal_confidence");
  return confidence;
}

const SNAKE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

function readTags({ content }: Token, repairs: Repairs): string[] {
  const list = content.replace(/[\\`*]/g, "").trim().replace(/,$/, "");
  if (/,\s*$/.test(content)) repairs.add("trailing_comma");
  if (/[`*]/.test(content)) repairs.add("markup");
  if (content.includes("\\")) repairs.add("escaped");
  const sign = [",", ";", "|"].find((sign) => list.includes(sign)) ??
    /\s+(?=#)|(?<=["'])\s+(?=["'])|\s*\/\s*|\s+and\s+|\n/;
  if (sign !== ",") repairs.add("entry_separator");
  const tags = list === "" ? [] : list.split(sign);
  if (tags.length !== 2) refuse("tag_count", `tags has ${tags.length} entries, two are wanted`);
  return tags.map((tag) => {
    const inside = tag.trim().replace(/^["']+|["']+$/g, "");
    if (inside !== inside.trim()) repairs.add("tag_spaces");
    else if (!/^(["']?)[^"']*\1$/.test(tag.trim())) repairs.add("tag_quotes");
    return readTag(inside.trim(), repairs);
  });
}

/** A tag in snake case: `Cost-control`, `cost control`, `costControl` and `#cost_control` are all `cost_control`. */
function readTag(written: string, repairs: Repairs): string {
  if (SNAKE.test(written)) return written;
  const plain = written.normalize("NFD").replace(/\p{Mn}/gu, "");
  if (plain !== written.normalize("NFD")) repairs.add("tag_accent");
  if (plain !== plain.toLowerCase()) repairs.add("tag_case");
  if (plain.includes("-")) repairs.add("tag_hyphen");
  if (/\S\s+\S/.test(plain)) repairs.add("tag_spaces");
  if (/[^A-Za-z0-9\s_-]|^_|_$|__/.test(plain)) repairs.add("tag_punctuation");
  const snake = plain.replace(/([a-z0-9])(?=[A-Z][a-z])/g, "$1_").toLowerCase().replace(/[\s_.\/&:#+'-]+/g, "_")
    .replace(/^_|_$/g, "");
  return plain.length <= WINDOW && SNAKE.test(snake)
    ? snake
    : refuse("tag_format", `tag ${excerpt(written)} is no snake_case word`);
}
