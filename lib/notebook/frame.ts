import { createRequire } from "node:module";
import type { DataFrame } from "danfojs";
import { checkList } from "../core/options.ts";
import { tableBundle, tableOf } from "./table.ts";

// danfojs takes a good part of a second to load: only a notebook that makes a frame waits for it.
const require = createRequire(import.meta.url);
let loaded: typeof DataFrame | undefined;

/**
 * A danfojs data frame from records. A key that a record lacks is an empty cell.
 *
 * For grouping, joining, pivoting, describing and showing. Estimates come from the estimators: a group's `std` of one row
 * is 0 in danfojs. A column named like a method (`round`, `index`) is reached by `df.column("round")`.
 *
 * @param rows flat records: text, finite numbers, true and false; an absent key or undefined is unknown.
 * @throws {RangeError} on NaN, an infinite number or a nested value, naming row and column; on no rows without `columns`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const df = frame([{ roles: true, lambda: 0.05 }, { roles: false, lambda: 0.02 }]);
 * assert.deepEqual(df.columns, ["roles", "lambda"]);
 * ```
 */
export function frame(rows: readonly Readonly<Record<string, unknown>>[]): DataFrame {
  checkList("rows", rows);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) throw new RangeError("a frame needs at least one record with a key");
  const cells = rows.map((row, i) => columns.map((column) => cell(row[column], i, column)));
  return new (dataFrame())(cells, { columns });
}

/** danfojs shows a missing cell as null and knows it as unknown. */
function cell(value: unknown, row: number, column: string): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`row ${row + 1}, column ${column}: ${value} is no number; leave out what is unknown`);
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new RangeError(
    `row ${row + 1}, column ${column}: ${Array.isArray(value) ? "an array" : `a value of type ${typeof value}`}; ` +
      "a frame takes text, numbers, true and false: make a column, or a row, of each part",
  );
}

function dataFrame(): typeof DataFrame {
  if (loaded !== undefined) return loaded;
  const { DataFrame: made } = require("danfojs/dist/danfojs-base") as { DataFrame: typeof DataFrame };
  // Frames derived by danfojs are of the class below; a cell that ends in one shows it as a table.
  const base = Object.getPrototypeOf(made.prototype);
  base[Symbol.for("Jupyter.display")] = function (this: DataFrame) {
    return tableBundle(tableOf(this as never, { caption: "Data frame" }));
  };
  return loaded = made;
}
