import type { Issue } from "../core/result.ts";

/** Why a model's words could not be read as a reply or a plan. */
export interface ParseIssue extends Issue {
  readonly code:
    // the text
    | "empty"
    | "too_long"
    | "not_json"
    | "too_deep"
    | "ambiguous"
    // what it holds
    | "wrong_type"
    | "extra_key"
    | "too_many_keys"
    // a reply
    | "unknown_action"
    | "missing_field"
    // a plan
    | "needs_repair"
    | "missing_quantity"
    | "not_a_number"
    | "negative"
    | "fractional"
    | "too_large"
    | "word_number"
    | "unknown_unit";
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
 * both there. `bare` is unquoted text that is no JSON value, such as `NaN` or `40%`.
 */
export type JsonNode =
  | ObjectNode
  | (Span & { readonly kind: "array"; readonly items: readonly JsonNode[] })
  | (Span & { readonly kind: "string" | "number" | "bare"; readonly text: string })
  | (Span & { readonly kind: "literal"; readonly value: boolean | null });

/** Leaves a descent into a model's words at the first issue; never leaves this folder's readers. */
export class Unreadable extends Error {
  constructor(readonly issue: ParseIssue) {
    super(issue.message);
  }
}

/** Gives up reading. */
export function refuse(code: ParseIssue["code"], message: string): never {
  throw new Unreadable({ code, message });
}

/** Enough of a model's words to recognise them by, printable on one line. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
