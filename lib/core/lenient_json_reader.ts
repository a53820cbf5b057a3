import type { Issue } from "./result.ts";

/** Why a text holds no JSON object that can be read. */
export interface LenientIssue extends Issue {
  readonly code: "empty" | "too_long" | "not_json" | "too_deep" | "ambiguous";
}

/** Offsets in the source text of a value's first character and of the one after its last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ObjectNode extends Span {
  readonly kind: "object";
  readonly members: readonly Member[];
}

/** One `key: value` of an object. Members are a list, so that no key, `__proto__` included, can reach a prototype. */
export interface Member {
  readonly key: string;
  readonly value: JsonNode;
}

/**
 * A JSON value as written: numerals stay text, so that nothing is rounded before it is judged, and keys given twice are
 * both there. `bare` is unquoted text that is not a JSON value, such as `NaN` or `40%`.
 */
export type JsonNode =
  | ObjectNode
  | (Span & { readonly kind: "array"; readonly items: readonly JsonNode[] })
  | (Span & { readonly kind: "string" | "number" | "bare"; readonly text: string })
  | (Span & { readonly kind: "literal"; readonly value: boolean | null });

/** Leaves a descent into a model's words at the first issue; never leaves the readers, which call `attempt`. */
export class Unreadable extends Error {
  constructor(readonly issue: Issue) {
    super(issue.message);
  }
}

/** Gives up reading. */
export function refuse(code: string, message: string): never {
  throw new Unreadable({ code, message });
}

/** Enough of a model's words to recognise them by, printable on one line. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** Levels of nesting that are read: a reply with a plan has four. */
const DEEPEST = 64;

const SPACE = /[ \t\n\r]*/y;
const ODD_SPACE = /[^\S \t\n\r]+/y;
const COMMENT = /\/\/[^\n\r]*|\/\*/y;
const BARE_KEY = /[A-Za-z_$][\w$]*/y;
const BARE = /[^\s,:{}[\]"'“”„‘’`/][^,:{}[\]"'“”„‘’`/\n\r]*/y;
const NUMERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const HEX4 = /^[0-9a-fA-F]{4}$/;

const LITERALS = new Map([["true", true], ["false", false], ["null", null]]);
const PYTHON_LITERALS = new Map([["True", true], ["False", false], ["None", null]]);
const ESCAPES = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** What closes a string that one of these opens, and the repair that this is. */
const QUOTES = new Map<string, { readonly closing: string; readonly repair?: string }>([
  ['"', { closing: '"' }],
  ["'", { closing: "'", repair: "single_quotes" }],
  ..."“”„".split("").map((open) => [open, { closing: "“”", repair: "smart_quotes" }] as const),
  ..."‘’".split("").map((open) => [open, { closing: "‘’", repair: "smart_quotes" }] as const),
]);

/** A name and the offset it belongs to. */
export interface Mark {
  readonly name: string;
  readonly at: number;
}

/**
 * A recursive descent over one text that accepts JSON and its near misses, and notes each departure from RFC 8259.
 * Reads every character a bounded number of times.
 */
export class LenientReader {
  readonly repairs: Mark[] = [];
  /** Keys given a second time in one object. */
  readonly duplicates: Mark[] = [];
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  /** The object whose opening brace stands at `start`. */
  object(start: number): ObjectNode {
    this.at = start;
    this.descend();
    const members: Member[] = [];
    const seen = new Set<string>();
    this.list("}", () => {
      const at = this.at;
      const key = this.key();
      if (seen.has(key)) this.duplicates.push({ name: key, at });
      seen.add(key);
      this.space();
      if (!this.skip(":")) this.stop(`expected a colon after the key ${excerpt(key)}`);
      members.push({ key, value: this.value() });
    });
    return { kind: "object", members, start, end: this.at };
  }

  private value(): JsonNode {
    this.space();
    const start = this.at;
    const character = this.text[start] ?? "";
    if (character === "{") return this.object(start);
    if (character === "[") return this.array(start);
    if (QUOTES.has(character)) {
      const text = this.string();
      return { kind: "string", text, start, end: this.at };
    }
    return this.bare(start);
  }

  private array(start: number): JsonNode {
    this.descend();
    const items: JsonNode[] = [];
    this.list("]", () => items.push(this.value()));
    return { kind: "array", items, start, end: this.at };
  }

  private descend(): void {
    if (++this.depth > DEEPEST) refuse("too_deep", `nested deeper than ${DEEPEST} levels`);
  }

  /** Entries between an opening bracket, at which we stand, and the closing one. */
  private list(closing: "}" | "]", entry: () => void): void {
    this.at++;
    for (let comma = false;; comma = true) {
      this.space();
      const before = this.at;
      if (this.skip(closing)) {
        if (comma) this.repairs.push({ name: "trailing_comma", at: before });
        break;
      }
      entry();
      this.space();
      if (this.skip(",")) continue;
      if (this.skip(closing)) break;
      this.stop(`expected a comma or ${closing}`);
    }
    this.depth--;
  }

  private key(): string {
    if (QUOTES.has(this.text[this.at] ?? "")) return this.string();
    const at = this.at;
    const name = this.take(BARE_KEY) ?? this.stop("expected a key");
    this.repairs.push({ name: "unquoted_key", at });
    return name;
  }

  private bare(start: number): JsonNode {
    const run = this.take(BARE) ?? this.stop("expected a value");
    let length = run.length;
    while (run[length - 1] === " " || run[length - 1] === "\t") length--;
    const text = run.slice(0, length);
    const span = { start, end: start + text.length };
    if (NUMERAL.test(text)) return { kind: "number", text, ...span };
    const literal = LITERALS.get(text);
    if (literal !== undefined) return { kind: "literal", value: literal, ...span };
    const python = PYTHON_LITERALS.get(text);
    this.repairs.push({ name: python === undefined ? "unquoted_text" : "python_literal", at: start });
    return python === undefined ? { kind: "bare", text, ...span } : { kind: "literal", value: python, ...span };
  }

  /** The string whose opening quote we stand at, decoded. */
  private string(): string {
    const start = this.at;
    const { closing, repair } = QUOTES.get(this.text[start]!)!;
    if (repair !== undefined) this.repairs.push({ name: repair, at: start });
    const pieces: string[] = [];
    let from = ++this.at;
    for (;; this.at++) {
      const character = this.text[this.at];
      if (character === undefined) return this.stop("a string is not closed", start);
      if (closing.includes(character)) break;
      if (character < " ") this.stop("a control character stands unescaped in a string");
      if (character !== "\\") continue;
      pieces.push(this.text.slice(from, this.at), this.escape());
      from = this.at + 1;
    }
    pieces.push(this.text.slice(from, this.at++));
    return pieces.join("");
  }

  /** The character that the escape at which we stand means; moves to the last character of the escape. */
  private escape(): string {
    const letter = this.text[++this.at] ?? "";
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) return plain;
    if (letter === "'") {
      this.repairs.push({ name: "escaped_apostrophe", at: this.at });
      return letter;
    }
    const digits = this.text.slice(this.at + 1, this.at + 5);
    if (letter !== "u" || !HEX4.test(digits)) this.stop("a string holds an escape that JSON does not know");
    this.at += 4;
    return String.fromCharCode(parseInt(digits, 16));
  }

  /** Moves past white space, JSON's own and other, and past comments. */
  private space(): void {
    for (;;) {
      this.take(SPACE);
      const at = this.at;
      if (this.take(ODD_SPACE)) this.repairs.push({ name: "odd_space", at });
      else if (this.comment()) this.repairs.push({ name: "comment", at });
      else return;
    }
  }

  private comment(): boolean {
    const opening = this.take(COMMENT);
    if (opening !== "/*") return opening !== undefined;
    const end = this.text.indexOf("*/", this.at);
    if (end < 0) this.stop("a comment is not closed");
    this.at = end + 2;
    return true;
  }

  private skip(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  /** What the pattern matches here, `undefined` where that is nothing. */
  private take(token: RegExp): string | undefined {
    token.lastIndex = this.at;
    const found = token.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found === "" ? undefined : found;
  }

  private stop(message: string, at = this.at): never {
    return refuse("not_json", `${message}, at character ${at + 1}`);
  }
}
