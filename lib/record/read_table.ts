import { sum } from "d3-array";
import { UserError } from "../core/user_error.ts";
import { readTextSync, refusePipe } from "./files.ts";
import { eachTableRow } from "./read_csv.ts";
import type { Statement } from "./runs_of.ts";

/** A row of a table. Other columns of words, such as one that names the condition, stand beside it under their names. */
export interface TableStatement extends Statement {
  readonly line: number;
  readonly condition?: string | undefined;
}

/** The statements of a table, in its order. */
export interface Table extends ReadonlyArray<TableStatement> {
  /** K names, from the columns of the options; empty where states stand in one column. */
  readonly options: readonly string[];
}

/**
 * Reads the plain table: CSV (commas, semicolons or tabs), or JSON lines. A row is what one agent held in one round: `run`,
 * `round`, `agent`, and a column an option with its share, or a column `state` with a number or a list in brackets; `text` and
 * `decision` where there are any. Shares are fractions, or percent in the whole table, which are divided by 100. An empty cell is
 * nothing readable.
 *
 * A line of JSON may also be a run, as `exportRuns` writes it: `run` with `rounds` (the states by agent), or with `trajectory`
 * (means of shape [T][K], read as those of one agent).
 *
 * @throws {UserError} naming file and line: columns that are missing, a column an agent instead of a row, words in the place of a
 * state, shares that do not sum to 1, and whatever keeps the file from being read.
 *
 * @example Every condition of a file that holds several
 * ```ts ignore
 * const conditions = Map.groupBy(readTable("votes.csv"), ({ condition }) => condition);
 * const runs = [...conditions].map(([label, rows]) => ({ label, ...runsOf(rows) }));
 * ```
 */
export function readTable(path: string): Table {
  refusePipe(path);
  const text = readTextSync(path),
    refuse: Refuse = (line, words) => {
      throw new UserError(`${path}: line ${line}: ${words}`);
    };
  if (text.includes("\0")) throw new UserError(`${path}: is not UTF-8 text; save it as CSV (UTF-8)`);
  const { statements, options } = text.trimStart().startsWith("{") ? ofJson(text, refuse) : ofCsv(text, refuse);
  if (statements.length === 0) throw new UserError(`${path}: holds no rows`);
  return Object.assign(statements, { options });
}

interface TableRow {
  readonly cells: readonly unknown[];
  readonly line: number;
}
type Refuse = (line: number, words: string) => never;

const PLACES = ["run", "round", "agent"], NAMED = [...PLACES, "state", "text", "decision", "condition"];

function ofCsv(text: string, refuse: Refuse) {
  const [head = ""] = text.split(/\r?\n/, 1), counts = [",", ";", "\t"].map((sign) => head.split(sign).length);
  const separator = [",", ";", "\t"][counts.indexOf(Math.max(...counts))]!;
  const columns: string[] = [], early: TableRow[] = [], statements: TableStatement[] = [];
  let reader: RowReader | undefined;
  // Rows become statements one by one: kept, their cells would take twice the time. The first whole row shows what a column holds.
  const begin = (): RowReader => {
    const made = rowReader(columns, early, refuse);
    for (const row of early) statements.push(made.read(row));
    return made;
  };
  eachTableRow(text, separator, refuse, (row) => {
    const { cells, line } = row;
    if (columns.length === 0) columns.push(...headerOf(cells, refuse));
    else if (cells.length === columns.length && reader) statements.push(reader.read(row));
    else if (cells.length === columns.length) {
      early.push(row);
      if (!cells.some(isEmpty)) reader = begin();
    } else if (cells.length > 1 || cells[0] !== "") {
      const remedy = `quote a cell that holds a ${separator}`;
      refuse(line, `has ${cells.length} cells, and the header ${columns.length}; ${remedy}`);
    }
  });
  const { options } = reader ?? begin();
  return { statements, options };
}

/** The names of columns. Spreadsheets write columns without a name and without cells. */
function headerOf(cells: readonly string[], refuse: Refuse): string[] {
  const names = cells.map((name) => name.trim()), twice = names.find((name, k) => name && names.indexOf(name) !== k);
  return twice ? refuse(1, `two columns have the name ${twice}; name one of them otherwise`) : names;
}

/** Rows of JSON lines; a line that holds a run becomes the rows of its agents and rounds. */
function ofJson(text: string, refuse: Refuse) {
  const names = new Set(PLACES), found: { line: number; row: Record<string, unknown> }[] = [];
  for (const [i, json] of text.split("\n").entries()) {
    if (json.trim() === "") continue;
    for (const row of rowsIn(parsed(json, i + 1, refuse))) {
      Object.keys(row).forEach((key) => names.add(key));
      found.push({ line: i + 1, row });
    }
  }
  const columns = [...names], rows = found.map(({ line, row }) => ({ line, cells: columns.map((name) => row[name]) }));
  const { read, options } = rowReader(columns, rows, refuse);
  return { statements: rows.map(read), options };
}

function parsed(json: string, line: number, refuse: Refuse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && "run" in value) return value as Record<string, unknown>;
  } catch {
    return refuse(line, "is not JSON; restore the line, or take it out");
  }
  return refuse(line, "is no row of a table: it has no run; read it by runsOf in a cell, or by measure --reader");
}

/** The rows that one line of JSON holds. */
function* rowsIn(line: Record<string, unknown>): Generator<Record<string, unknown>> {
  const { run, rounds, trajectory, condition, decision } = line, of = { run, condition, decision };
  if (Array.isArray(rounds)) {
    for (const [t, { round = t + 1, states = {} }] of rounds.entries()) {
      for (const [agent, state] of Object.entries<{ pref?: unknown }>(states)) {
        yield { ...of, round, agent, state: state?.pref ?? state };
      }
    }
  } else if (Array.isArray(trajectory)) {
    for (const [t, state] of trajectory.entries()) yield { ...of, round: t + 1, agent: "committee", state };
  } else yield line;
}

/** A cell's first character settles it for nearly all, in a third of the time. */
const isEmpty = (cell: unknown): boolean =>
  typeof cell === "string" ? !(cell.charCodeAt(0) > 0x20) && cell.trim() === "" : cell === undefined || cell === null;
/** NaN where a cell holds no number, or nothing, which is no zero. */
function numberIn(cell: unknown): number {
  const value = Number(cell);
  return value === 0 && isEmpty(cell) ? NaN : value;
}
const isNumber = (cell: unknown): boolean => Number.isFinite(numberIn(cell));

/** Names of the columns that hold shares: those of numbers. */
function optionsOf(columns: readonly string[], rows: readonly TableRow[], refuse: Refuse): string[] {
  const missing = PLACES.filter((name) => !columns.includes(name)), line = 1;
  const others = columns.filter((name) => name !== "" && !NAMED.includes(name));
  const firstOf = (name: string) =>
    rows.find(({ cells }) => !isEmpty(cells[columns.indexOf(name)]))?.cells[columns.indexOf(name)];
  const numbers = others.filter((name) => isNumber(firstOf(name)));
  if (missing.join() === "agent" && numbers.length > 1) {
    refuse(
      line,
      `has a column an agent (${
        numbers.join(", ")
      }): one row an agent and round is needed, with columns run, round, agent and state`,
    );
  }
  if (missing.length > 0) {
    refuse(line, `there is no column ${missing.join(", ")}; the columns are ${columns.join(", ")}`);
  }
  if (columns.includes("state")) return [];
  if (numbers.length > 1) return numbers;
  const words = others.filter((name) => !numbers.includes(name)).join(", ");
  return refuse(
    line,
    numbers.length === 1
      ? `only the column ${numbers[0]} holds numbers: name it state, or give a column an option`
      : `no column holds a state: give a column an option with its share, or a column state${
        words && `; of words (${words}) vote([…]) makes states, in a cell or in a reader`
      }`,
  );
}

interface RowReader {
  readonly options: readonly string[];
  readonly read: (row: TableRow) => TableStatement;
}

/** How a row becomes a statement, by the columns and the first rows. */
function rowReader(columns: readonly string[], rows: readonly TableRow[], refuse: Refuse): RowReader {
  const options = optionsOf(columns, rows, refuse), at = (name: string) => columns.indexOf(name);
  const shares = options.map(at), state = at("state"), run = at("run"), round = at("round"), agent = at("agent");
  const words = columns.filter((name) => !["", ...PLACES, "state", ...options].includes(name));
  const wordColumns = words.map((name) => ({ name, k: at(name) }));
  const full = rows.find(({ cells }) => shares.every((k) => isNumber(cells[k])))?.cells ?? [];
  const total = Math.abs(sum(shares, (k) => Number(full[k])) - 100) < 1 ? 100 : 1;
  const read = ({ cells, line }: TableRow): TableStatement => {
    if (isEmpty(cells[run]) || isEmpty(cells[agent])) refuse(line, `names no ${isEmpty(cells[run]) ? "run" : "agent"}`);
    const statement: TableStatement & Record<string, unknown> = {
      run: String(cells[run]),
      round: numberIn(cells[round]),
      agent: String(cells[agent]),
      line,
      state: state < 0 ? sharesOf(cells, shares, total, line, refuse) : listOf(cells[state], line, refuse),
    };
    if (Number.isNaN(statement.round)) refuse(line, `the round ${JSON.stringify(cells[round])} is no number`);
    for (const { name, k } of wordColumns) if (!isEmpty(cells[k])) statement[name] = cells[k];
    return statement;
  };
  return { options, read };
}

/** Largest deviation from 1 of a sum of shares written in hundredths, with the rounding of binary fractions. */
const SUM_TOLERANCE = 0.01 + 1e-9;

function areShares(shares: readonly number[]): boolean {
  let sum = 0;
  for (const share of shares) sum += share >= 0 ? share : NaN;
  return Math.abs(sum - 1) <= SUM_TOLERANCE;
}

function sharesOf(
  cells: readonly unknown[],
  columns: readonly number[],
  total: number,
  line: number,
  refuse: Refuse,
): number[] | undefined {
  const shares = columns.map((k) => numberIn(cells[k]) / total);
  if (areShares(shares)) return shares;
  const written = columns.map((k) => cells[k]);
  if (written.every(isEmpty)) return undefined;
  const remedy = "values that are no shares go into a column state, in brackets";
  return refuse(line, `the shares ${written.join(", ")} do not sum to ${total}; ${remedy}`);
}

function listOf(cell: unknown, line: number, refuse: Refuse): number[] | undefined {
  if (isEmpty(cell)) return undefined;
  const values = [typeof cell === "string" && cell.trim().startsWith("[") ? jsonIn(cell) : cell].flat();
  if (values.every(isNumber)) return values.map(Number);
  return refuse(
    line,
    `the state ${JSON.stringify(cell)} is no number and no list of numbers; of words vote([…]) makes states`,
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
