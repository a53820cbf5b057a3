import { UserError } from "@/core/user_error.ts";

/**
 * The one row of a published table with the given cells.
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
