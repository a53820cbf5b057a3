import { csvFormatRows } from "d3-dsv";
import { csvCell } from "../core/csv.ts";
import type { Figure } from "../plots/figure.ts";

// @ts-types="@types/d3-dsv"

/**
 * Records as CSV text: a header with every key in order of appearance, then one line a record. Unknown is an empty cell.
 *
 * Text that a spreadsheet would run as a formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage return) gets an
 * apostrophe in front; numbers stay numbers, negative ones too, also where they come as text.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(toCsv([{ model: "=1+1", lambda: -0.2 }, { model: "a" }]), "model,lambda\n'=1+1,-0.2\na,\n");
 * ```
 */
export function toCsv(rows: Figure["rows"]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [keys.map(csvCell), ...rows.map((row) => keys.map((key) => csvCell(row[key])))];
  return `${csvFormatRows(lines)}\n`;
}
