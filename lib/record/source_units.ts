// @ts-types="@types/d3-dsv"
import { dsvFormat } from "d3-dsv";
import { nearest, UserError } from "../core/user_error.ts";
import { textOf } from "./files.ts";
import { at } from "./read_run.ts";
import type { RunSource } from "./run_source.ts";
import type { SourceFile } from "./source_files.ts";

/** Something that holds a run: JSON, or the rows of one. */
export interface SourceUnit {
  /** The run's name, unique in what is imported. */
  readonly id: string;
  readonly file: string;
  readonly line?: number;
  /** JSON; for rows, the list of them. */
  readonly json: unknown;
  /** For rows, the line or the place in the list of each. */
  readonly lines?: readonly number[];
}

/** A table's row as its cells, with the columns' places: so that 100,000 rows are no 100,000 objects. */
export class Row {
  constructor(readonly cells: readonly string[], readonly columns: ReadonlyMap<string, number>) {}
}

/** The value at the first of some paths that leads to one, in JSON or in a row. A cell that is empty is no value. */
export function valueAt(value: unknown, paths: string | readonly string[]): unknown {
  if (!(value instanceof Row)) return at(value, typeof paths === "string" ? [paths] : paths);
  for (const path of typeof paths === "string" ? [paths] : paths) {
    if (path === "") return Object.fromEntries([...value.columns].map(([name, i]) => [name, value.cells[i]]));
    const cell = value.cells[value.columns.get(path) ?? -1];
    if (cell !== undefined && cell !== "") return cell;
  }
  return undefined;
}

/** The runs of some files, by the mapping's unit, in the order in which they are first met. */
export async function sourceUnits(files: AsyncIterable<SourceFile>, source: RunSource): Promise<SourceUnit[]> {
  const units: SourceUnit[] = [], rowsOfRun = new Map<string, { json: unknown[]; lines: number[]; file: string }>();
  for await (const file of files) {
    if (source.unit === "rows") gatherRows(rowsIn(file, source), file.file, source, rowsOfRun);
    else for (const unit of unitsIn(file, source)) units.push(unit);
  }
  for (const [id, rows] of rowsOfRun) units.push({ id, ...rows, line: rows.lines[0]! });
  refuseOneNameTwice(units);
  return units;
}

function refuseOneNameTwice(units: readonly SourceUnit[]): void {
  const unitOfId = new Map<string, SourceUnit>();
  for (const unit of units) {
    const other = unitOfId.get(unit.id);
    if (other) throw new UserError(`${placeOf(unit)}: ${placeOf(other)} has the same name; choice: run`);
    unitOfId.set(unit.id, unit);
  }
}

/** File, line and run, as every complaint begins. */
export const placeOf = ({ file, line, id }: Pick<SourceUnit, "file" | "line" | "id">): string =>
  `${file}${line === undefined ? "" : `: line ${line}`}: run ${JSON.stringify(id)}`;

function* unitsIn({ file, bytes }: SourceFile, source: RunSource): Generator<SourceUnit> {
  const named = (json: unknown, otherwise: string, line?: number): SourceUnit => {
    const place = { file, ...(line !== undefined && { line }) };
    const id = source.run === undefined ? otherwise : nameOf(json, source.run, placeOf({ ...place, id: otherwise }));
    return { ...place, id, json };
  };
  if (source.unit === "line") {
    for (const { json, line } of jsonLines(file, bytes)) {
      if (isWanted(json, source)) yield named(json, `${file}: line ${line}`, line);
    }
    return;
  }
  const json = jsonIn(file, textIn(file, bytes));
  const list = source.unit === "file" ? [json] : listIn(json, source, file);
  for (const [i, element] of list.entries()) {
    if (isWanted(element, source)) yield named(element, source.unit === "file" ? file : `${file}: element ${i + 1}`);
  }
}

function isWanted(value: unknown, { only }: RunSource): boolean {
  return Object.entries(only).every(([path, wanted]) => {
    const found = valueAt(value, path);
    return found === wanted || (value instanceof Row && found === String(wanted));
  });
}

/** The values that together name a run, with spaces between them. */
function nameOf(value: unknown, paths: string | readonly string[], place: string): string {
  return [paths].flat().map((path) => {
    const part = valueAt(value, path);
    if (typeof part === "string" || typeof part === "number") return String(part);
    throw new UserError(`${place}: has no name of a run at ${JSON.stringify(path)}; choice: run`);
  }).join(" ");
}

function textIn(file: string, bytes: Uint8Array): string {
  const text = textOf(bytes);
  if (text === undefined) {
    throw new UserError(`${file}: is not UTF-8 text; save it again as UTF-8, or leave it out; choice: files`);
  }
  return text;
}

function jsonIn(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const lines = text.trimEnd().includes("\n") && isJson(text.slice(0, text.indexOf("\n")))
      ? "; its first line alone is: choice: unit, line"
      : "";
    throw new UserError(`${file}: is not JSON (${(cause as Error).message})${lines}`, { cause });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function* jsonLines(file: string, bytes: Uint8Array): Generator<{ json: unknown; line: number }> {
  const text = textIn(file, bytes);
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      yield { json: JSON.parse(line), line: i + 1 };
    } catch (cause) {
      const whole = isJson(text)
        ? "; the whole file is JSON, written over several lines: choice: unit, file or element"
        : "";
      throw new UserError(`${file}: line ${i + 1} is not JSON${whole}`, { cause });
    }
  }
}

function listIn(json: unknown, { elements }: RunSource, file: string): readonly unknown[] {
  const list = valueAt(json, elements);
  if (Array.isArray(list)) return list;
  const keys = typeof json === "object" && json !== null
    ? `; the file's fields are ${Object.keys(json).slice(0, 12)}`
    : "";
  throw new UserError(`${file}: has no list at ${JSON.stringify(elements)}${keys}; choice: elements`);
}

/** The rows of a file with their lines: JSON lines, a list in JSON, or a table. */
function* rowsIn({ file, bytes }: SourceFile, source: RunSource): Generator<{ json: unknown; line: number }> {
  if (/\.(?:jsonl|ndjson)$/.test(file)) yield* jsonLines(file, bytes);
  else if (file.endsWith(".json")) {
    for (const [i, json] of listIn(jsonIn(file, textIn(file, bytes)), source, file).entries()) {
      yield { json, line: i + 1 };
    }
  } else yield* tableRows(file, textIn(file, bytes), file.endsWith(".tsv") ? "\t" : source.separator);
}

function* tableRows(file: string, text: string, separator: string): Generator<{ json: Row; line: number }> {
  const [header = [], ...rows] = dsvFormat(separator).parseRows(text.replace(/^\uFEFF/, ""));
  const columns = new Map(header.map((name, i) => [name.trim(), i]));
  if (columns.size < header.length) throw new UserError(`${file}: line 1: two columns have the same name: ${header}`);
  for (const [i, cells] of rows.entries()) {
    if (cells.length === 1 && cells[0] === "") continue;
    if (cells.length !== header.length) {
      throw new UserError(
        `${file}: row ${i + 1} has ${cells.length} cells, the header ${header.length}; quote a cell that holds ${
          JSON.stringify(separator)
        }; choice: separator`,
      );
    }
    yield { json: new Row(cells, columns), line: i + 2 };
  }
}

function gatherRows(
  rows: Iterable<{ json: unknown; line: number }>,
  file: string,
  source: RunSource,
  rowsOfRun: Map<string, { json: unknown[]; lines: number[]; file: string }>,
): void {
  let first = true;
  for (const { json, line } of rows) {
    if (first && json instanceof Row) checkColumns(file, json.columns, source);
    first = false;
    if (!isWanted(json, source)) continue;
    const id = source.run === undefined ? file : nameOf(json, source.run, `${file}: line ${line}`);
    const run = rowsOfRun.get(id);
    if (run === undefined) rowsOfRun.set(id, { json: [json], lines: [line], file });
    else if (run.file === file) {
      run.json.push(json);
      run.lines.push(line);
    } else {throw new UserError(
        `${file}: line ${line}: run ${JSON.stringify(id)} has rows in ${run.file} too; choice: run`,
      );}
  }
}

/** Refuses a table that lacks a column of the mapping, offering the nearest. */
function checkColumns(
  file: string,
  columns: ReadonlyMap<string, number>,
  { run, observations, round, only }: RunSource,
): void {
  const wanted: (readonly [string, readonly string[]])[] = [
    ...[run ?? []].flat().map((path) => ["run", [path]] as const),
    ...Object.keys(only).map((path) => ["only", [path]] as const),
    ...(round.by === "path" ? [["round.at", [round.at].flat()] as const] : []),
    ...("agent" in observations && observations.agent !== undefined
      ? [["observations.agent", [observations.agent].flat()] as const]
      : []),
  ];
  for (const [choice, paths] of wanted) {
    if (paths.some((path) => columns.has(path))) continue;
    const [near] = nearest(paths[0]!, columns.keys(), { count: 1 });
    throw new UserError(
      `${file}: line 1: there is no column ${paths.join(" or ")}; did you mean ${near}? choice: ${choice}`,
    );
  }
}
