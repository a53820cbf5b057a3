// @ts-types="@types/d3-dsv"
import { tsvFormatRows, tsvParseRows } from "d3-dsv";
import { createHash } from "node:crypto";
import { z } from "zod";
import { UserError } from "../core/user_error.ts";
import { RunClass } from "../schema/station_summary.ts";
import { readText, writeWhole } from "../record/files.ts";
import { violations } from "../record/read_json.ts";

const yes = z.enum(["true", "false"]).transform((word) => word === "true");
const number = z.string().regex(/^-?\d+(\.\d+)?(e-?\d+)?$/, { error: "must be a number" }).transform(Number);
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** One finished run of a batch: the columns of `MANIFEST.tsv`. */
export const ManifestRow = z.strictObject({
  run_id: z.string().regex(NAME, { error: "must be a plain folder name" }),
  council: z.string(),
  seed: number,
  ruleset: z.string(),
  synthetic: yes,
  stabilized: yes,
  q: number,
  classification: RunClass,
  fallback_actions: number,
  model_actions: number,
  events_sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: "must be 64 hexadecimal digits" }),
  replicate: number.optional(),
  models: z.string().optional().describe("id asked for, or ROLE=ID of all six; none without a model"),
  temperature: number.optional(),
  max_tokens: number.optional(),
});
export type ManifestRow = z.infer<typeof ManifestRow>;

const COLUMNS = Object.keys(ManifestRow.shape) as (keyof ManifestRow)[];
/** The columns of a manifest before 0.2.0, which is still read. */
const FIRST_COLUMNS = COLUMNS.slice(0, COLUMNS.indexOf("replicate"));

/**
 * True if a text can name a folder anywhere: a letter or digit, then letters, digits, `.`, `_`, `-`; at most 100. Such a
 * name leads out of no folder and is no formula to a spreadsheet.
 */
export const isFolderName = (name: string): boolean => NAME.test(name);

/** The manifest as a text, rows in the order given. */
export function manifestText(rows: readonly ManifestRow[]): string {
  return `${tsvFormatRows([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => String(row[column] ?? "")))])}\n`;
}

/** Writes `MANIFEST.tsv` whole. Throws a UserError when it cannot be written. */
export function writeManifest(path: string, rows: readonly ManifestRow[]): void {
  writeWhole(path, manifestText(rows));
}

/**
 * Reads a manifest.
 *
 * @throws {UserError} naming file, line and rule.
 */
export async function readManifest(path: string): Promise<ManifestRow[]> {
  const [header = [], ...rows] = tsvParseRows(await readText(path));
  const columns = [COLUMNS, FIRST_COLUMNS].find((known) => known.join() === header.join());
  if (columns === undefined) {
    throw new UserError(`${path}: line 1: the columns must be ${COLUMNS.join(", ")}; found ${header.join(", ")}`);
  }
  return rows.map((cells, i) => {
    const where = `${path}: line ${i + 2}`;
    if (cells.length !== columns.length) {
      throw new UserError(`${where}: has ${cells.length} cells, the header ${columns.length}`);
    }
    // Older rows, and runs without a model, lack some of the last columns.
    const named = columns.map((column, j) => [column, cells[j]] as const);
    const there = named.filter(([column, cell]) => cell !== "" || FIRST_COLUMNS.includes(column));
    const checked = violations(ManifestRow, Object.fromEntries(there));
    if (checked.ok) return checked.value;
    const { path: field, rule } = checked.violations[0]!;
    throw new UserError(`${where}: ${String(field[0])}: ${rule}`);
  });
}

/** SHA-256 of a file, as 64 hexadecimal digits. */
export async function fileHash(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}
