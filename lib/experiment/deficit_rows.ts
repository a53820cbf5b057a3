import type { AccountingRow } from "../figures/accounting_plot.ts";
import type { Condition } from "../schema/condition.ts";
import type { RunAccounting } from "../storage/accounting.ts";
import { conditionWords } from "./condition_words.ts";

/** Rows for `accountingPlot`: the conditions that lack runs, with the causes. The others have none and no row. */
export function deficitRows(
  conditions: readonly { readonly condition: Condition; readonly accounting: RunAccounting }[],
): AccountingRow[] {
  return conditions.filter(({ accounting }) => accounting.deficit > 0).map(
    ({ condition, accounting: { target, realised, causes } }) => ({
      ...{ label: conditionWords(condition), target, realised, deficits: causes },
    }),
  );
}
