// @ts-types="@types/d3-array"
import { sum } from "d3-array";
import { accountingRows } from "../runs/accounting.ts";
import { say } from "./say.ts";
import { table } from "./table.ts";

/** Shows which of the planned runs are missing and why: a table where there are any, and a sentence. Await it. */
export async function missingRuns(conditions: Parameters<typeof accountingRows>[0]): Promise<void> {
  const rows = accountingRows(conditions);
  const missing = rows.filter(({ outcome }) => outcome !== "complete")
    .map(({ condition, outcome, runs }) => ({ condition, cause: outcome, "runs missing": runs }));
  const planned = sum(rows, ({ runs }) => runs);
  if (missing.length === 0) return await say`None of the ${planned} planned runs is missing.`;
  await table(missing, { caption: "Conditions that lack runs" });
  const lost = sum(missing, (row) => row["runs missing"]);
  const lacking = new Set(missing.map(({ condition }) => condition)).size;
  await say`${lost} of ${planned} runs are missing, in ${lacking} of ${conditions.length} conditions.`;
}
