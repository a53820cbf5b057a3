const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text made safe between tags and inside quoted attributes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(escapeHtml(`<b title="x">`), "&lt;b title=&quot;x&quot;&gt;");
 * ```
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!);
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const HARMLESS = new Set(["\n", "\t", "\u00AD", "\u200C", "\u200D"]);

/**
 * Text from elsewhere with what cannot be seen made visible: control characters (a terminal would obey them) and
 * invisible or direction-changing ones (they hide words from a reader) are written as `⟨U+001B⟩`. Line breaks, tabs,
 * soft hyphens and joiners stay.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(inertText("red: \x1b[31m"), "red: ⟨U+001B⟩[31m");
 * ```
 */
export function inertText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(HIDDEN, (letter) => {
    if (HARMLESS.has(letter)) return letter;
    return `⟨U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/**
 * A value as JSON that may stand in a `<script>`: `<` is written `\u003c`, so that no text can end the script or open a
 * comment in it. Keys that are undefined are left out.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(scriptJson({ label: "</script>" }), String.raw`{"label":"\u003c/script>"}`);
 * ```
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/**
 * A reply as it is sent back to models: whole up to 2000 characters or twice what `maxTokens` tokens of English are, of a
 * longer one beginning and end. So a reply whose length the endpoint did not limit is not paid for again with every
 * prompt that quotes it.
 */
export function quotedReply(text: string, maxTokens: number): string {
  const most = Math.max(2000, 8 * maxTokens);
  if (text.length <= most) return text;
  const [start, end] = [text.slice(0, most / 2), text.slice(-most / 2)];
  // A character cut in half would not survive UTF-8.
  return `${start} [… ${text.length - most} characters left out …] ${end}`.toWellFormed();
}
