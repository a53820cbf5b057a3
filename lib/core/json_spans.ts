import {
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { fail, type Issue, ok, type Result } from "./result.ts";

/** Position of one value in a JSON text: offsets of its first character and of the one after its last. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
  /** Offset of the opening quote of the value's own key, where it has one. */
  readonly key?: number;
}

/** Reason why a text is not reliable JSON, and the offset at which that shows. */
interface JsonIssue extends Issue {
  readonly code: "syntax" | "duplicate-key" | "too-deep";
  readonly offset: number;
}

/** A path to a value, as zod gives it: keys and array indices. */
export type JsonPath = readonly PropertyKey[];

/** Levels of nesting that are read: far more than any file of ours, far fewer than would exhaust the stack. */
const DEEPEST = 500;

/**
 * Locates every value of a JSON text, so that a complaint about a value can name its line.
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
  const deep = firstTooDeep(text);
  if (deep !== undefined) {
    return fail({ code: "too-deep", message: `nested deeper than ${DEEPEST} levels`, offset: deep });
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const message = first === undefined ? "value expected" : inWords(printParseErrorCode(first.error));
    return fail({ code: "syntax", message, offset: first?.offset ?? 0 });
  }
  const twice = repeatedKey(root);
  if (twice !== undefined) {
    const message = `the key ${text.slice(twice.offset, twice.offset + twice.length)} is given twice`;
    return fail({ code: "duplicate-key", message, offset: twice.offset });
  }
  return ok((path) => {
    const node = findNodeAtLocation(root, path as JSONPath);
    return node && {
      start: node.offset,
      end: node.offset + node.length,
      ...(node.parent?.type === "property" && { key: node.parent.offset }),
    };
  });
}

/** Such as `colon expected` of `ColonExpected`. */
const inWords = (code: string): string => code.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

/** Strings, closed or not, so that brackets inside them are not counted; and brackets. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*|[[{]|[\]}]/gs;

/** The offset of the first bracket that opens one level too many. */
function firstTooDeep(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > DEEPEST) return index;
  }
  return undefined;
}

/** The second of two equal keys of one object. */
function repeatedKey({ type, children = [] }: Node): Node | undefined {
  const keys = type === "object" ? children.map((property) => property.children![0]!) : [];
  const seen = new Set<string>();
  const twice = keys.find(({ value }) => seen.size === seen.add(value).size);
  return twice ?? children.map(repeatedKey).find((found) => found !== undefined);
}

/** Position of a character in a text, as editors count: the first line is 1 and the first column is 1. */
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
