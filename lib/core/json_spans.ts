import { fail, type Issue, ok, type Result } from "./result.ts";

/** Where one value stands in a JSON text: offsets of its first character and of the one after its last. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
  /** Offset of the opening quote of the value's own key, where it has one. */
  readonly key?: number;
}

/** Why a text is not JSON that can be relied on, and the offset at which that shows. */
interface JsonIssue extends Issue {
  readonly code: "syntax" | "duplicate-key" | "too-deep";
  readonly offset: number;
}

/** A path to a value, as zod gives it: keys and array indices. */
export type JsonPath = readonly PropertyKey[];

/** Levels of nesting that are read: far more than any file of ours, far fewer than would exhaust the stack. */
const DEEPEST = 500;

const SPACE = /[ \t\n\r]*/y;
// JSON forbids bare control characters in strings.
// deno-lint-ignore no-control-regex
const STRING = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Where every value of a JSON text stands, so that a complaint about a value can name its line.
 *
 * Accepts exactly what `JSON.parse` accepts (RFC 8259), except that a key given twice in one object is an issue,
 * since `JSON.parse` would silently keep the last, and so is nesting deeper than 500 levels.
 *
 * @returns a lookup from path to span, `undefined` where the text has no such value.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const spans = jsonSpans('{"roles": [true, false]}');
 * assert.ok(spans.ok);
 * assert.deepEqual(spans.value(["roles", 1]), { start: 17, end: 22 });
 * ```
 */
export function jsonSpans(text: string): Result<(path: JsonPath) => JsonSpan | undefined, JsonIssue> {
  const walk = new Walk(text);
  try {
    walk.document();
  } catch (thrown) {
    if (thrown instanceof Stop) return fail(thrown.issue);
    throw thrown;
  }
  return ok((path) => walk.spans.get(pathKey(path)));
}

function pathKey(path: JsonPath): string {
  return JSON.stringify(path.map(String));
}

/** Leaves the descent at the first issue. */
class Stop extends Error {
  constructor(readonly issue: JsonIssue) {
    super(issue.message);
  }
}

/** A recursive descent over the text that notes spans and builds no values. */
class Walk {
  readonly spans = new Map<string, JsonSpan>();
  private at = 0;

  constructor(private readonly text: string) {}

  document(): void {
    this.value([]);
    if (this.at < this.text.length) this.stop("expected the end of the file after the value");
  }

  /** One value with the white space around it. */
  private value(path: string[], key?: number): void {
    if (path.length > DEEPEST) this.stop(`nested deeper than ${DEEPEST} levels`, "too-deep");
    this.take(SPACE);
    const start = this.at;
    if (this.skip("{")) this.members(path);
    else if (this.skip("[")) this.items(path);
    else if (!this.take(STRING) && !this.take(SCALAR)) this.stop(this.valueWanted());
    this.spans.set(pathKey(path), { start, end: this.at, ...(key !== undefined && { key }) });
    this.take(SPACE);
  }

  private members(path: string[]): void {
    this.take(SPACE);
    if (this.skip("}")) return;
    const seen = new Set<string>();
    do {
      this.take(SPACE);
      const offset = this.at;
      const written = this.take(STRING) ?? this.stop("expected a key in double quotes");
      const key = JSON.parse(written) as string;
      if (seen.has(key)) this.stop(`the key ${written} is given twice`, "duplicate-key", offset);
      seen.add(key);
      this.take(SPACE);
      if (!this.skip(":")) this.stop(`expected a colon after the key ${written}`);
      this.value([...path, key], offset);
    } while (this.skip(","));
    if (!this.skip("}")) this.stop("expected a comma or the closing brace }");
  }

  private items(path: string[]): void {
    this.take(SPACE);
    if (this.skip("]")) return;
    let index = 0;
    do this.value([...path, String(index++)]); while (this.skip(","));
    if (!this.skip("]")) this.stop("expected a comma or the closing bracket ]");
  }

  private valueWanted(): string {
    return this.text[this.at] === '"' ? "this string is not closed, or holds a bad escape" : "expected a value";
  }

  private skip(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private take(token: RegExp): string | undefined {
    token.lastIndex = this.at;
    const found = token.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private stop(message: string, code: JsonIssue["code"] = "syntax", offset = this.at): never {
    throw new Stop({ code, message, offset });
  }
}

/** Where a character stands in a text, as editors count: the first line is 1 and the first column is 1. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Matches what ends a line: LF, CR LF or CR. */
export const LINE_BREAK = /\r\n|\n|\r/g;

/**
 * Line and column of the character at `offset`; columns count UTF-16 units.
 *
 * @throws {RangeError} when the offset lies outside 0…text.length (the end itself is allowed).
 */
export function textPosition(text: string, offset: number): TextPosition {
  if (!Number.isInteger(offset) || offset < 0 || offset > text.length) {
    throw new RangeError(`offset must be an integer in 0…${text.length}, got ${offset}`);
  }
  const lines = text.slice(0, offset).split(LINE_BREAK);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
