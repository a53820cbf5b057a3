import { escapeHtml } from "./escape_html.ts";
import { inertText } from "./inert_text.ts";
import type { MimeBundle } from "./mime_bundle.ts";
import type { Table } from "./table_type.ts";

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
    const rest = texts.slice(1).map((text, i) => `<td style="${CELL};text-align:${align(i + 1)}">${text}</td>`);
    return `<tr style="${ROW}">${texts.length === 0 ? "" : heading(texts[0]!, 0, "row")}${rest.join("")}</tr>`;
  });
  if (cells.length === 0) body.push(`<tr><td colspan="${columns.length}" style="${CELL}">no rows</td></tr>`);
  // The card has colours of its own: text of unknown colour on an unknown background could vanish.
  return [
    // A table wider than the page scrolls, and whoever has no mouse scrolls what has the focus.
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
