import { join } from "node:path";
import columns from "../../../data/columns.json" with { type: "json" };
import { type CsvRow, csvText } from "../../core/text.ts";
import { type AccountingRow, accountingRows } from "../runs/accounting.ts";
import type { RunAccounting } from "../../record/accounting.ts";
import { createRng } from "../../core/rng.ts";
import { checkOut, contentOf, decoded, writeAtomically } from "../../record/files.ts";
import {
  type AgentRow,
  agentRows,
  type DivergenceRow,
  divergenceRows,
  type LabelledRuns,
  type MeanRow,
  meanRows,
  type ReplyRow,
  replyRows,
} from "../runs/rows.ts";
import type { NoiseRow } from "../runs/noise.ts";
import type { AgentStates } from "../../stats/independent_divergence.ts";
import type { RecordedRun } from "../../stats/replies.ts";
import type { Trajectory } from "../../stats/trajectory.ts";
import type { ComponentRow, StationRow } from "../runs/station_rows.ts";
import { badArguments, say } from "./command.ts";

/** The meaning of each column of a table, in the order of the file. A row's key without a column is a type error. */
type Columns<Row> = { readonly [Key in keyof Row]-?: string };

const { condition, run, ...of } = columns;

/** The tables that `--csv` writes. Names and order of columns are fixed; an unknown value is an empty cell. */
const TABLES = {
  means: { ...condition, ...of.means } satisfies Columns<MeanRow>,
  agents: { ...condition, ...of.agents } satisfies Columns<AgentRow>,
  divergence: { ...condition, ...of.divergence } satisfies Columns<DivergenceRow>,
  accounting: { ...condition, ...of.accounting } satisfies Columns<AccountingRow>,
  replies: { ...condition, ...of.replies } satisfies Columns<ReplyRow>,
  slopes: { ...condition, ...of.slopes },
  noise: { ...condition, ...of.noise } satisfies Columns<Omit<NoiseRow, "differences">>,
  station: { ...run, ...of.station } satisfies Columns<StationRow>,
  components: { ...run, ...of.components } satisfies Columns<ComponentRow>,
};

type TableName = keyof typeof TABLES;

/** Records as the text of one of the tables. */
export function tableText(name: TableName, rows: readonly CsvRow[]): string {
  const columns = Object.keys(TABLES[name]);
  return csvText([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
}

/** The tables of some conditions; the last two hold those that account for their runs, and those with replies. */
export const conditionTables = (
  conditions: readonly (LabelledRuns<TableRun> & { readonly accounting?: RunAccounting | undefined })[],
  { seed, resamples }: { readonly seed: number; readonly resamples?: number | undefined },
) => ({
  means: meanRows(conditions),
  agents: agentRows(conditions),
  divergence: divergenceRows(conditions, { rng: createRng(seed), resamples }),
  accounting: conditions.flatMap(({ accounting, ...one }) =>
    accounting ? accountingRows([{ ...one, accounting }]) : []
  ),
  replies: replyRows(conditions.filter(areRecorded)),
});

export interface TableRun {
  readonly replicate: number;
  readonly means: Trajectory;
  readonly preferences?: AgentStates | undefined;
  readonly events?: RecordedRun["events"];
}

/** True of runs with their replies, which records of other programs often lack. */
export const areRecorded = <Source extends { readonly runs: readonly TableRun[] }>(
  source: Source,
): source is Source & { readonly runs: readonly RecordedRun[] } =>
  source.runs.length > 0 && source.runs.every((run) => "events" in run);

/**
 * Checks, before any work, that tables can be written into a folder: a file with a table's name must be one of these
 * tables, which is then replaced.
 *
 * @throws {UserError} (`exitCode` 2) naming a file that is not.
 */
export function checkTables(folder: string): void {
  if (folder === "-") throw badArguments("--csv - prints one table, and there are several: name a folder");
  checkOut(folder, "--csv");
  const names = (Object.keys(TABLES) as TableName[]).map((name) => [`${name}.csv`, tableText(name, [])] as const);
  for (const [name, header] of [...names, [DICTIONARY, DICTIONARY_HEADER] as const]) {
    const path = join(folder, name);
    const bytes = contentOf(path), text = bytes ? decoded(bytes, path) : header;
    // Before 0.3.0 slopes.csv had other columns after p.
    const earlier = name === "slopes.csv" && text.startsWith(header.slice(0, header.indexOf("method,")));
    if (!text.startsWith(header) && !earlier) {
      throw badArguments(`--csv: ${path} is no table of ours and stays as it is; name another folder`);
    }
  }
}

const DICTIONARY = "columns.csv";
const DICTIONARY_HEADER = csvText([["table", "column", "meaning"]]);

/** Writes tables into a folder, and beside them `columns.csv`, which describes every column. */
export async function writeTables(
  folder: string,
  tables: { readonly [Name in TableName]?: readonly CsvRow[] },
): Promise<void> {
  const written: string[] = [];
  for (const [name, rows] of Object.entries(tables) as [TableName, readonly CsvRow[]][]) {
    await writeAtomically(join(folder, `${name}.csv`), tableText(name, rows));
    written.push(`${name}.csv (${rows.length} rows)`);
  }
  const meanings = Object.entries(TABLES).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, meaning]) => [table, column, meaning])
  );
  await writeAtomically(join(folder, DICTIONARY), DICTIONARY_HEADER + csvText(meanings));
  say(`tables in ${folder}: ${[...written, DICTIONARY].join(", ")}`);
}
