import { RE2JS } from "re2js";
import { nearest, UserError } from "../core/user_error.ts";
import type { RunSource } from "./run_source.ts";
import { valueAt } from "./source_units.ts";

/**
 * The state that an observation gives: `chosen` options, which share the vote equally, or a `vector` of shares; or the `flaw` for
 * which it gives none. A number out of its range has both a vector and a flaw.
 */
export interface Reading {
  readonly chosen?: readonly number[];
  readonly vector?: readonly number[];
  readonly flaw?: string;
  /** The choice of the mapping that the flaw is about. */
  readonly choice?: string;
}

/** Reads states by a mapping, and learns from them the options that it does not name. */
export interface StateReader {
  read(observation: unknown): Reading;
  /** The options so far; indices of `chosen` refer to them. */
  readonly options: readonly string[];
  /** The places of the options in their final order, which for those that occur is known only at the end. */
  order(): number[];
}

/** The reader of a mapping's states. Throws a UserError on a regular expression that cannot be used. */
export function stateReader({ state }: RunSource): StateReader {
  switch (state.kind) {
    case "shares":
      return sharesReader(state);
    case "vote":
      return voteReader(state);
    case "number":
      return numberReader(state);
    case "issues":
      return issuesReader(state);
  }
}

type StateOf<Kind> = Extract<RunSource["state"], { kind: Kind }>;

const asGiven = (options: readonly string[]) => options.map((_, k) => k);

/** Reads the value at a path, if there is one. */
function reader(at: string | readonly string[], read: (value: unknown) => Reading): StateReader["read"] {
  return (observation) => {
    const value = valueAt(observation, at);
    if (value === undefined || value === null) {
      return { flaw: `there is nothing at ${JSON.stringify(at)}`, choice: "state.at" };
    }
    return read(value);
  };
}

function voteReader({ at, options, anyCase, pattern, rename }: StateOf<"vote">): StateReader {
  const known = options === "occurring" ? [] : [...options];
  const find = pattern === undefined ? undefined : finder(pattern, { anyCase, choice: "state.pattern" });
  const fold = (name: string) => anyCase ? name.toLowerCase() : name;
  const indexOf = new Map(known.map((name, k) => [fold(name), k]));
  const renamed = new Map(Object.entries(rename).map(([from, to]) => [fold(from), to]));
  const seen = new Map<string, Reading>();
  const vote = (written: string): Reading => {
    const name = renamed.get(fold(written)) ?? written;
    let k = indexOf.get(fold(name));
    if (k === undefined && options === "occurring") indexOf.set(fold(name), k = known.push(name) - 1);
    if (k !== undefined) return { chosen: [k] };
    const [near] = nearest(name, known, { count: 1 });
    return {
      flaw: `${JSON.stringify(excerpt(name))} is none of the options; the nearest is ${near}`,
      choice: "state.options",
    };
  };
  return {
    options: known,
    order: () => options === "occurring" ? placesWhenSorted(known) : asGiven(known),
    read: reader(at, (value) => {
      const text = wordOf(value);
      if (text === undefined) return { flaw: `${excerpt(value)} is no text`, choice: "state.at" };
      const written = find ? find(text).at(-1)?.[1] : text;
      if (written === undefined) return { flaw: "the pattern finds nothing", choice: "state.pattern" };
      const word = written.trim();
      if (word === "") return { flaw: "the vote is empty", choice: "state.at" };
      let reading = seen.get(word);
      if (reading === undefined) seen.set(word, reading = vote(word));
      return reading;
    }),
  };
}

const { compare } = new Intl.Collator("en", { numeric: true });

function placesWhenSorted(names: readonly string[]): number[] {
  const sorted = names.toSorted(compare), places = new Map(sorted.map((name, place) => [name, place]));
  return names.map((name) => places.get(name)!);
}

const wordOf = (value: unknown): string | undefined =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;

const excerpt = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value) ?? "").slice(0, 60);

/** A number as written; NaN where it is none, also in a table's text. */
function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : NaN;
}

function numberReader({ at, range: [low, high], pattern, anyCase }: StateOf<"number">): StateReader {
  const options = [String(low), String(high)];
  const find = pattern === undefined ? undefined : finder(pattern, { anyCase, choice: "state.pattern" });
  return {
    options,
    order: () => asGiven(options),
    read: reader(at, (value) => {
      const written = find && typeof value === "string" ? find(value).at(-1)?.[1] : value;
      if (written === undefined) return { flaw: "the pattern finds nothing", choice: "state.pattern" };
      const x = numberOf(written);
      if (!Number.isFinite(x)) return { flaw: `${excerpt(written) || "nothing"} is no number`, choice: "state.at" };
      const share = (x - low) / (high - low), vector = [1 - share, share];
      if (x >= low && x <= high) return { vector };
      return { vector, flaw: `${x} is not within ${low} to ${high}`, choice: "state.range" };
    }),
  };
}

/** Largest deviation from 1 of a sum of shares written in hundredths, with the rounding of binary fractions. */
const SUM_TOLERANCE = 0.01 + 1e-9;

function sharesReader({ at, options, total }: StateOf<"shares">): StateReader {
  const known = [...options ?? []];
  const sharesOf = (value: unknown): unknown[] | undefined => {
    if (Array.isArray(value)) {
      if (known.length === 0) known.push(...value.map((_, k) => `${k + 1}`));
      return value;
    }
    if (typeof value !== "object" || value === null) return undefined;
    if (known.length === 0) known.push(...Object.keys(value));
    return known.map((name) => valueAt(value, name));
  };
  return {
    options: known,
    order: () => asGiven(known),
    read: reader(at, (value) => {
      const written = sharesOf(value);
      if (written === undefined) {
        return { flaw: `${excerpt(value)} is neither a list of shares nor shares by option`, choice: "state.at" };
      }
      if (written.length !== known.length) {
        return { flaw: `there are ${written.length} shares and ${known.length} options`, choice: "state.options" };
      }
      const vector = written.map((share) => numberOf(share) / total);
      const bad = vector.findIndex((share) => !Number.isFinite(share));
      if (bad >= 0) {
        return {
          flaw: `the share of ${known[bad]} is ${excerpt(written[bad]) || "missing"}, no number`,
          choice: "state.options",
        };
      }
      const sum = vector.reduce((sum, share) => sum + share, 0);
      if (vector.every((share) => share >= 0 && share <= 1) && Math.abs(sum - 1) <= SUM_TOLERANCE) return { vector };
      const words = `the shares ${written.map(excerpt).join(", ")} are not shares of ${total}`;
      return { vector, flaw: words, choice: "state.total" };
    }),
  };
}

function issuesReader({ at, issues, options, patterns = [] }: StateOf<"issues">): StateReader {
  const all = issues.flatMap((issue) => options.map((option) => `${issue}: ${option}`));
  const place = new Map(
    issues.flatMap((issue, i) =>
      options.map((option, k) => [`${issue}\n${option}`.toLowerCase(), i * options.length + k])
    ),
  );
  const find = patterns.map((pattern, i) => issuesFinder(pattern, `state.patterns[${i}]`));
  /** The places of one option of each issue; undefined where an issue has none. */
  const chosenOf = (pairs: Iterable<readonly [string, string]>): number[] | undefined => {
    const chosen = new Map<number, number>();
    for (const [issue, option] of pairs) {
      const k = place.get(`${issue}\n${option}`.toLowerCase());
      if (k !== undefined) chosen.set(Math.floor(k / options.length), k);
    }
    return chosen.size === issues.length ? issues.map((_, i) => chosen.get(i)!) : undefined;
  };
  return {
    options: all,
    order: () => asGiven(all),
    read: reader(at, (value) => {
      if (typeof value === "object") {
        const chosen = chosenOf(Object.entries(value!).map(([issue, option]) => [issue, wordOf(option) ?? ""]));
        return chosen
          ? { chosen }
          : { flaw: `has no known option for each of ${issues.join(", ")}`, choice: "state.options" };
      }
      const text = String(value);
      for (const passages of find) {
        for (const pairs of passages(text)) {
          const chosen = chosenOf(pairs);
          if (chosen) return { chosen };
        }
      }
      return { flaw: `no pattern finds an option for each of ${issues.join(", ")}`, choice: "state.patterns" };
    }),
  };
}

/** The pairs of issue and option in each passage of a text, the last passage first. */
function issuesFinder(
  { match, within, anyCase }: NonNullable<StateOf<"issues">["patterns"]>[number],
  choice: string,
): (text: string) => Iterable<[string, string][]> {
  const find = finder(match, { anyCase, choice: `${choice}.match`, groups: 2 });
  const passages = within === undefined ? undefined : finder(within, { anyCase, choice: `${choice}.within` });
  return function* (text) {
    for (const [, passage] of passages ? passages(text).reverse() : [[text, text]]) {
      yield find(passage!).map(([, issue, option]) => [issue!, option!]);
    }
  };
}

/** A longer text is not read: a model writes none, and a match's time grows with it. */
const LONGEST_TEXT = 200_000;
/** For all matches in one text. */
const LONGEST_MS = 2000;

/**
 * All matches of a pattern in a text: the whole, then its groups; a pattern without a group has the whole as its first.
 *
 * RE2 matches in time proportional to the text, whatever the pattern; V8's engine does not, and cannot be stopped.
 */
function finder(
  pattern: string,
  { anyCase, choice, groups = 1 }: { anyCase: boolean; choice: string; groups?: number },
): (text: string) => string[][] {
  const regex = compiled(pattern, anyCase, choice);
  if (groups > 1 && regex.groupCount() < groups) {
    throw new UserError(`${choice}: ${pattern} needs ${groups} groups ( )`);
  }
  return (text) => {
    if (text.length > LONGEST_TEXT) {
      throw new UserError(`a text of ${text.length} characters is longer than ${LONGEST_TEXT}; choice: ${choice}`);
    }
    const found: string[][] = [], matcher = regex.matcher(text), until = performance.now() + LONGEST_MS;
    while (matcher.find()) {
      if (performance.now() > until) {
        throw new UserError(`${pattern} takes more than 2 s for one text; choice: ${choice}`);
      }
      const whole = matcher.group() ?? "";
      const inner = Array.from({ length: regex.groupCount() }, (_, i) => matcher.group(i + 1) ?? "");
      found.push([whole, ...(inner.length === 0 ? [whole] : inner)]);
    }
    return found;
  };
}

function compiled(pattern: string, anyCase: boolean, choice: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL | (anyCase ? RE2JS.CASE_INSENSITIVE : 0));
  } catch (cause) {
    const words = "look-ahead, look-behind and back-references do not exist in RE2";
    throw new UserError(
      `${choice}: ${pattern} is no regular expression of RE2 (${(cause as Error).message}); ${words}`,
      { cause },
    );
  }
}
