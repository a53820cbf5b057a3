import { cellText, checkCell, isNumeric } from "./cell_text.ts";
import type { Column, Frame, Table, TableOptions } from "./table_type.ts";

/** A table from a data frame that is already there. Options and errors as in `buildTable`. */
export function tableOf(frame: Frame, { caption, columns, format = {}, missing = "—" }: TableOptions): Table {
  if (caption.trim() === "") throw new RangeError("a table needs a caption");
  const chosen = (columns ?? frame.columns).map((column) => typeof column === "string" ? { key: column } : column);
  const values = rowsOf(frame);
  const shown = chosen.map((column: Column) => {
    const index = frame.columns.indexOf(column.key);
    if (index === -1) {
      throw new RangeError(`no column ${JSON.stringify(column.key)}; there are ${frame.columns.join(", ")}`);
    }
    const cells = values.map((row, i) => checkCell(row[index], i, column.key));
    return { column, cells, format: column.format ?? format[column.key] };
  });
  return {
    caption,
    columns: shown.map(({ column, cells }) => ({ heading: column.heading ?? column.key, numeric: isNumeric(cells) })),
    cells: values.map((_, i) => shown.map(({ cells, format }) => cellText(cells[i], format))),
    missing,
  };
}

function rowsOf({ columns, values }: Frame): readonly (readonly unknown[])[] {
  if (!Array.isArray(values)) throw new RangeError("a data frame must hold its values row by row");
  // A frame of one column may hold its values without a row around each.
  const rows: readonly unknown[][] = values.map((row: unknown) => Array.isArray(row) ? row : [row]);
  const ragged = rows.findIndex((row) => row.length !== columns.length);
  if (ragged !== -1) {
    throw new RangeError(`row ${ragged + 1} has ${rows[ragged]!.length} values for ${columns.length} columns`);
  }
  return rows;
}
