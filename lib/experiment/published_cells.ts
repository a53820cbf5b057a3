import { UserError } from "../core/user_error.ts";

/** A row in which the given cells are published. */
export type With<Row, Name extends keyof Row> = Row & { readonly [Key in Name]-?: Exclude<Row[Key], undefined> };

/**
 * Rows of a published table, each with the given cells published.
 *
 * @param file the table's file, for the message.
 * @throws {UserError} on a cell that says `not published`, naming file, line and column.
 */
export function withCells<Row extends object, Name extends keyof Row & string>(
  rows: readonly Row[],
  { file, cells }: { file: string; cells: readonly Name[] },
): With<Row, Name>[] {
  return rows.map((row, i) => {
    const lacking = cells.filter((cell) => row[cell] === undefined);
    if (lacking.length === 0) return row as With<Row, Name>;
    throw new UserError(`${file}:${i + 2}: ${lacking.join(", ")}: must be published here`);
  });
}

/**
 * The one row of a table with the given cells.
 *
 * @throws {UserError} when none has them, or more than one.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(rowOf([{ role: "Chair", switches: 3 }, { role: "Equity", switches: 1 }], { role: "Equity" }).switches, 1);
 * ```
 */
export function rowOf<Row extends object>(rows: readonly Row[], cells: Partial<Row>): Row {
  const names = Object.keys(cells) as (keyof Row)[];
  const found = rows.filter((row) => names.every((name) => row[name] === cells[name]));
  if (found.length === 1) return found[0]!;
  throw new UserError(`${found.length} published rows have ${JSON.stringify(cells)}: must be one`);
}
