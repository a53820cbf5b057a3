import { join } from "node:path";
import { type CsvRow, csvText } from "../core/csv.ts";
import type { AccountingRow } from "../runs/accounting.ts";
import { writeAtomically } from "../runs/files.ts";
import type { AgentRow, ConditionColumns, DivergenceRow, MeanRow } from "../runs/rows.ts";
import type { ComponentRow, RunColumns, StationRow } from "../runs/station_rows.ts";
import { badArguments, say } from "./command.ts";

/** What each column of a table holds, in the order of the file. A new key of a row is a type error until it stands here. */
type Columns<Row> = { readonly [Key in keyof Row]-?: string };

const CONDITION: Columns<ConditionColumns> = {
  condition: "what tells the condition from the others of the table",
  scenario: "policy packet",
  variant: "rewording of the packet; empty: the canonical text",
  lineup: "which model sits where",
  roles: "whether the seats have mandates",
  temperature: "sampling temperature",
  window: "arguments that an agent sees",
  ablate: "mandates taken away; empty: none",
  agents: "how many sit in the committee",
  seats: "who sits, where it is not the usual; empty: the usual",
  rounds: "how many rounds a run has",
  synthetic: "whether no language model took part",
};

const RUN: Columns<RunColumns> = {
  run: "name of the run",
  model: "council",
  seed: "seed of the run",
  ruleset: "v1: schema not shown, no normaliser; v2: both; else which",
  synthetic: "whether no language model took part",
  ungoverned: "says so where models were asked and filled no slot; else empty",
};

const ROUND = { replicate: "run of the condition, from 0", round: "from 1" };
const PREFERENCE = { option: "letter", p: "preference, a share in [0, 1]" };

/** The tables that `--csv` writes. Names and order of columns are fixed; what is not known is an empty cell. */
const TABLES = {
  means: { ...CONDITION, ...ROUND, ...PREFERENCE } satisfies Columns<MeanRow>,
  agents: { ...CONDITION, ...ROUND, agent: "the seat's label", ...PREFERENCE } satisfies Columns<AgentRow>,
  divergence: {
    ...CONDITION,
    round: "from 1",
    D: "mean Euclidean distance between committee means of two runs, without unit",
    low: "lower end of the pointwise 95 % bootstrap band of D",
    high: "its upper end",
  } satisfies Columns<DivergenceRow>,
  accounting: {
    ...CONDITION,
    outcome: "complete, or why runs are missing",
    runs: "how many; a condition's rows sum to the planned runs",
  } satisfies Columns<AccountingRow>,
  slopes: {
    ...CONDITION,
    file: "where the runs were read; empty: standard input",
    replicates: "complete runs",
    options: "how many the packet has",
    from: "first round of the fit",
    to: "last round of the fit",
    used: "rounds in the fit",
    lambda: "slope of ln D, nats per round",
    low: "lower end of its 95 % percentile interval, nats per round",
    high: "upper end",
    p: "permutation test, one-sided",
    studentised_low: "lower end of the 95 % studentised interval, nats per round",
    studentised_high: "upper end",
    studentised_p: "studentised test of no growth, one-sided",
    reason: "why an estimate does not exist",
  },
  station: {
    ...RUN,
    round: "0 is the start, the others are after the round's close",
    order: "public order, in [0, 1]",
    trust: "in [0, 1]",
    information: "information integrity, in [0, 1]",
    authority: "command authority, in [0, 1]",
    power: "units available, 0 to 100",
    manipulation: "manipulation pressure, 0 or more",
    panic: "mean of the two factions, in [0, 1]",
    offers: "pressure of the open market offers, 0 or more",
    rumors: "active rumours",
    heat: "their heat together, 0 or more",
    scandal: "load of the scandals together, 0 or more",
    coalition: "ties of the coalition graph, 0 to 15",
    passed: "plans that have passed up to here",
    fallbacks: "turns of this round that the clerk filled",
  } satisfies Columns<StationRow>,
  components: {
    ...RUN,
    component: "of q",
    value: "in [0, 1]; empty: not known, which is not 0",
    weight: "in q; 0: not used",
    contribution: "weight times value",
  } satisfies Columns<ComponentRow>,
} as const;

type TableName = keyof typeof TABLES;

/** Records as the text of one of the tables. */
export function tableText(name: TableName, rows: readonly CsvRow[]): string {
  const columns = Object.keys(TABLES[name]);
  return csvText([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
}

/**
 * Makes sure, before any work is done, that tables can go into a folder: what has a table's name there must be one of
 * ours, which is then replaced.
 *
 * @throws {UserError} (`exitCode` 2) naming the file that is something else.
 */
export async function checkTables(folder: string): Promise<void> {
  if (folder === "-") throw badArguments("--csv - prints one table, and there are several: name a folder");
  const names = (Object.keys(TABLES) as TableName[]).map((name) => [`${name}.csv`, tableText(name, [])] as const);
  for (const [name, header] of [...names, [DICTIONARY, DICTIONARY_HEADER] as const]) {
    const path = join(folder, name);
    const text = await Deno.readTextFile(path).catch((error: unknown) => {
      if (error instanceof Deno.errors.NotFound) return header;
      throw badArguments(`--csv ${folder}: ${(error as Error).message}`);
    });
    if (!text.startsWith(header)) {
      throw badArguments(`--csv: ${path} is no table of ours and stays as it is; name another folder`);
    }
  }
}

const DICTIONARY = "columns.csv";
const DICTIONARY_HEADER = csvText([["table", "column", "meaning"]]);

/** Writes tables into a folder, and beside them `columns.csv`, which says what every column holds. */
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
