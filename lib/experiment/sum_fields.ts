/** The fields of a record that hold numbers. */
type NumberFields<Row> = { readonly [Key in keyof Row as Row[Key] extends number ? Key : never]: number };

/**
 * Records of counts added up, field by field. Fields that hold no number are left out.
 *
 * @throws {RangeError} without records, whose fields are not known.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const total = sumFields([{ calls: 3, served: ["a"] }, { calls: 4, served: ["b"] }]);
 * assert.deepEqual(total, { calls: 7 });
 * ```
 */
export function sumFields<Row extends object>(rows: readonly Row[]): NumberFields<Row> {
  if (rows.length === 0) throw new RangeError("no records to add up: their fields are not known");
  const sums: Record<string, number> = {};
  for (const [key, value] of rows.flatMap((row) => Object.entries(row))) {
    if (typeof value === "number") sums[key] = (sums[key] ?? 0) + value;
  }
  return sums as NumberFields<Row>;
}
