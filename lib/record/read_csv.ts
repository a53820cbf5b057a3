// @ts-types="@types/d3-dsv"
import { csvParseRows } from "d3-dsv";
import type { z } from "zod";
import { LINE_BREAK, textPosition } from "../core/json_nodes.ts";
import { nearest, UserError } from "../core/user_error.ts";
import { decoded, fileName, readText } from "./files.ts";
import { type Violation, violations } from "./read_json.ts";

/** The text of a table's file. Throws a UserError where it is not UTF-8; in UTF-16, every other byte is 0. */
export function tableTextOf(bytes: Uint8Array, file: string): string {
  const text = decoded(bytes, file);
  if (text.includes("\0")) throw new UserError(`${file}: is not UTF-8 text; save it again as UTF-8`);
  return text;
}

/** A cell as written, and the line on which it begins. */
interface Cell {
  readonly text: string;
  readonly line: number;
}

/**
 * Reads a CSV file with a header into typed rows.
 *
 * @param schema a row: its keys are the columns, in any order; each sees the cell's text.
 * @throws {UserError} when the file is missing or unreadable, a quote is misplaced, the header differs from the schema,
 * a row has too few or too many cells, or a cell breaks the schema's rule: one line for each complaint, as
 * `file:line: field: rule`.
 */
export async function readCsv<Row extends z.ZodObject>(file: string | URL, schema: Row): Promise<z.output<Row>[]> {
  const text = await readText(file);
  const report = (complaints: readonly string[]) => {
    if (complaints.length > 0) throw new UserError(complaints.map((words) => `${fileName(file)}:${words}`).join("\n"));
  };
  report(misplacedQuote(text));
  const [header = [], ...records] = cells(text);
  const columns = header.map((cell) => cell.text);
  report(headerComplaints(columns, Object.keys(schema.shape)));
  report(records.flatMap((record) => widthComplaints(record, columns)));
  const checked = records.map((record) =>
    violations(schema, Object.fromEntries(columns.map((column, i) => [column, record[i]!.text])))
  );
  report(checked.flatMap((row, i) => row.ok ? [] : cellComplaints(row.violations, records[i]!, columns)));
  return checked.flatMap((row) => row.ok ? [row.value] : []);
}

const FIELD = /(?:"[^"]*(?:""[^"]*)*"|[^",\r\n]*)(?:,|\r\n|\n|\r|$)/y;

/**
 * The first quote that neither opens, closes nor is doubled inside a quoted cell; d3-dsv would read on and lose text.
 *
 * @param field a sticky pattern of a cell with what ends it.
 */
export function misplacedQuote(text: string, field: RegExp = FIELD): string[] {
  field.lastIndex = 0;
  let at = 0;
  while (at < text.length) {
    if (!field.test(text)) {
      const { line, column } = textPosition(text, at);
      return [
        `${line}: cell at column ${column}: a quote must open or close a cell, or be doubled inside a quoted one`,
      ];
    }
    at = field.lastIndex;
  }
  return [];
}

/**
 * All cells with their lines. A quoted cell keeps its line breaks, so counting the breaks inside the cells before it
 * gives a cell's line.
 */
function cells(text: string): Cell[][] {
  let line = 1;
  return csvParseRows(text).map((texts) => {
    const record = texts.map((text) => {
      const cell = { text, line };
      line += [...text.matchAll(LINE_BREAK)].length;
      return cell;
    });
    line++;
    return record;
  });
}

function headerComplaints(found: readonly string[], wanted: readonly string[]): string[] {
  const unknown = found.filter((column) => !wanted.includes(column));
  const missing = wanted.filter((column) => !found.includes(column));
  const twice = found.filter((column, i) => found.indexOf(column) !== i);
  return [
    ...unknown.map((column) => `1: ${column}: is not a known column; did you mean ${nearest(column, wanted)[0]}?`),
    ...missing.map((column) => `1: ${column}: this column is missing from the header`),
    ...twice.map((column) => `1: ${column}: this column stands twice in the header`),
  ];
}

function widthComplaints(record: readonly Cell[], columns: readonly string[]): string[] {
  if (record.length === columns.length) return [];
  const field = columns[record.length] ?? `cell ${columns.length + 1}`;
  const rule = `cells in this row: ${record.length}, in the header: ${columns.length}`;
  return [`${record[0]!.line}: ${field}: ${rule}; quote a cell that holds a comma`];
}

const cellComplaints = (flaws: readonly Violation[], record: readonly Cell[], columns: readonly string[]): string[] =>
  flaws.map(({ path, rule }) => {
    const field = String(path[0] ?? columns[0]);
    return `${record[columns.indexOf(field)]!.line}: ${field}: ${rule}`;
  });
