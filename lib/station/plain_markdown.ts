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
