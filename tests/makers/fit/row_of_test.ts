import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { rowOf } from "./row_of.ts";

const says = (part: RegExp) => (error: unknown) => error instanceof UserError && part.test(error.message);

Deno.test("rowOf() takes the one row that has all the cells, and refuses none and two", () => {
  const rows = [{ role: "Chair", t: 0 }, { role: "Chair", t: 1 }, { role: "Equity", t: 0 }];
  assert.equal(rowOf(rows, { role: "Chair", t: 1 }), rows[1]);
  assert.throws(() => rowOf(rows, { role: "Chair" }), says(/^2 published rows have \{"role":"Chair"\}: must be one/));
  assert.throws(() => rowOf(rows, { role: "Rights" }), says(/^0 published rows/));
});
