import type { CellVerdict, RecomputedCell } from "./recompute_tables.ts";

/** The worst first. */
const VERDICTS: readonly CellVerdict[] = ["not compatible", "within rounding", "as printed"];

/**
 * Recomputed cells of one table as records for a notebook's `table`: each column twice, printed beside recomputed, and
 * the worst verdict of the row with the columns that have it.
 *
 * @param columns keys of the cells with the headings that they get.
 * @throws {RangeError} when the table has no such column.
 */
export function besideRows(
  cells: readonly RecomputedCell[],
  { table, columns }: { table: RecomputedCell["table"]; columns: Readonly<Record<string, string>> },
): Record<string, string | number>[] {
  const rows = Map.groupBy(cells.filter((cell) => cell.table === table), ({ row }) => row);
  return [...rows].map(([row, own]) => {
    const chosen = Object.keys(columns).map((column) => find(own, column));
    return {
      "": row,
      ...Object.fromEntries(chosen.flatMap(({ column, printed, recomputed }) => [
        [`${columns[column]}, printed`, printed],
        [`${columns[column]}, recomputed`, recomputed],
      ])),
      verdict: verdictOf(chosen, columns),
    };
  });
}

function find(cells: readonly RecomputedCell[], column: string): RecomputedCell {
  const found = cells.find((cell) => cell.column === column);
  if (found !== undefined) return found;
  throw new RangeError(`no column ${column}; there are ${cells.map(({ column }) => column).join(", ")}`);
}

function verdictOf(cells: readonly RecomputedCell[], columns: Readonly<Record<string, string>>): string {
  const worst = VERDICTS.find((verdict) => cells.some((cell) => cell.verdict === verdict));
  if (worst === undefined || worst === "as printed") return "as printed";
  return `${cells.filter(({ verdict }) => verdict === worst).map(({ column }) => columns[column]).join(", ")} ${worst}`;
}
