import { conditionName } from "../deliberation/condition_name.ts";
import type { PublishedRunAccountingRow } from "../schema/published_run_accounting.ts";
import type { RunAccounting } from "../storage/accounting.ts";
import { accountedSpecs } from "./accounted_specs.ts";
import { joinAccounting } from "./join_accounting.ts";
import { loadCondition } from "./load_condition.ts";

/** A row of Table S1 beside the runs made here. */
export interface AccountedRow {
  readonly published: PublishedRunAccountingRow;
  /** Over the row's conditions, as far as they were run. */
  readonly own: RunAccounting;
  /** Conditions of the row that no accounting was given of: their runs are in no count. */
  readonly without: readonly string[];
}

/**
 * Table S1 made again from ledgers: for each of its rows the runs planned and realised here, with the causes of those
 * missing.
 *
 * @param accountings of conditions at T = 0. Where two are of one name, the one whose number of planned runs is that of
 * the row, shared among its conditions, is taken; otherwise the first.
 */
export async function accountTable(
  table: readonly PublishedRunAccountingRow[],
  accountings: readonly RunAccounting[],
): Promise<AccountedRow[]> {
  return await Promise.all(table.map(async (published) => {
    const specs = await accountedSpecs(published);
    const names = await Promise.all(specs.map(async (spec) => conditionName(await loadCondition(spec))));
    const planned = published.target === undefined ? undefined : published.target / names.length;
    const own = names.map((name) => {
      const candidates = accountings.filter((accounting) => accounting.name === name);
      return candidates.find(({ target }) => target === planned) ?? candidates[0];
    });
    return {
      published,
      own: joinAccounting(published.condition, own.filter((accounting) => accounting !== undefined)),
      without: names.filter((_, i) => own[i] === undefined),
    };
  }));
}
