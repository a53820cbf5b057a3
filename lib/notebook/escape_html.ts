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
