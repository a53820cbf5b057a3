import { RE2JS } from "re2js";
import { rememberedText } from "../core/options.ts";
import { nearest, UserError } from "../core/user_error.ts";
import type { RunSource } from "./run_source.ts";
import { nothingAt, Row, SourceFlaw, valueAt } from "./source_values.ts";

/**
 * The state that an observation gives: `chosen` options with equal shares, or a `vector` of shares. With a `flaw` it gives none; a
 * number out of its range has both a flaw and its vector.
 */
export interface Reading {
  readonly chosen?: readonly number[];
  readonly vector?: readonly number[];
  /** The flaw, and the choice of the mapping that it is about. */
  readonly flaw?: { readonly words: string; readonly choice: string };
}

/** Reads states, and learns from them the options that a mapping does not name: `options` may grow while it reads. */
export interface StateReader {
  readonly options: readonly string[];
  readonly read: (said: unknown) => Reading;
}

/** The reader of a mapping's states. Throws a UserError on a regular expression that cannot be used. */
export function stateReader({ state }: RunSource): StateReader {
  const { options, read } = readerOf(state);
  return {
    options,
    read: (said) => {
      const value = isRowOfShares(said, state) ? said : valueAt(said, state.at);
      if (value === undefined || value === null) return flaw(nothingAt(said, state.at), "at");
      if (typeof value === "string" && value.length > LONGEST_TEXT) {
        return flaw(`a text of ${value.length} characters, more than ${LONGEST_TEXT}`, "at");
      }
      return read(value);
    },
  };
}

/** Shares in columns are taken from the row itself: an object of all its cells would take five times as long. */
const isRowOfShares = (said: unknown, state: RunSource["state"]): boolean =>
  said instanceof Row && state.kind === "shares" && state.at === "" && state.options !== undefined;

function readerOf(state: RunSource["state"]): StateReader {
  if (state.kind === "shares") return sharesReader(state);
  if (state.kind === "vote") return voteReader(state);
  return state.kind === "number" ? numberReader(state) : issuesReader(state);
}

type StateOf<Kind> = Extract<RunSource["state"], { kind: Kind }>;

const flaw = (words: string, choice: string, vector?: readonly number[]): Reading => ({
  flaw: { words, choice: `state.${choice}` },
  ...(vector && { vector }),
});

/** Shares that can be squared and summed. */
const ifFinite = (vector: readonly number[]): readonly number[] | undefined =>
  vector.every((share) => Math.abs(share) < 1e100) ? vector : undefined;

/** The beginning of a value in JSON. */
const excerpt = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? "nothing";

/** Reads the last match of a pattern in a text; without a pattern, and where there is no text, the value itself. */
function ofLastMatch(
  { pattern, anyCase }: Pick<StateOf<"vote">, "pattern" | "anyCase">,
  read: (value: unknown) => Reading,
): (value: unknown) => Reading {
  if (pattern === undefined) return read;
  const find = finder(pattern, anyCase, "pattern");
  return (value) => {
    const match = typeof value === "string" ? find(value).at(-1)?.[1] : value;
    return match === undefined ? flaw("the pattern finds nothing", "pattern") : read(match);
  };
}

function voteReader({ options, rename, ...state }: StateOf<"vote">) {
  const known = options === "occurring" ? [] : [...options];
  const fold = (name: string) => state.anyCase ? name.toLowerCase() : name;
  const indexOf = new Map(known.map((name, k) => [fold(name), k]));
  if (indexOf.size < known.length) {
    throw new UserError("state.options: some differ in capitals alone; choice: state.anyCase");
  }
  const renamed = new Map(Object.entries(rename).map(([from, to]) => [fold(from), to]));
  const vote = rememberedText((word): Reading => {
    const name = renamed.get(fold(word)) ?? word;
    if (options === "occurring" && MISSING.test(name)) {
      return flaw(`${excerpt(name)} is how programs write that there is no value`, "options");
    }
    if (options === "occurring" && !indexOf.has(fold(name))) indexOf.set(fold(name), known.push(name) - 1);
    const k = indexOf.get(fold(name)), [near] = nearest(name, known);
    if (k !== undefined) return { chosen: [k] };
    return flaw(`${excerpt(name)} is none of the options; the nearest is ${near}`, "options");
  });
  return {
    options: known,
    read: ofLastMatch(state, (value) => {
      if (typeof value === "object") return flaw(`${excerpt(value)} is no text`, "at");
      const word = String(value).trim();
      return word === "" ? flaw("the text is empty", "at") : vote(word);
    }),
  };
}

/** Words of R, Python and JavaScript for a missing value. An option of this name must be among those of the mapping. */
const MISSING = /^(?:n\/?a|nan|none|null|undefined|[-+]?inf(?:inity)?)$/i;

/** A number, also from the text of a table's cell; NaN where it is none. */
const numberOf = (value: unknown): number =>
  typeof value === "string" && value.trim() !== "" ? Number(value) : typeof value === "number" ? value : NaN;

function numberReader({ range: [low, high], ...state }: StateOf<"number">) {
  return {
    options: [String(low), String(high)],
    read: ofLastMatch(state, (value) => {
      const x = numberOf(value), share = (x - low) / (high - low), vector = [1 - share, share];
      if (!Number.isFinite(x)) return flaw(`${excerpt(value)} is no number`, "at");
      if (x >= low && x <= high) return { vector };
      return flaw(`${x} is not within ${low} to ${high}`, "range", ifFinite(vector));
    }),
  };
}

/** Largest deviation from 1 of a sum of shares written in hundredths, with the rounding of binary fractions. */
const SUM_TOLERANCE = 0.01 + 1e-9;

function sharesReader({ options, total }: StateOf<"shares">) {
  const known = [...options ?? []], isLearnt = options === undefined;
  return {
    options: known,
    read: (value: unknown): Reading => {
      if (typeof value !== "object") return flaw(`${excerpt(value)} is no list of shares, nor shares by option`, "at");
      if (known.length === 0) {
        known.push(...Object.keys(value!).map((key, k) => Array.isArray(value) ? `${k + 1}` : key));
      }
      const named = isLearnt && !Array.isArray(value) ? Object.keys(value!) : [];
      const other = named.find((key) => !known.includes(key));
      if (other !== undefined) return flaw(`${excerpt(other)} is no option of the first state`, "options");
      const shares = sharesIn(value!, known), vector = shares.map((share) => numberOf(share) / total);
      const sum = vector.reduce((all, share) => all + share, 0);
      if (shares.length !== known.length) return flaw(`${shares.length} shares, ${known.length} options`, "options");
      if (!Number.isFinite(sum)) return flaw(`${excerpt(shares)} are not all numbers`, "options");
      if (Math.min(...vector) >= 0 && Math.abs(sum - 1) <= SUM_TOLERANCE) return { vector };
      return flaw(`${excerpt(shares)} are not shares that sum to ${total}`, "total", ifFinite(vector));
    },
  };
}

/** Shares as written, in the order of the options. */
function sharesIn(value: object, options: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Row) return options.map((name) => value.cells[value.columns.get(name) ?? -1]);
  const byName = new Map(Object.entries(value));
  return options.map((name) => byName.get(name));
}

function issuesReader({ issues, options, patterns = [] }: StateOf<"issues">) {
  const key = (issue: string, option: unknown) => JSON.stringify([issue.toLowerCase(), String(option).toLowerCase()]);
  const pairs = issues.flatMap((issue, row) => options.map((option) => ({ issue, option, row })));
  const place = new Map(pairs.map(({ issue, option }, k) => [key(issue, option), k]));
  const finders = patterns.map((pattern, i) => passageFinder(pattern, `patterns[${i}]`));
  /** One option of each issue, the last one named; undefined where an issue has none. */
  const dealOf = (named: readonly (readonly [string, unknown])[]): Reading | undefined => {
    const chosen: number[] = [];
    for (const [issue, option] of named) {
      const k = place.get(key(issue, option));
      if (k !== undefined) chosen[pairs[k]!.row] = k;
    }
    return Object.keys(chosen).length === issues.length ? { chosen } : undefined;
  };
  const choice = patterns.length > 0 ? "patterns" : "options";
  const missing = flaw(`not all of the issues ${issues.join(", ")} have an option`, choice);
  return {
    options: pairs.map(({ issue, option }) => `${issue}: ${option}`),
    read: (value: unknown): Reading => {
      if (typeof value === "object") return dealOf(Object.entries(value!)) ?? missing;
      const named = finders.values().flatMap((passages) => passages(String(value)));
      return named.map(dealOf).find((deal) => deal !== undefined) ?? missing;
    },
  };
}

/** Issues with options in each passage of a text, the last passage first. */
function passageFinder(
  { match, within, anyCase }: NonNullable<StateOf<"issues">["patterns"]>[number],
  choice: string,
): (text: string) => Iterable<[string, string][]> {
  const find = finder(match, anyCase, `${choice}.match`, 2);
  const passages = within === undefined ? (text: string) => [["", text]] : finder(within, anyCase, `${choice}.within`);
  return function* (text) {
    for (const [, passage] of passages(text).reverse()) {
      yield find(passage!).map(([, issue, option]) => [issue!, option!]);
    }
  };
}

/** A longer text is not read: models write none, and the time of a match grows with it. */
const LONGEST_TEXT = 100_000;
/** For all matches in one text; each of them takes time proportional to the text. */
const LONGEST_MS = 2000;

/**
 * All matches of a pattern in a text: the whole, then its groups; a pattern without a group has the whole as its first.
 *
 * RE2 takes time proportional to the text for any pattern; V8's own engine may take for ever, and cannot be stopped.
 */
function finder(pattern: string, anyCase: boolean, choice: string, groups = 0): (text: string) => string[][] {
  const regex = compiled(pattern, anyCase, choice), inner = Array.from({ length: regex.groupCount() }, (_, i) => i + 1);
  if (inner.length < groups) throw new UserError(`state.${choice}: ${pattern} must have ${groups} groups ( )`);
  return (text) => {
    const matcher = regex.matcher(text), found: string[][] = [], until = performance.now() + LONGEST_MS;
    for (;;) {
      const isFound = matcher.find();
      if (performance.now() > until) throw new SourceFlaw(`${pattern} takes over 2 s for one text`, `state.${choice}`);
      if (!isFound) return found;
      found.push([0, ...(inner.length > 0 ? inner : [0])].map((group) => matcher.group(group) ?? ""));
    }
  };
}

function compiled(pattern: string, anyCase: boolean, choice: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL | (anyCase ? RE2JS.CASE_INSENSITIVE : 0));
  } catch (cause) {
    const why = `${(cause as Error).message}; look-around and back-references do not exist there`;
    throw new UserError(`state.${choice}: ${pattern} is no regular expression of RE2 (${why})`, { cause });
  }
}
