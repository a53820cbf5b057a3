import { csvCell } from "../core/csv.ts";

/**
 * Rows of cells as CSV text, the first row the header. Unknown is an empty cell; a text that a spreadsheet would run as a
 * formula gets an apostrophe in front.
 *
 * The library's `toCsv` does the same over a package that compiles code as it runs, which a page may forbid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(csvText([["run", "q"], ['the "first", =1', undefined]]), 'run,q\n"the ""first"", =1",\n');
 * ```
 */
export function csvText(rows: readonly (readonly (string | number | boolean | undefined)[])[]): string {
  return rows.map((cells) => cells.map((cell) => quoted(csvCell(cell))).join(",")).join("\n") + "\n";
}

const quoted = (cell: string): string => /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
