import { conditionName } from "../deliberation/condition_name.ts";
import type { PublishedRunAccountingRow } from "../schema/published_run_accounting.ts";
import type { RunAccounting } from "../storage/accounting.ts";
import { accountedSpecs } from "./accounted_specs.ts";
import { loadCondition } from "./load_condition.ts";

/** A row of Table S1 beside the runs made here. */
export interface AccountedRow {
  readonly published: PublishedRunAccountingRow;
  readonly target: number;
  readonly realised: number;
  readonly deficit: number;
  /** Missing runs by cause, over the row's conditions. */
  readonly causes: Readonly<Record<string, number>>;
  /** Conditions of the row that no accounting was given of: their runs are in no count. */
  readonly without: readonly string[];
}

/**
 * Table S1 made again from ledgers: for each of its rows the runs planned and realised here, with the causes of those
 * missing.
 *
 * @param accountings one a condition; where two are of the same name, the first counts.
 */
export async function accountTable(
  table: readonly PublishedRunAccountingRow[],
  accountings: readonly RunAccounting[],
): Promise<AccountedRow[]> {
  return await Promise.all(table.map(async (published) => {
    const specs = await accountedSpecs(published);
    const names = await Promise.all(specs.map(async (spec) => conditionName(await loadCondition(spec))));
    const own = names.map((name) => accountings.find((accounting) => accounting.name === name));
    const known = own.filter((accounting) => accounting !== undefined);
    const total = (key: "target" | "realised" | "deficit") => known.reduce((sum, one) => sum + one[key], 0);
    return {
      published,
      ...{ target: total("target"), realised: total("realised"), deficit: total("deficit") },
      causes: sumCounts(known.map(({ causes }) => causes)),
      without: names.filter((_, i) => own[i] === undefined),
    };
  }));
}

/** Counts by name, added up. */
export function sumCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts))) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}
