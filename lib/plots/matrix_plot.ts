import * as Plot from "@observablehq/plot";
import {
  countText,
  fixedText,
  intervalText,
  LAMBDA,
  noIntervalText,
  requireFinite,
  undefinedText,
} from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { MUTED, SHADE, textOn } from "./palette.ts";
import { drawRamp, hatchMark, lambdaColours } from "./shading.ts";
import { wrapText } from "./text.ts";

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

/** The slope of one condition: one cell where a row and a column meet. */
export interface MatrixCell {
  readonly row: string;
  readonly column: string;
  /** Nats per round. Absent: undefined, for the `reason`. */
  readonly lambda?: number | undefined;
  readonly reason?: string | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** Replicates that counted. */
  readonly n: number;
  /** Replicates that were planned. */
  readonly target?: number | undefined;
  readonly published?: number | undefined;
}

export interface MatrixPlotOptions extends FigureOptions {
  /** At most one cell for each row and column; rows and columns appear in the order of their first cell. */
  readonly cells: readonly MatrixCell[];
  /** What the rows are, such as `line-up`. */
  readonly rowTitle?: string;
  readonly columnTitle?: string;
  /** Level of the intervals. Default 0.95. */
  readonly level?: number;
}

/**
 * Slopes of conditions crossed by two factors, as a coloured matrix with each value, interval and count in its cell.
 *
 * Colour repeats the number and never stands alone. Cells without an estimate are hatched and say why.
 * Source: Figures 1B and 4 of the deliberation paper.
 *
 * @throws {RangeError} when a value is not finite or two cells share a row and column.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const cells = [{ row: "uniform", column: "roles", lambda: 0.0541, n: 19, target: 20, published: 0.0541 }];
 * assert.match(matrixPlot({ cells, synthetic: true }).alt, /uniform, roles: 0.0541, n = 19 of 20, published 0.0541/);
 * ```
 */
export function matrixPlot(options: MatrixPlotOptions): Figure {
  const { cells, level = 0.95 } = options;
  for (const { row, column, lambda, low, high, n, target, published } of cells) {
    requireFinite(`cell "${row}", "${column}"`, lambda, low, high, n, target, published);
  }
  const grid = layOutMatrix(cells, { hasTitle: options.columnTitle !== undefined });
  const canvas = createCanvas();
  return toFigure(options, {
    kind: "matrix",
    canvas,
    height: drawMatrix(canvas, grid, options),
    alt: [
      `Matrix of ${LAMBDA} for ${countText(cells.length, "condition")}`,
      ...cells.map((cell) => `${cell.row}, ${cell.column}: ${cellWords(cell).join(", ")}`),
    ],
    caption: captionSentences(cells, grid.slots.length - cells.length, level),
    rows: cells.map((cell) => ({ ...EMPTY_ROW, ...cell })),
  });
}

const EMPTY_ROW = {
  ...{ row: undefined, column: undefined, lambda: undefined, low: undefined, high: undefined },
  ...{ n: undefined, target: undefined, published: undefined, reason: undefined },
};

/** Returns the height of the whole. */
function drawMatrix(canvas: Canvas, grid: Grid, options: MatrixPlotOptions): number {
  if (options.cells.length === 0) {
    canvas.text("No conditions to draw.", WIDTH / 2, LINE_HEIGHT + 4, { anchor: "middle", fill: MUTED });
    return 2 * LINE_HEIGHT;
  }
  const values = options.cells.flatMap(({ lambda }) => lambda ?? []);
  const colours = lambdaColours(values);
  drawHeadings(canvas, grid, options);
  for (const slot of grid.slots) drawSlot(canvas, slot, colours);
  const below = grid.bottom + 12;
  return below + drawRamp(canvas, values, grid.left, below);
}

function drawHeadings(
  canvas: Canvas,
  { rows, columns, left, top }: Grid,
  { rowTitle, columnTitle }: MatrixPlotOptions,
) {
  if (columnTitle !== undefined) {
    canvas.lines(wrapText(columnTitle, WIDTH - left - 16, TEXT_SIZE, 1), left, 16, { fill: MUTED });
  }
  if (rowTitle !== undefined) canvas.lines(wrapText(rowTitle, left - 32, TEXT_SIZE, 1), 16, top - 8, { fill: MUTED });
  for (const { lines, middle } of columns) {
    canvas.lines(lines, middle, top - 8 - (lines.length - 1) * LINE_HEIGHT, { anchor: "middle", weight: "bold" });
  }
  for (const { lines, middle } of rows) {
    canvas.lines(lines, left - 12, centred(lines, middle), { anchor: "end", weight: "bold" });
  }
}

function drawSlot(
  canvas: Canvas,
  { x, y, width, height, lines, bold, lambda }: Slot,
  colours: (value: number) => string,
) {
  const box = { x1: x, x2: x + width, y1: y, y2: y + height };
  const edges = { x1: "x1", x2: "x2", y1: "y1", y2: "y2" };
  const fill = lambda === undefined ? SHADE : colours(lambda);
  canvas.marks(Plot.rect([box], { ...edges, fill, stroke: lambda === undefined ? MUTED : "none" }));
  if (lambda === undefined) canvas.marks(hatchMark(box));
  const style = { anchor: "middle", fill: textOn(fill) } as const;
  const below = canvas.lines(lines.slice(0, bold), x + width / 2, centred(lines, y + height / 2), {
    ...style,
    weight: "bold",
  });
  canvas.lines(lines.slice(bold), x + width / 2, below, style);
}

/** The first baseline of lines that stand in the middle. */
const centred = (lines: readonly string[], middle: number): number => middle - (lines.length * LINE_HEIGHT) / 2 + 12;

function captionSentences(cells: readonly MatrixCell[], notRun: number, level: number): string[] {
  const sentences = [`${LAMBDA} in nats per round; n is the number of replicates that counted`];
  if (cells.some(({ low }) => low !== undefined)) {
    sentences.push(`Brackets: ${fixedText(100 * level, 0)} % intervals`);
  }
  if (cells.some(({ published }) => published !== undefined)) sentences.push("Published values stand beneath");
  const missing = cells.filter(({ lambda }) => lambda === undefined).length;
  if (missing > 0) sentences.push(`Hatched: ${countText(missing, "condition")} without an estimate`);
  if (notRun > 0) sentences.push(`Not run: ${countText(notRun, "condition")}`);
  return sentences;
}
