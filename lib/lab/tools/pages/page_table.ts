import { parseHTML } from "linkedom";
import { escapeHtml } from "../../../core/text.ts";

/**
 * A table that `table` made, for a page: its look is the page's instead of its own, and an interval such as
 * `0.0126 to 0.0257` is also drawn, as a line on the scale of its column with a dot at the estimate before it.
 */
export function pageTable(html: string): string {
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  const table = document.querySelector("table");
  if (table === null) return html;
  for (const cell of table.querySelectorAll("th, td")) {
    if (/text-align:right/.test(cell.getAttribute("style") ?? "")) cell.className = "number";
  }
  for (const styled of document.querySelectorAll("[style]")) styled.removeAttribute("style");
  table.parentElement!.className = "table";
  const rows = [...table.querySelectorAll("tbody tr")].map((row) => [...row.children]);
  const columns = rows[0]?.length ?? 0;
  for (let at = 1; at < columns; at++) drawIntervals(rows, at);
  return document.body.innerHTML;
}

const NUMBER = String.raw`[−-]?\d*\.?\d+`;
const INTERVAL = new RegExp(`^(${NUMBER}) to (${NUMBER})$`);
const numberOf = (text: string): number => Number(text.trim().replace("−", "-") || NaN);

/** Draws the intervals of a column, where most of its cells are intervals and there are several to compare. */
function drawIntervals(rows: readonly (readonly Element[])[], at: number): void {
  const found = rows.flatMap((row) => {
    const [, low, high] = INTERVAL.exec(row[at]?.textContent.trim() ?? "") ?? [];
    if (low === undefined || high === undefined) return [];
    const [from, to] = [numberOf(low), numberOf(high)];
    const values = row.slice(1, at).map((cell) => numberOf(cell.textContent));
    return [{ cell: row[at]!, from, to, dot: values.findLast((value) => value >= from && value <= to) }];
  });
  if (found.length < 2 || found.length < rows.length / 2) return;
  const left = Math.min(0, ...found.map(({ from }) => from)), right = Math.max(0, ...found.map(({ to }) => to));
  const x = (value: number) => (4 + 82 * (value - left) / (right - left || 1)).toFixed(1);
  for (const { cell, from, to, dot } of found) {
    const words = cell.textContent;
    cell.innerHTML =
      `<span class="interval">${escapeHtml(words)}<svg viewBox="0 0 90 14" width="90" height="14" aria-hidden="true">` +
      `<path class="zero" d="M${x(0)} 1V13"/><path class="span" d="M${x(from)} 7H${x(to)}"/>` +
      (dot === undefined ? "" : `<circle r="3" cx="${x(dot)}" cy="7"/>`) + `</svg></span>`;
  }
}
