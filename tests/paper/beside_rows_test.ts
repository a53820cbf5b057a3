import assert from "node:assert/strict";
import { besideRows, type RecomputedCell } from "@/paper/quality_tables.ts";

const cell = (row: string, column: string, verdict: RecomputedCell["verdict"]): RecomputedCell => ({
  ...{ table: "Table 6", row, column, printed: 1, recomputed: 2, verdict },
});

const CELLS = [
  cell("a", "mean_q", "as printed"),
  cell("a", "sd_q", "as printed"),
  cell("b", "mean_q", "within rounding"),
  cell("b", "sd_q", "not compatible"),
  { ...cell("c", "mean_q", "not compatible"), table: "Table 7" as const },
];

Deno.test("a row holds each column twice, and its worst verdict with the columns that have it", () => {
  const rows = besideRows(CELLS, { table: "Table 6", columns: { mean_q: "mean", sd_q: "SD" } });
  const values = { "mean, printed": 1, "mean, recomputed": 2, "SD, printed": 1, "SD, recomputed": 2 };
  assert.deepEqual(rows, [
    { "": "a", ...values, verdict: "as printed" },
    { "": "b", ...values, verdict: "SD not compatible" },
  ]);
  const means = besideRows(CELLS, { table: "Table 6", columns: { mean_q: "mean" } });
  assert.deepEqual(means.map(({ verdict }) => verdict), ["as printed", "mean within rounding"]);
});

Deno.test("a column that is not there is named with those that are", () => {
  assert.throws(() => besideRows(CELLS, { table: "Table 6", columns: { median: "median" } }), {
    name: "RangeError",
    message: "no column median; there are mean_q, sd_q",
  });
});
