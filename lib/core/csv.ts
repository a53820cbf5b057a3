/** What a cell of a table may hold; unknown is undefined or null, never zero. */
type CsvValue = string | number | boolean | null | undefined;
export type CsvRow = Readonly<Record<string, CsvValue>>;

/**
 * Records as CSV text: a header with every key in order of appearance, then one line a record. Unknown is an empty cell.
 *
 * Text that a spreadsheet would run as a formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage return) gets an
 * apostrophe in front; numbers stay numbers, negative ones too, also where they come as text.
 *
 * Written here, not over a package: pages that forbid compiling code at run time use it too.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(toCsv([{ model: "=1+1", lambda: -0.2 }, { model: "a" }]), "model,lambda\n'=1+1,-0.2\na,\n");
 * ```
 */
export function toCsv(rows: readonly CsvRow[]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return csvText([keys, ...rows.map((row) => keys.map((key) => row[key]))]);
}

/**
 * Rows of cells as CSV text, the first row the header; see {@link toCsv}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(csvText([["run", "q"], ['the "first", =1', undefined]]), 'run,q\n"the ""first"", =1",\n');
 * ```
 */
export function csvText(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(",")}\n`).join("");
}

function csvCell(value: CsvValue): string {
  if (value === undefined || value === null) return "";
  const text = String(value);
  const formula = typeof value === "string" && /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text);
  const inert = formula ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
