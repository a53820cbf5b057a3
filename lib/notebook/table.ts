import { buildTable } from "./build_table.ts";
import { emit } from "./emit.ts";
import { tableBundle } from "./table_bundle.ts";
import type { Cell, TableOptions } from "./table_type.ts";

/**
 * Shows records as a table. Await it: `await table(rows, { caption: "Runs by condition" })`.
 *
 * Options and errors as in `buildTable`.
 */
export async function table(rows: readonly Readonly<Record<string, Cell>>[], options: TableOptions): Promise<void> {
  await emit(tableBundle(await buildTable(rows, options)));
}
