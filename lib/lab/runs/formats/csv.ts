// @ts-types="@types/d3-dsv"
import { open, readFile } from "node:fs/promises";
import { dsvFormat } from "d3-dsv";
import { unknownName, UserError } from "../../../core/user_error.ts";
import { reading, refusePipe } from "../../../record/files.ts";
import { tableTextOf } from "../../../record/read_csv.ts";
import type { RunSourceChoices } from "../../../record/run_source.ts";
import { isZip } from "../../../record/source_files.ts";
import COLUMNS from "./columns.json" with { type: "json" };
import { type ConditionSource, type FormatOptions, nameAfter } from "./common.ts";

/** Columns of a table by their meaning; see `columns.json`. */
type Columns = { readonly [Name in keyof typeof COLUMNS.named]?: string };

const namesOf = (meaning: keyof Columns): string => `${COLUMNS.named[meaning].slice(0, 4).join(", ")}, …`;

const plainName = (column: string): string => column.toLowerCase().replace(/[\s._-]/g, "");

/** Columns by their meaning. Throws a UserError where two columns may mean the same and neither has the usual name. */
function columnsOf(header: readonly string[], file: string): Columns {
  const found = Object.entries(COLUMNS.named).map(([meaning, names]) => {
    const columns = header.filter((column) => names.includes(plainName(column)));
    const usual = columns.find((column) => plainName(column) === meaning);
    if (usual === undefined && columns.length > 1) {
      const words = `the columns ${columns.join(" and ")} may each be the ${meaning}; name one of them ${meaning}`;
      throw new UserError(`${file}: line 1: ${words}`);
    }
    return [meaning, usual ?? columns[0]] as const;
  });
  return Object.fromEntries(found.filter(([, column]) => column !== undefined));
}

/** Bytes in which a table's first two lines stand. */
const HEAD_BYTES = 2 ** 16;

/** Long tables: each file is a condition, or each value of its column condition. */
export function csvSources(files: readonly string[], options: FormatOptions): Promise<ConditionSource[]> {
  return Promise.all(files.map((file) => tableSources(file, options))).then((found) => found.flat());
}

async function tableSources(file: string, options: FormatOptions): Promise<ConditionSource[]> {
  const head = await tableText(file, HEAD_BYTES);
  if (head.trim() === "") throw new UserError(`${file}: is empty`);
  const separator = separatorOf(head);
  const [header = [], first = []] = dsvFormat(separator).parseRows(head);
  const names = header.map((name) => name.trim()), columns = columnsOf(names, file);
  const missing = (["run", "round", "agent"] as const).filter((meaning) => columns[meaning] === undefined);
  if (missing.length > 0) {
    const words = missing.map((meaning) => `the ${meaning} (${namesOf(meaning)})`).join(" or ");
    throw new UserError(`${file}: line 1: no column says ${words}; the columns are ${names.join(", ")}`);
  }
  const { condition, run, round, agent } = columns, cell = new Map(names.map((name, i) => [name, first[i] ?? ""]));
  const source: RunSourceChoices = {
    schema: "run-source/2",
    name: nameAfter(file),
    unit: "rows",
    run: run!,
    ...(separator !== "," && { separator }),
    observations: { layout: "rows", agent: agent! },
    round: { by: "path", at: round!, ...(cell.get(round!)?.trim() === "0" && { first: 0 }) },
    state: columnState(file, cell, columns, options),
  };
  if (condition === undefined) return [{ files: [file], source }];
  const conditions = valuesOf(file, dsvFormat(separator).parseRows(await tableText(file)), names.indexOf(condition));
  if (conditions.length === 0) throw new UserError(`${file}: the column ${condition} is empty; name it otherwise`);
  return conditions.map((name) => ({ files: [file], source: { ...source, name, only: { [condition]: name } } }));
}

/** In the first line, the separator that occurs most: tables of spreadsheets have semicolons or tabs, too. */
function separatorOf(head: string): string {
  const [line = ""] = head.split(/\r?\n/, 1), counts = [",", ";", "\t"].map((sign) => line.split(sign).length);
  return [",", ";", "\t"][counts.indexOf(Math.max(...counts))]!;
}

function columnState(
  file: string,
  cell: ReadonlyMap<string, string>,
  columns: Columns,
  { options, range }: FormatOptions,
): RunSourceChoices["state"] {
  const rest = [...cell.keys()].filter((name) => !Object.values(columns).includes(name));
  const value = rest.find((name) => COLUMNS.values.includes(plainName(name)));
  const unclear = (words: string): UserError => new UserError(`${file}: line 1: ${words}`);
  if (plainName(columns.choice ?? "") === "option" && value !== undefined) {
    const remedy = "give each agent one row in a round, with a column for each option";
    throw unclear(`has a row for each option (${columns.choice}, ${value}); ${remedy}`);
  }
  const { choice } = columns, numbers = rest.filter((name) => isNumber(cell.get(name)!));
  if (range !== undefined) {
    const at = choice ?? (numbers.length === 1 ? numbers[0] : undefined);
    if (at !== undefined) return { kind: "number", at, range: [...range] };
    throw unclear(`which column holds the number is not clear (${numbers.join(", ") || "none"}); name it choice`);
  }
  if (choice !== undefined) {
    return { kind: "vote", at: choice, options: options === undefined ? "occurring" : [...options] };
  }
  const shares = options ?? numbers, lacking = shares.find((name) => !cell.has(name));
  if (lacking !== undefined) throw unknownName(`column of ${file}`, lacking, [...cell.keys()]);
  if (shares.length < 2) {
    const commas = rest.some((name) => /^\s*-?\d*,\d+\s*$/.test(cell.get(name)!));
    const remedy = commas ? "; write numbers with a point, not a comma" : "";
    const what = `no column holds the choice (${namesOf("choice")}), nor do two or more hold shares of options`;
    throw unclear(`${what}; the other columns are ${rest.join(", ") || "none"}${remedy}`);
  }
  const sum = shares.reduce((sum, name) => sum + Number(cell.get(name)), 0);
  return { kind: "shares", options: [...shares], ...(Math.abs(sum - 100) < 1 && { total: 100 }) };
}

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

function valuesOf(file: string, [, ...rows]: readonly string[][], column: number): string[] {
  const names = rows.filter((row) => row.length > column).map((row) => row[column]!.trim());
  const empty = names.indexOf("");
  if (empty >= 0 && names.some((name) => name !== "")) {
    throw new UserError(`${file}: row ${empty + 1} after the header names no condition`);
  }
  return [...new Set(names.filter((name) => name !== ""))];
}

/** The text of a table, or of its lines within the first so many bytes. */
async function tableText(file: string, most?: number): Promise<string> {
  refusePipe(file);
  const bytes = await reading(file, async () => {
    if (most === undefined) return await readFile(file);
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(most));
      return bytesRead < most ? buffer.subarray(0, bytesRead) : buffer.subarray(0, buffer.lastIndexOf(0x0a));
    } finally {
      await handle.close();
    }
  });
  if (isZip(bytes)) throw new UserError(`${file}: is a zip or the file of a spreadsheet; save it as CSV (UTF-8)`);
  return tableTextOf(bytes, file);
}
