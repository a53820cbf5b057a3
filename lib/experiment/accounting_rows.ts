import type { AccountingRow } from "../figures/accounting_plot.ts";
import type { RunAccounting } from "../storage/accounting.ts";
import { joinAccounting } from "./join_accounting.ts";

/**
 * Rows for `accountingPlot`: all conditions as one, then each that lacks runs, with the causes.
 *
 * Conditions whose runs are all there have no row of their own; the first row counts them.
 */
export function accountingRows(parts: readonly RunAccounting[]): AccountingRow[] {
  const conditions = `all ${parts.length} conditions`;
  return [joinAccounting(conditions, parts), ...parts.filter(({ deficit }) => deficit > 0)].map(
    ({ name: label, target, realised, causes: deficits }) => ({ label, target, realised, deficits }),
  );
}
