import { jsonNodes, textPosition } from "../core/json_nodes.ts";
import { UserError } from "../core/user_error.ts";
import { textOf } from "./files.ts";
import { jsonOf, linesOf } from "./lines.ts";
import { decoded } from "./files.ts";
import { eachTableRow } from "./read_csv.ts";
import { hasRepeatedKey } from "./repeated_keys.ts";
import type { RunSource } from "./run_source.ts";
import type { SourceFile } from "./source_files.ts";
import type { Observation, Observer } from "./source_observations.ts";
import { listAt, located, nothingAt, type Paths, Row, SourceFlaw, type SourcePlace, valueAt } from "./source_values.ts";

/** A unit that holds a run, with what was observed in it. */
export interface SourceUnit extends SourcePlace {
  readonly observations: readonly Observation[];
  readonly decision: string | undefined;
}

/** A run, or a copied file, that was left out as the mapping says. */
export interface ExcludedRun {
  readonly id: string;
  readonly file: string;
  readonly cause: string;
}

/** A unit while its rows are gathered. */
interface Gathered extends SourceUnit {
  observations: Observation[];
  readonly rows: unknown[];
}

/**
 * The units of some files, in the order in which they are first met. Of each only the observations are kept.
 *
 * @param failed is given those that broke off.
 * @throws {UserError} naming file, line, run and the choice of the mapping to change.
 */
export async function sourceUnits(
  files: AsyncIterable<SourceFile>,
  source: RunSource,
  { run: observe, row: observeRow }: Observer,
  failed: ExcludedRun[] = [],
): Promise<SourceUnit[]> {
  const { unit: kind, run } = source, only = Object.entries(source.only);
  const units = new Map<string, Gathered>();
  for await (const { file, bytes } of files) {
    const at = { file, id: file, line: undefined as number | undefined };
    const visit: Visit = (value, line, place) => {
      if (!only.every(([path, wanted]) => String(valueAt(value, path)).trim() === String(wanted).trim())) return;
      at.line = line;
      at.id = kind === "file" || kind === "rows" ? file : `${file}: ${kind} ${place}`;
      if (run !== undefined) at.id = nameOf(value, run);
      const cause = kind === "rows" ? undefined : failureOf(value, source);
      if (cause !== undefined) {
        failed.push({ id: at.id, file, cause });
        return;
      }
      let unit = units.get(at.id);
      if (unit === undefined) {
        units.set(at.id, unit = { ...at, observations: [], rows: [], decision: decisionOf(value, source) });
      } else if (kind !== "rows" || unit.file !== file) {
        throw new SourceFlaw(`there is a run of this name in ${unit.file} too, line ${unit.line ?? 1}`, "run");
      }
      if (kind !== "rows") unit.observations = observe(value);
      else if (observeRow === undefined) unit.rows.push(value);
      else unit.observations.push(...observeRow(value, line));
    };
    located(at, () => eachValue(file, bytes, source, visit));
  }
  for (const unit of units.values()) {
    if (unit.rows.length > 0) unit.observations = located(unit, () => observe(unit.rows));
  }
  return [...units.values()];
}

function failureOf(value: unknown, { failed }: RunSource): string | undefined {
  const error = failed === undefined ? undefined : valueAt(value, failed) ?? undefined;
  if (error === undefined || error === false) return undefined;
  const message = typeof error === "string" ? error : valueAt(error, "message") ?? JSON.stringify(error);
  return `broke off with an error (${String(message).slice(0, 80)})`;
}

function decisionOf(value: unknown, { decision: paths }: RunSource): string | undefined {
  const decision = paths === undefined ? undefined : valueAt(value, paths) ?? undefined;
  if (typeof decision === "object") throw new SourceFlaw("the decision is no text", "decision");
  return decision === undefined ? undefined : String(decision);
}

/** The values that together name a run, with spaces between them. */
function nameOf(value: unknown, paths: Paths): string {
  if (typeof paths !== "string") return paths.map((path) => nameOf(value, path)).join(" ");
  const name = valueAt(value, paths);
  const text = typeof name === "string" ? name.trim() : typeof name === "number" ? String(name) : "";
  if (text !== "") return text;
  throw new SourceFlaw(nothingAt(value, paths, "no name"), "run");
}

/** Is given a unit, or a row of one, with its line where there are lines, and its place from 1. */
type Visit = (value: unknown, line: number | undefined, place: number) => void;

function eachValue(file: string, bytes: Uint8Array, { unit, elements, separator }: RunSource, visit: Visit): void {
  const rows = unit === "rows";
  if (unit === "line" || (rows && /\.(?:jsonl|ndjson)$/.test(file))) return eachLine(file, bytes, visit);
  if (rows && !file.endsWith(".json")) return eachRow(file, bytes, file.endsWith(".tsv") ? "\t" : separator, visit);
  const value = jsonIn(file, bytes);
  const list = unit === "file" ? [value] : listAt(value, elements, "elements");
  list.forEach((value, i) => visit(value, undefined, i + 1));
}

/** A file's JSON. A file of JSON lines is told by its first line. */
function jsonIn(file: string, bytes: Uint8Array): unknown {
  const read = jsonOf(bytes);
  if ("json" in read) return onceKeyed(read.json, bytes, file);
  const [first] = linesOf(bytes);
  const lines = first !== undefined && "json" in jsonOf(first) ? ", but its first line is; choice: unit (line)" : "";
  throw new UserError(`${file}: ${read.flaw}${numberHint(bytes)}${lines || "; choice: files"}`);
}

function eachLine(file: string, bytes: Uint8Array, visit: Visit): void {
  let line = 0;
  for (const text of linesOf(bytes)) {
    line += 1;
    if (text.every((byte) => byte <= 0x20)) continue;
    const read = jsonOf(text);
    if ("json" in read) visit(onceKeyed(read.json, text, `${file}: line ${line}`), line, line);
    else {
      const whole = "json" in jsonOf(bytes) ? ", but the whole file is; choice: unit (file or element)" : "";
      throw new UserError(`${file}: line ${line}: ${read.flaw}${numberHint(text)}${whole}`);
    }
  }
}

/** A JSON value whose text has no key twice. Throws a UserError that names the key. */
function onceKeyed(json: unknown, bytes: Uint8Array, where: string): unknown {
  const text = textOf(bytes)!;
  if (!hasRepeatedKey(text, json)) return json;
  const nodes = jsonNodes(text), { offset, message } = nodes.ok ? { offset: 0, message: "a key twice" } : nodes.issue;
  const { line, column } = textPosition(text, offset);
  throw new UserError(`${where}: ${line}:${column}: ${message}; write each once: only the last would be read`);
}

/** Python writes numbers that JSON does not have. */
const numberHint = (bytes: Uint8Array): string =>
  /[[:,]\s*(?:NaN|-?Infinity)\b/.test(textOf(bytes) ?? "") ? " (it has no NaN or Infinity; write null)" : "";

function eachRow(file: string, bytes: Uint8Array, separator: string, visit: Visit): void {
  const refuse = (flaw: string): never => {
    throw new UserError(`${file}: line ${flaw}`);
  };
  let columns: Map<string, number> | undefined, width = 0, rows = 0;
  eachTableRow(decoded(bytes, file), separator, (line, words) => refuse(`${line}: ${words}`), ({ cells, line }) => {
    if (columns === undefined) {
      width = cells.length;
      // Spreadsheets write columns without a name and without cells.
      const named = cells.map((name, place) => [name.trim(), place] as const).filter(([name]) => name !== "");
      columns = new Map(named);
      if (columns.size < named.length) refuse(`1: two columns have the same name: ${cells.join(", ")}`);
      const other = width === 1 ? SEPARATORS.find((sign) => cells[0]!.includes(sign)) : undefined;
      if (other === undefined) return;
      refuse(`1 has one column; ${JSON.stringify(other)} seems to stand between cells; choice: separator`);
    } else if (cells.length === width) {
      rows += 1;
      visit(new Row(cells, columns), line, line);
    } else if (cells.length > 1 || cells[0]!.trim() !== "") {
      const words = `has ${cells.length} cells, the header ${width}; is a cell with a separator without quotes?`;
      refuse(`${line} ${words} choice: separator`);
    }
  });
  if (rows === 0) throw new UserError(`${file}: has no row; choice: files`);
}

const SEPARATORS = [";", "\t", ",", "|"];
