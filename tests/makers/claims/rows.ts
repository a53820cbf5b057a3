import { UserError } from "@/core/user_error.ts";
import { findFact, type PublishedFact } from "@/lab/paper/published_table.ts";

// What the values of claims take from published tables.

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

/** The rows, those with the highest number first. */
export const descending = <Row>(rows: readonly Row[], by: (row: Row) => number): Row[] =>
  rows.toSorted((a, b) => by(b) - by(a));

/** The rows that pass, and the others. */
export const parted = <Row>(rows: readonly Row[], passes: (row: Row) => boolean): [Row[], Row[]] => [
  rows.filter(passes),
  rows.filter((row) => !passes(row)),
];

/** The row with the lowest number. */
export const lowest = <Row>(rows: readonly Row[], by: (row: Row) => number): Row =>
  rows.reduce((a, b) => by(b) < by(a) ? b : a);

/**
 * The single value of a published fact, or one printed end of a range or of a one-sided statement.
 *
 * @throws {UserError} when there is no fact of that id (naming the nearest), or that number is not printed.
 */
export function factNumber(
  facts: readonly PublishedFact[],
  id: string,
  part: "value" | "low" | "high" = "value",
): number {
  const number = findFact(facts, id)[part], name = part === "value" ? "single value" : `${part} end`;
  if (number === undefined) throw new UserError(`the published fact ${id} has no ${name}`);
  return number;
}

/** Both printed ends of a published range; it throws as `factNumber` does. */
export const factRange = (facts: readonly PublishedFact[], id: string): [low: number, high: number] => [
  factNumber(facts, id, "low"),
  factNumber(facts, id, "high"),
];
