import { z } from "zod";
import { folderUrl } from "../runs/files.ts";
import { readCsv } from "../runs/read_csv.ts";
import { type With, withCells } from "./published_cell.ts";

/** The project's own files of published numbers; the README beside them names the table or section of each. */
const PUBLISHED = new URL("../../data/published/", import.meta.url);

/** Where to look; by default the project's own `data/published/`. */
export interface PublishedFolder {
  readonly folder?: string | URL | undefined;
}

/**
 * Reads one file of published values. A value that the paper does not give is `undefined`, never zero.
 *
 * Throws a UserError on a malformed file.
 */
export interface PublishedLoader<Row extends object> {
  (options?: PublishedFolder): Promise<Row[]>;
  /** Its path from `data/published/`. */
  readonly file: string;
}

/** One row of the table that a loader reads. */
export type RowOf<Loader> = Loader extends PublishedLoader<infer Row> ? Row : never;

/** The loader of one file, and the schema of its rows. */
export function publishedTable<Columns extends z.ZodRawShape>(file: string, columns: Columns) {
  const schema = z.strictObject(columns);
  const load = async ({ folder = PUBLISHED }: PublishedFolder = {}) =>
    await readCsv(new URL(file, folderUrl(folder)), schema);
  return Object.assign(load, { file, schema });
}

/** The loader of a table in which the given cells may not say `not published`: one that does is a UserError. */
export function needing<Row extends object, Name extends keyof Row & string>(
  load: PublishedLoader<Row>,
  ...cells: readonly Name[]
): PublishedLoader<With<Row, Name>> {
  const { file } = load;
  return Object.assign(async (options?: PublishedFolder) => withCells(await load(options), { file, cells }), { file });
}

/** Loaders by the names that their tables have where they are used together. */
type Loaders = Readonly<Record<string, PublishedLoader<object>>>;

/** What several loaders read, by the same names. */
export type Tables<Of extends Loaders> = { readonly [Name in keyof Of]: readonly RowOf<Of[Name]>[] };

/** Reads several tables at once. */
export async function loadTables<Of extends Loaders>(loaders: Of, options: PublishedFolder): Promise<Tables<Of>> {
  const tables = Object.entries(loaders).map(async ([name, load]) => [name, await load(options)] as const);
  return Object.fromEntries(await Promise.all(tables)) as unknown as Tables<Of>;
}

/** The file in `data/published/` that each table comes from. */
export const filesOf = <Name extends string>(
  loaders: Readonly<Record<Name, PublishedLoader<object>>>,
): Readonly<Record<Name, string>> =>
  Object.fromEntries((Object.keys(loaders) as Name[]).map((name) => [name, loaders[name].file])) as Record<
    Name,
    string
  >;
