import type { z } from "zod";
import { folderUrl } from "../runs/files.ts";
import { readCsv } from "../runs/read_csv.ts";

/** The project's own files of published numbers; the README beside them names the table or section of each. */
const PUBLISHED = new URL("../../data/published/", import.meta.url);

/** Where to look; by default the project's own `data/published/`. */
export interface PublishedFolder {
  readonly folder?: string | URL | undefined;
}

/** Reads one file of published values. */
export type PublishedLoader<Row> = (options?: PublishedFolder) => Promise<Row[]>;

/**
 * A loader of one file. A value that the paper does not give is `undefined`, never zero. The loader throws a UserError
 * on a malformed file.
 *
 * @param file its path from `data/published/`.
 */
export function publishedTable<Row extends z.ZodObject>(file: string, schema: Row): PublishedLoader<z.output<Row>> {
  return async ({ folder = PUBLISHED } = {}) => await readCsv(new URL(file, folderUrl(folder)), schema);
}
