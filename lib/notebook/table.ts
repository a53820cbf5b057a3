import { emit, type MimeBundle } from "./emit.ts";
// @ts-types="@types/d3-array"
import { max, min } from "d3-array";
import { checkList, checkOptions } from "../core/options.ts";
import { fixedText, pValue, share, shortText, slope } from "../core/numbers.ts";
import { escapeHtml, inertText } from "../core/text.ts";

/** A value as a table's row may hold it; `undefined` and `null` are unknown. */
export type Cell = string | number | boolean | null | undefined;

/**
 * Decimals of a number, or a text made from the value. Default: by the key, λ̂ and slopes with four decimals, p as
 * `pValue`, a share as `share` writes it; else whole numbers whole, and others with as many decimals in the whole column
 * as its values need, up to four digits.
 */
type Format = number | ((value: Known) => string);

export interface TableOptions {
  /** What the table shows; read out before it. */
  readonly caption: string;
  /** Which columns, in which order. Default: every key, in order of appearance. */
  readonly columns?: readonly string[] | undefined;
  /** Formats by key. */
  readonly format?: Readonly<Record<string, Format>> | undefined;
  /** What stands for an unknown value, such as "not published". Default: a dash. */
  readonly missing?: string | undefined;
}

/** A table ready to be shown: every cell is text, or undefined where the value is unknown. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly { readonly heading: string; readonly numeric: boolean }[];
  readonly cells: readonly (readonly (string | undefined)[])[];
  readonly missing: string;
}

/** What a danfojs data frame has that a table needs. */
export interface Frame {
  readonly columns: readonly string[];
  readonly values: unknown;
}

/** A value that is known. */
type Known = string | number | boolean;

/**
 * The value of a cell, undefined when it is unknown.
 *
 * @throws {RangeError} on anything that is neither text, true, false nor a finite number: NaN is no way to say unknown.
 */
function checkCell(value: unknown, row: number, key: string): Known | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string" || typeof value === "boolean") return value;
  throw new RangeError(`row ${row + 1} has ${String(value)} for ${key}; leave a value that is unknown out`);
}

/** Whether a column holds numbers, unknown values aside; a column of unknown values holds none. */
const isNumeric = (cells: readonly (Known | undefined)[]): boolean =>
  cells.some((cell) => typeof cell === "number") &&
  cells.every((cell) => cell === undefined || typeof cell === "number");

/** The text a value is shown as, undefined when it is unknown. */
function cellText(value: Known | undefined, format: Format): string | undefined {
  if (value === undefined) return undefined;
  if (typeof format === "function") return format(value);
  return typeof value === "number" ? fixedText(value, format) : wordsOf(value);
}

const wordsOf = (value: string | boolean): string => typeof value === "boolean" ? (value ? "yes" : "no") : value;

/** How the values of a column are written where nobody said it; see {@link Format}. */
function usualFormat(key: string, keys: readonly string[], cells: readonly (Known | undefined)[]) {
  const numbers = cells.filter((cell) => typeof cell === "number");
  const written = (format: (value: number) => string) => (value: Known) =>
    typeof value === "number" ? format(value) : wordsOf(value);
  // Numbers among words are of different kinds.
  if (!isNumeric(cells)) return written((value) => plainNumber(value, decimalsOf([value])));
  // Whole numbers count slopes.
  if (/λ|\b(lambda|slope)/i.test(key) && !numbers.every(Number.isInteger)) return written(slope);
  if (numbers.every((value) => value >= 0 && value <= 1)) {
    // In tidy rows `p` is the preference for an option.
    if (/(^|[\s_])p(-value)?$/.test(key) && !keys.includes("option")) return written(pValue);
    if (/^share\b/i.test(key)) return written(share);
  }
  const decimals = decimalsOf(numbers);
  return written((value) => plainNumber(value, decimals));
}

/** What is not zero is not shown as zero. */
const plainNumber = (value: number, decimals: number): string =>
  value !== 0 && Number(value.toFixed(decimals)) === 0 ? shortText(value) : fixedText(value, decimals);

/** Decimals for a whole column: four digits of the largest value, two of the smallest, none that no value needs. */
function decimalsOf(numbers: readonly number[]): number {
  const sizes = numbers.map(Math.abs).filter((size) => size > 0);
  const [largest, smallest] = [max(sizes) ?? 0, min([1, ...sizes])!];
  const before = largest <= 1 ? 0 : Math.floor(Math.log10(largest)) + 1;
  const most = Math.min(4, Math.max(0, 4 - before, 1 + Math.ceil(-Math.log10(smallest))));
  return max(numbers, (value) => String(Number(value.toFixed(most))).split(".")[1]?.length) ?? 0;
}

/** A table from a data frame that is already there. Options and errors as in `buildTable`. */
export function tableOf(frame: Frame, { caption, columns, format = {}, missing = "—" }: TableOptions): Table {
  if (caption.trim() === "") throw new RangeError("a table needs a caption");
  const values = rowsOf(frame);
  const shown = (columns ?? frame.columns).map((key) => {
    const index = frame.columns.indexOf(key);
    if (index === -1) throw new RangeError(`no column ${JSON.stringify(key)}; there are ${frame.columns.join(", ")}`);
    const cells = values.map((row, i) => checkCell(row[index], i, key));
    return { key, cells, format: format[key] ?? usualFormat(key, frame.columns, cells) };
  });
  return {
    caption,
    columns: shown.map(({ key, cells }) => ({ heading: key, numeric: isNumeric(cells) })),
    cells: values.map((_, i) => shown.map(({ cells, format }) => cellText(cells[i], format))),
    missing,
  };
}

function rowsOf({ columns, values }: Frame): readonly (readonly unknown[])[] {
  if (!Array.isArray(values)) throw new RangeError("a data frame must hold its values row by row");
  // A frame of one column may hold its values without a row around each.
  const rows: readonly unknown[][] = values.map((row: unknown) => Array.isArray(row) ? row : [row]);
  const ragged = rows.findIndex((row) => row.length !== columns.length);
  if (ragged !== -1) {
    throw new RangeError(`row ${ragged + 1} has ${rows[ragged]!.length} values for ${columns.length} columns`);
  }
  return rows;
}

/**
 * A table from records. An unknown value stays unknown: it is never shown as 0 or NaN.
 *
 * @throws {RangeError} on a value that is neither text, a finite number, true, false nor unknown, naming row and column;
 * on a column that no record has; on a caption that is blank.
 */
export function buildTable(rows: readonly Readonly<Record<string, Cell>>[], options: TableOptions): Table {
  checkList("rows", rows);
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const { columns = known } = options;
  for (const key of columns) {
    if (rows.length > 0 && !known.includes(key)) {
      throw new RangeError(`no record has ${JSON.stringify(key)}; the keys are ${known.join(", ")}`);
    }
  }
  return tableOf({ columns, values: rows.map((row) => columns.map((key) => row[key])) }, { ...options, columns });
}

const CELL = "padding:.25em .75em";
const ROW = "border-bottom:1px solid #d0d0d0;vertical-align:top";

/**
 * A table as a notebook output: HTML with a caption and scoped headings, so that a screen reader can say where a value
 * stands, and aligned plain text. The first column names its row.
 */
export function tableBundle(table: Table): MimeBundle {
  return { "text/html": toHtml(table), "text/plain": toText(table) };
}

function toHtml({ caption, columns, cells, missing }: Table): string {
  const align = (column: number) => columns[column]!.numeric ? "right" : "left";
  const heading = (text: string, column: number, scope: "col" | "row") => {
    const style = `style="${CELL};text-align:${align(column)}"`;
    // A heading without words would be read out as one.
    return text.trim() === "" ? `<td ${style}></td>` : `<th scope="${scope}" ${style}>${text}</th>`;
  };
  const body = cells.map((row) => {
    const texts = row.map((cell) => cell === undefined ? missingHtml(missing) : breakable(shown(cell)));
    const rest = texts.slice(1).map((text, i) =>
      `<td style="${CELL};text-align:${align(i + 1)}${
        /^[\d\s.,−+–%<>≤≥to]*\d[\d\s.,−+–%to]*$/.test(text) ? ";white-space:nowrap" : ""
      }">${text}</td>`
    );
    return `<tr style="${ROW}">${texts.length === 0 ? "" : heading(texts[0]!, 0, "row")}${rest.join("")}</tr>`;
  });
  if (cells.length === 0) body.push(`<tr><td colspan="${columns.length}" style="${CELL}">no rows</td></tr>`);
  // The card has colours of its own: text of unknown colour on an unknown background could vanish.
  return [
    // A table wider than the page scrolls; with a tab stop it can be scrolled from the keyboard.
    `<div role="group" tabindex="0" aria-label="${
      shown(caption)
    }" style="overflow-x:auto;margin:1em 0;padding:12px;background:#fff;color:#1b1b1b;border:1px solid #d0d0d0;border-radius:6px">`,
    `<table style="border-collapse:collapse;font-variant-numeric:tabular-nums;color:#1b1b1b">`,
    `<caption style="text-align:left;padding-bottom:.5em;color:#1b1b1b">${shown(caption)}</caption>`,
    `<thead><tr style="${ROW}">${
      columns.map((column, i) => heading(shown(column.heading), i, "col")).join("")
    }</tr></thead>`,
    `<tbody>`,
    ...body,
    `</tbody></table></div>`,
  ].join("\n");
}

/** Codes such as `unreadable_state:tag_count` may go on in the next line after a mark. */
const breakable = (html: string): string => html.replace(/(?<=\w[_:])(?=\w)/g, "<wbr>");

const shown = (text: string): string => escapeHtml(inertText(text));

/** A dash says nothing aloud: it is read out as "unknown". Words stand for themselves. */
function missingHtml(missing: string): string {
  if (/\p{L}/u.test(missing)) return shown(missing);
  return `<span role="img" aria-label="unknown">${shown(missing)}</span>`;
}

function toText({ caption, columns, cells, missing }: Table): string {
  const oneLine = (text: string) => inertText(text).replace(/\s+/g, " ");
  const rows = [columns.map(({ heading }) => heading), ...cells.map((row) => row.map((cell) => cell ?? missing))]
    .map((row) => row.map(oneLine));
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => columns[i]!.numeric ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)).join("  ")
      .trimEnd();
  const [head, ...body] = rows.map(line);
  return [oneLine(caption), head, widths.map((width) => "-".repeat(width)).join("  "), ...body].join("\n");
}

/**
 * Shows records as a table. Await it: `await table(rows, { caption: "Runs by condition" })`.
 *
 * Options and errors as in `buildTable`.
 */
export async function table(rows: readonly Readonly<Record<string, Cell>>[], options: TableOptions): Promise<void> {
  checkOptions("table", options, "caption! columns format missing");
  await emit(tableBundle(buildTable(rows, options)));
}
