import { createRequire, Module } from "node:module";
import type { DataFrame } from "danfojs";
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
  loadWhenUsed("mathjs");
  const { DataFrame: made } = require("danfojs/dist/danfojs-base") as { DataFrame: typeof DataFrame };
  // Frames derived by danfojs are of the class below; a cell that ends in one shows it as a table.
  const base = Object.getPrototypeOf(made.prototype);
  base[Symbol.for("Jupyter.display")] = function (this: DataFrame) {
    return tableBundle(tableOf(this as never, { caption: "Data frame" }));
  };
  return loaded = made;
}

/** Puts a stand-in where danfojs looks for a package that is slow to load, and that most frames never use. */
function loadWhenUsed(name: string): void {
  const path = createRequire(require.resolve("danfojs/dist/danfojs-base")).resolve(name);
  let real: object | undefined;
  const load = () => {
    delete require.cache[path];
    return require(path) as object;
  };
  const exports = new Proxy({}, { get: (_, key) => Reflect.get(real ??= load(), key) });
  require.cache[path] = Object.assign(new Module(path), { exports, filename: path, loaded: true });
}
