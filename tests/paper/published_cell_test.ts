import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { rowOf, withCells } from "@/paper/published_cell.ts";

const says = (part: RegExp) => (error: unknown) => error instanceof UserError && part.test(error.message);

Deno.test("withCells() gives back the rows, or names file, line and every cell that is missing", () => {
  const rows = [{ a: 0, b: 1, c: undefined }, { a: undefined, b: undefined, c: 2 }];
  assert.deepEqual(withCells(rows.slice(0, 1), { file: "t.csv", cells: ["a", "b"] }), rows.slice(0, 1));
  assert.throws(
    () => withCells(rows, { file: "t.csv", cells: ["a", "b"] }),
    says(/^t\.csv:3: a, b: must be published/),
  );
});

Deno.test("rowOf() takes the one row that has all the cells, and refuses none and two", () => {
  const rows = [{ role: "Chair", t: 0 }, { role: "Chair", t: 1 }, { role: "Equity", t: 0 }];
  assert.equal(rowOf(rows, { role: "Chair", t: 1 }), rows[1]);
  assert.throws(() => rowOf(rows, { role: "Chair" }), says(/^2 published rows have \{"role":"Chair"\}: must be one/));
  assert.throws(() => rowOf(rows, { role: "Rights" }), says(/^0 published rows/));
});
