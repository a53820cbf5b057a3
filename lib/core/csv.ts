/**
 * One value as a spreadsheet may read it, before quoting. Unknown is empty.
 *
 * Text that a spreadsheet would run as a formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage return) gets an
 * apostrophe in front; numbers stay numbers, negative ones too, also where they come as text.
 */
export function csvCell(value: string | number | boolean | undefined): string {
  if (value === undefined) return "";
  if (typeof value !== "string" || !/^[=+\-@\t\r]/.test(value)) return String(value);
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? value : `'${value}`;
}
