import { createRequire } from "node:module";
import type { DataFrame } from "danfojs";
import { checkList, ownValue } from "../../core/options.ts";
import { checkCell, tableBundle, tableOf } from "./table.ts";

// danfojs takes almost a second to load, so it is loaded only for the first frame.
const require = createRequire(import.meta.url);
let loaded: typeof DataFrame | undefined;

/**
 * A danfojs data frame from records. A key that a record lacks is an empty cell.
 *
 * Use it to group, join, pivot, describe and show. Take estimates from the estimators: in danfojs, the `std` of a group
 * of one row is 0. Get a column named like a method (`round`, `index`) by `df.column("round")`.
 *
 * @param rows flat records: text, finite numbers, true and false; an absent key or undefined is unknown.
 * @throws {RangeError} on NaN, an infinite number or a nested value, naming row and column; on no rows without
 * `columns`.
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
  // danfojs shows a missing cell as null and treats it as unknown.
  const cells = rows.map((row, i) => columns.map((column) => checkCell(ownValue(row, column), i, column) ?? null));
  return new (dataFrame())(cells, { columns });
}

function dataFrame(): typeof DataFrame {
  if (loaded !== undefined) return loaded;
  const { DataFrame: made } = require("danfojs/dist/danfojs-base") as { DataFrame: typeof DataFrame };
  // Frames derived by danfojs have this base class; a cell that ends in one shows it as a table.
  const base = Object.getPrototypeOf(made.prototype);
  base[Symbol.for("Jupyter.display")] = function (this: DataFrame) {
    return tableBundle(tableOf(this as never, { caption: "Data frame" }));
  };
  return loaded = made;
}
