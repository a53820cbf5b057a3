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
