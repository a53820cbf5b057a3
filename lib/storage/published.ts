import type { z } from "zod";
import { unknownName } from "../core/unknown_name.ts";
import { PublishedFact } from "../schema/published_fact.ts";
import { PublishedIm01Row } from "../schema/published_im01.ts";
import { PublishedRunAccountingRow } from "../schema/published_run_accounting.ts";
import { PublishedTwoRoutesRow } from "../schema/published_two_routes.ts";
import { folderUrl } from "./folder_url.ts";
import { readCsv } from "./read_csv.ts";

/** The project's own files of published numbers; the README beside them names the table or section of each. */
const PUBLISHED = new URL("../../data/published/", import.meta.url);

/** Where to look; by default the project's own `data/published/`. */
export interface PublishedFolder {
  readonly folder?: string | URL | undefined;
}

/** A loader of one file. A value that the paper does not give is `undefined`, never zero. */
const table =
  <Row extends z.ZodObject>(file: string, schema: Row) =>
  async ({ folder = PUBLISHED }: PublishedFolder = {}): Promise<z.output<Row>[]> =>
    await readCsv(new URL(file, folderUrl(folder)), schema);

/** λ̂ of HL-01 by line-up and roles at T = 0 (deliberation paper, Fig. 1B). Throws a UserError on a malformed file. */
export const loadTwoRoutes: (options?: PublishedFolder) => Promise<PublishedTwoRoutesRow[]> = table(
  "deliberation/hl01_two_routes.csv",
  PublishedTwoRoutesRow,
);

/** Target and realised runs (deliberation paper, Table S1). Throws a UserError on a malformed file. */
export const loadRunAccounting: (options?: PublishedFolder) => Promise<PublishedRunAccountingRow[]> = table(
  "deliberation/table_s1_run_accounting.csv",
  PublishedRunAccountingRow,
);

/** Every condition of IM-01 (deliberation paper, Table S5). Throws a UserError on a malformed file. */
export const loadIm01: (options?: PublishedFolder) => Promise<PublishedIm01Row[]> = table(
  "deliberation/table_s5_im01.csv",
  PublishedIm01Row,
);

/** Statements of the deliberation paper's text and captions. Throws a UserError on a malformed file. */
export const loadFacts: (options?: PublishedFolder) => Promise<PublishedFact[]> = table(
  "deliberation/facts.csv",
  PublishedFact,
);

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
