/** Where a character stands in a text, as editors count: the first line is 1 and the first column is 1. */
export interface TextPosition {
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
