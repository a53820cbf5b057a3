import { unknownName } from "../core/unknown_name.ts";
import { PublishedFact } from "../schema/published_fact.ts";
import { PublishedIm01Row } from "../schema/published_im01.ts";
import { PublishedRunAccountingRow } from "../schema/published_run_accounting.ts";
import { PublishedTwoRoutesRow } from "../schema/published_two_routes.ts";
import { type PublishedFolder, type PublishedLoader, publishedTable } from "./published_table.ts";

export type { PublishedFolder } from "./published_table.ts";

/** λ̂ of HL-01 by line-up and roles at T = 0 (deliberation paper, Fig. 1B). Throws a UserError on a malformed file. */
export const loadTwoRoutes: PublishedLoader<PublishedTwoRoutesRow> = publishedTable(
  "deliberation/hl01_two_routes.csv",
  PublishedTwoRoutesRow,
);

/** Target and realised runs (deliberation paper, Table S1). Throws a UserError on a malformed file. */
export const loadRunAccounting: PublishedLoader<PublishedRunAccountingRow> = publishedTable(
  "deliberation/table_s1_run_accounting.csv",
  PublishedRunAccountingRow,
);

/** Every condition of IM-01 (deliberation paper, Table S5). Throws a UserError on a malformed file. */
export const loadIm01: PublishedLoader<PublishedIm01Row> = publishedTable(
  "deliberation/table_s5_im01.csv",
  PublishedIm01Row,
);

/** Statements of the deliberation paper's text and captions. Throws a UserError on a malformed file. */
export const loadFacts: PublishedLoader<PublishedFact> = publishedTable("deliberation/facts.csv", PublishedFact);

/**
 * One stated fact by its id.
 *
 * @throws {UserError} when there is none of that id (`exitCode` 2, naming the nearest), or the file is malformed.
 */
export async function loadFact(id: string, options: PublishedFolder = {}): Promise<PublishedFact> {
  const facts = await loadFacts(options);
  const fact = facts.find((fact) => fact.id === id);
  if (fact === undefined) throw unknownName("published fact", id, facts.map(({ id }) => id));
  return fact;
}
