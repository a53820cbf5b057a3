import type { Column } from "./table_type.ts";

/** A value that is known. */
export type Known = string | number | boolean;

/**
 * The value of a cell, undefined when it is unknown.
 *
 * @throws {RangeError} on anything that is neither text, true, false nor a finite number: NaN is no way to say unknown.
 */
export function checkCell(value: unknown, row: number, key: string): Known | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string" || typeof value === "boolean") return value;
  throw new RangeError(`row ${row + 1} has ${String(value)} for ${key}; leave a value that is unknown out`);
}

/** Whether a column holds numbers, unknown values aside; a column of unknown values holds none. */
export const isNumeric = (cells: readonly (Known | undefined)[]): boolean =>
  cells.some((cell) => typeof cell === "number") &&
  cells.every((cell) => cell === undefined || typeof cell === "number");

/** The text a value is shown as, undefined when it is unknown. */
export function cellText(value: Known | undefined, format: Column["format"]): string | undefined {
  if (value === undefined) return undefined;
  if (typeof format === "function") return format(value);
  if (typeof value !== "number") return typeof value === "boolean" ? (value ? "yes" : "no") : value;
  const text = typeof format === "number" ? withDecimals(value, format) : shortNumber(value);
  return text.replace("-", "−").replace("e-", "e−");
}

/** What rounds to zero has no sign. */
function withDecimals(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return /[1-9]/.test(text) ? text : text.replace("-", "");
}

const shortNumber = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
