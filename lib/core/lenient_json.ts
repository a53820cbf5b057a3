import { fail, type Issue, ok, type Result } from "./result.ts";
import {
  type LenientIssue,
  LenientReader,
  type Mark,
  type ObjectNode,
  refuse,
  Unreadable,
} from "./lenient_json_reader.ts";

/** One object read from a text, and all that kept the text from being exactly that object in JSON. */
export interface LenientJson {
  /** The text that the offsets count in. */
  readonly source: string;
  readonly root: ObjectNode;
  /** None exactly where the text, trimmed, is JSON. */
  readonly repairs: readonly Mark[];
  /** Keys that stand more than once in one object, which JSON allows and leaves without a meaning. */
  readonly duplicates: readonly Mark[];
}

/** UTF-16 units; a thousand times what a council reply needs. */
const LONGEST = 1_000_000;

// A brace in prose opens no object unless what follows could be the start of one. Each class excludes the brace, so
// attempts never overlap and the whole search is linear.
const OPENING = /\{\s*(?:["'“”„‘’}]|\/[/*]|[A-Za-z_$][\w$]*\s*:)/y;
const FENCE_BEFORE = /(?:```|~~~)[A-Za-z0-9]{0,10}$/;
const FENCE_AFTER = /^(?:```|~~~)/;

/**
 * Finds and reads the one JSON object of a text, forgiving what models do to JSON and naming it each time: `code_fence`,
 * `surrounding_prose`, `json_in_string`, `trailing_comma`, `single_quotes`, `smart_quotes`, `escaped_apostrophe`,
 * `unquoted_key`, `unquoted_text`, `python_literal`, `comment`, `odd_space`.
 *
 * Nothing is completed: an object that is not closed, a missing comma or a bad escape is `not_json`, since the rest of a
 * cut numeral cannot be known. This is why no repairing library is used: `jsonrepair` and its like close and fill in what
 * is missing, and do not say what they did. Two objects are `ambiguous`. Takes time linear in the text, and never throws.
 *
 * @param text a model's words, at most 1,000,000 UTF-16 units.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const read = lenientJson("Here: {'crew': 40,}");
 * assert.ok(read.ok);
 * assert.deepEqual(read.value.repairs.map(({ name }) => name), ["surrounding_prose", "single_quotes", "trailing_comma"]);
 * ```
 */
export function lenientJson(text: string): Result<LenientJson, LenientIssue> {
  return attempt(() => {
    if (text.length > LONGEST) refuse("too_long", `${text.length} characters, at most ${LONGEST} are read`);
    const trimmed = text.trim();
    if (trimmed === "") refuse("empty", "there is no text");
    return readText(trimmed) ?? readInString(trimmed) ?? refuse("not_json", "there is no JSON object");
  });
}

/** Runs a reader that may give up by `refuse`, with codes that the caller knows. */
export function attempt<T, E extends Issue>(read: () => T): Result<T, E> {
  try {
    return ok(read());
  } catch (thrown) {
    if (thrown instanceof Unreadable) return fail(thrown.issue as E);
    throw thrown;
  }
}

function readText(text: string): LenientJson | undefined {
  const reader = new LenientReader(text);
  let root: ObjectNode | undefined;
  for (let at = nextObject(text, 0); at >= 0; at = nextObject(text, root.end)) {
    if (root !== undefined) refuse("ambiguous", "there are two JSON objects, one is wanted");
    root = reader.object(at);
  }
  if (root === undefined) return undefined;
  const around = surroundings(text.slice(0, root.start), text.slice(root.end));
  return { source: text, root, repairs: [...around, ...reader.repairs], duplicates: reader.duplicates };
}

function nextObject(text: string, from: number): number {
  for (let at = text.indexOf("{", from); at >= 0; at = text.indexOf("{", at + 1)) {
    OPENING.lastIndex = at;
    if (OPENING.test(text)) return at;
  }
  return -1;
}

/** What stands before and after the object, as repairs. */
function surroundings(before: string, after: string): Mark[] {
  const head = before.trimEnd();
  const tail = after.trimStart();
  const prose = head.replace(FENCE_BEFORE, "");
  const rest = tail.replace(FENCE_AFTER, "");
  return [
    ...(prose === head && rest === tail ? [] : [{ name: "code_fence", at: 0 }]),
    ...(prose.trim() === "" && rest.trim() === "" ? [] : [{ name: "surrounding_prose", at: 0 }]),
  ];
}

/** An object that was written as JSON and then quoted as a JSON string. */
function readInString(text: string): LenientJson | undefined {
  const inner = text.startsWith('"') ? parsed(text) : undefined;
  const json = typeof inner === "string" ? readText(inner.trim()) : undefined;
  return json && { ...json, repairs: [{ name: "json_in_string", at: 0 }, ...json.repairs] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
