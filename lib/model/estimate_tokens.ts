/**
 * A rough count of a text's tokens: its UTF-8 bytes over four, rounded up.
 *
 * English averages about four characters a token in current tokenisers. Bytes, not characters, because scripts with
 * more bytes a character also need more tokens for each. For planning a budget alone: a single text may be off by half,
 * source code and numbers by more, and what was really used is in a reply's `usage`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(estimateTokens("twelve chars"), 3);
 * ```
 */
export function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 4);
}
