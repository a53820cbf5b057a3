import * as Plot from "@observablehq/plot";
import { type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import type { Figure } from "./figure.ts";
import { type FigureOptions, toFigure } from "./figure_options.ts";
import { hatchMark } from "./hatch.ts";
import { wrapText } from "./label_text.ts";
import { cellWords, type Grid, layOutMatrix, type Slot } from "./matrix_layout.ts";
import { countText, fixedText, LAMBDA, requireFinite } from "./number_text.ts";
import { MUTED, SHADE, textOn } from "./palette.ts";
import { drawRamp, lambdaColours } from "./ramp.ts";

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
