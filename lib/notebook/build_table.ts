import { tableOf } from "./table_of.ts";
import type { Cell, Frame, Table, TableOptions } from "./table_type.ts";

/**
 * A table from records, by way of a danfojs data frame.
 *
 * An unknown value stays unknown: it is never shown as 0 or NaN.
 *
 * @throws {RangeError} on a value that is neither text, a finite number, true, false nor unknown, naming row and column;
 * on a column that no record has; on a caption that is blank.
 */
export async function buildTable(
  rows: readonly Readonly<Record<string, Cell>>[],
  options: TableOptions,
): Promise<Table> {
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = (options.columns ?? known).map((column) => typeof column === "string" ? { key: column } : column);
  for (const { key } of columns) {
    if (rows.length > 0 && !known.includes(key)) {
      throw new RangeError(`no record has ${JSON.stringify(key)}; the keys are ${known.join(", ")}`);
    }
  }
  // The frame of no rows forgets its columns, and danfojs takes a second to load: an empty table does without.
  if (rows.length === 0) {
    return tableOf({ columns: columns.map(({ key }) => key), values: [] }, { ...options, columns });
  }
  const { DataFrame } = await import("danfojs");
  const frame = new DataFrame(rows.map((row) => columns.map(({ key }) => row[key])), {
    columns: columns.map(({ key }) => key),
  });
  return tableOf(frame as Frame, { ...options, columns });
}
