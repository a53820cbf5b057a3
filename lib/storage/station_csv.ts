// @ts-types="@types/d3-dsv"
import { csvFormatRows } from "d3-dsv";

export type CsvRow = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Records as CSV: a header with every key in order of appearance, then one line a record. Unknown is an empty cell, and
 * so is null. Text that a spreadsheet would run as a formula gets an apostrophe in front.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(stationCsv([{ council: "=1+1", q: -0.5 }, { council: "a" }]), "council,q\n'=1+1,-0.5\na,\n");
 * ```
 */
export function stationCsv(rows: readonly CsvRow[]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return `${csvFormatRows([keys.map(cell), ...rows.map((row) => keys.map((key) => cell(row[key])))])}\n`;
}

function cell(value: CsvRow[string]): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
}
