import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { factNumber, rowOf } from "./rows.ts";

const says = (part: RegExp) => (error: unknown) => error instanceof UserError && part.test(error.message);

Deno.test("rowOf() takes the one row that has all the cells, and refuses none and two", () => {
  const rows = [{ role: "Chair", t: 0 }, { role: "Chair", t: 1 }, { role: "Equity", t: 0 }];
  assert.equal(rowOf(rows, { role: "Chair", t: 1 }), rows[1]);
  assert.throws(() => rowOf(rows, { role: "Chair" }), says(/^2 published rows have \{"role":"Chair"\}: must be one/));
  assert.throws(() => rowOf(rows, { role: "Rights" }), says(/^0 published rows/));
});

const fact = (id: string, bounds: { low?: number; high?: number }) => ({
  ...{ id, value: undefined, low: undefined, high: undefined, unit: "u", statement: "s", source: "1" },
  ...bounds,
});
const FACTS = [fact("both", { low: 0, high: 2 }), fact("one-sided", { high: 0.02 }), fact("words", {})];

Deno.test("factNumber() gives the end that is asked for, also where it is 0", () => {
  assert.equal(factNumber(FACTS, "both", "low"), 0);
  assert.equal(factNumber(FACTS, "both", "high"), 2);
  assert.equal(factNumber(FACTS, "one-sided", "high"), 0.02);
});

Deno.test("factNumber() refuses an end that is not printed, and a fact that is not there, with the nearest", () => {
  assert.throws(() => factNumber(FACTS, "one-sided", "low"), says(/the published fact one-sided has no low end/));
  assert.throws(() => factNumber(FACTS, "words", "high"), says(/the published fact words has no high end/));
  assert.throws(() => factNumber(FACTS, "bth", "low"), says(/did you mean both/));
});
