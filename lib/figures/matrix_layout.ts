import { BOLD_SIZE, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { wrapText } from "./label_text.ts";
import type { MatrixCell } from "./matrix_plot.ts";
import { fixedText, intervalText, noIntervalText, undefinedText } from "./number_text.ts";

/** One place in the matrix: pixels, and the lines to print, of which the first `bold` are. */
export interface Slot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  readonly bold: number;
  /** Absent: no estimate. */
  readonly lambda: number | undefined;
}

interface Heading {
  readonly lines: readonly string[];
  /** Pixels: x of a column's, y of a row's. */
  readonly middle: number;
}

export interface Grid {
  readonly rows: readonly Heading[];
  readonly columns: readonly Heading[];
  readonly slots: readonly Slot[];
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

const LEFT = 150;
const GAP = 4;

/**
 * Where everything in a matrix stands; rows and columns in the order of their first cell.
 *
 * @throws {RangeError} when two cells share a row and column.
 */
export function layOutMatrix(cells: readonly MatrixCell[], { hasTitle }: { hasTitle: boolean }): Grid {
  const find = finder(cells);
  const columnLabels = [...new Set(cells.map(({ column }) => column))];
  const width = Math.min(200, (WIDTH - LEFT - 16) / Math.max(1, columnLabels.length));
  const columns = columnLabels.map((label, i) => ({
    lines: wrapText(label, width - 12, BOLD_SIZE),
    middle: LEFT + (i + 0.5) * width,
  }));
  const headingLines = Math.max(0, ...columns.map(({ lines }) => lines.length)) + (hasTitle ? 1 : 0);
  const withPublished = cells.some(({ published }) => published !== undefined);

  const top = 16 + headingLines * LINE_HEIGHT;
  const slots: Slot[] = [];
  const rows: Heading[] = [];
  let y = top;
  for (const label of new Set(cells.map(({ row }) => row))) {
    const texts = columnLabels.map((column) => cellText(find(label, column), { width: width - 16, withPublished }));
    const lines = wrapText(label, LEFT - 32, BOLD_SIZE, 4);
    const height = Math.max(lines.length, ...texts.map(({ lines }) => lines.length)) * LINE_HEIGHT + 20;
    const box = { y, width: width - GAP, height: height - GAP };
    slots.push(...texts.map((text, i) => ({ ...text, ...box, x: LEFT + i * width })));
    rows.push({ lines, middle: y + height / 2 });
    y += height;
  }
  return { rows, columns, slots, left: LEFT, top, bottom: y };
}

function finder(cells: readonly MatrixCell[]): (row: string, column: string) => MatrixCell | undefined {
  const found = new Map<string, MatrixCell>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.row, cell.column]);
    if (found.has(key)) throw new RangeError(`two cells for row "${cell.row}" and column "${cell.column}"`);
    found.set(key, cell);
  }
  return (row, column) => found.get(JSON.stringify([row, column]));
}

function cellText(cell: MatrixCell | undefined, { width, withPublished }: { width: number; withPublished: boolean }) {
  const words = cell === undefined ? ["not run"] : cellWords(cell, withPublished);
  const wrapped = words.map((word, i) => wrapText(word, width, i === 0 ? BOLD_SIZE : TEXT_SIZE));
  return { lines: wrapped.flat(), bold: wrapped[0]!.length, lambda: cell?.lambda };
}

/** What a cell says, a line each. Whether an unpublished value is worth a word depends on its neighbours. */
export function cellWords(cell: MatrixCell, withPublished = false): string[] {
  const { lambda, reason, low, high, n, target, published } = cell;
  const interval = intervalText(low, high);
  return [
    lambda === undefined ? undefinedText(reason) : fixedText(lambda),
    ...(interval !== undefined ? [interval] : noIntervalText(lambda, reason)),
    `n = ${n}${target === undefined ? "" : ` of ${target}`}`,
    ...(published !== undefined ? [`published ${fixedText(published)}`] : withPublished ? ["not published"] : []),
  ];
}
