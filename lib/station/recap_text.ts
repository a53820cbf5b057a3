import { createRng } from "../core/rng.ts";

/** A statement longer than this is shown cut; the whole of it is in the events. */
const SHOWN = 700;

const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Words from elsewhere as plain text inside a Markdown paragraph: on one line, with everything that Markdown or HTML
 * would take for markup escaped, and what cannot be seen (control, direction and other invisible characters) made
 * visible as `⟨U+202E⟩`. They cannot become a link, image, heading, list, formula or tag.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(plainMarkdown("a\n# b <i>"), "a \\# b \\<i\\>");
 * ```
 */
export function plainMarkdown(text: string): string {
  const oneLine = text.replace(/[\s\u0085]+/gu, " ").trim();
  const cut = oneLine.length > SHOWN ? `${oneLine.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, "")} […]` : oneLine;
  return cut
    .replace(HIDDEN, (letter) => `⟨U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`)
    .replace(/[\\`*_{}[\]<>#|~&!$@=+^]/g, "\\$&")
    // Bare addresses become links without any markup around them.
    .replace(/:(?=\S)/g, "\\:")
    .replace(/www\./gi, (word) => `${word.slice(0, 3)}\\.`)
    .replace(/^(\d+)([.)])/, "$1\\$2")
    .replace(/^-/, "\\-");
}

/** A statement in its own paragraph of a quotation. */
export const quoted = (speaker: string, statement: string): string => `> **${speaker}:** “${plainMarkdown(statement)}”`;

/** `a`, `a and b`, `a, b and c`. */
export const listed = (items: readonly string[]): string =>
  new Intl.ListFormat("en-GB", { type: "conjunction" }).format(items);

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** Small counts in words. */
export const count = (n: number, one: string, many = `${one}s`): string => `${NUMBERS[n] ?? n} ${n === 1 ? one : many}`;

/** Whole and quarter votes as people write them. */
export const votes = (n: number): string => String(Number(n.toFixed(2)));

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Gives, for each kind of sentence, its wordings (at least one) in turn; the seed decides where it begins. */
export type Varied = (kind: string, ...wordings: readonly string[]) => string;

/** Deterministic variety: equal seeds and equal questions in equal order give equal words. */
export function varied(seed: number): Varied {
  const rng = createRng(seed).fork("recap");
  const next = new Map<string, number>();
  return (kind, ...wordings) => {
    const turn = next.get(kind) ?? rng.fork(kind).int(wordings.length);
    next.set(kind, turn + 1);
    return wordings[turn % wordings.length]!;
  };
}
