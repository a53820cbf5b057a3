import * as Plot from "@observablehq/plot";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import type { Figure } from "./figure.ts";
import { type FigureOptions, toFigure } from "./figure_options.ts";
import { hatchMark } from "./hatch.ts";
import { wrapText } from "./label_text.ts";
import { countText, fixedText, intervalText, LAMBDA, requireFinite, undefinedText } from "./number_text.ts";
import { INK, MUTED } from "./palette.ts";
import { lambdaColours, rampPlot, textOn } from "./ramp.ts";

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
  const grid = layOut(options);
  const canvas = createCanvas();
  let height = 2 * LINE_HEIGHT;
  if (cells.length === 0) {
    canvas.text("No conditions to draw.", WIDTH / 2, LINE_HEIGHT + 4, { anchor: "middle", fill: MUTED });
  } else {
    drawHeadings(canvas, grid, options);
    for (const slot of grid.slots) drawSlot(canvas, slot);
    height = grid.bottom + 12 +
      rampPlot(canvas, cells.flatMap(({ lambda }) => lambda ?? []), grid.left, grid.bottom + 12);
  }
  return toFigure(options, {
    kind: "matrix",
    canvas,
    height,
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

/** One place in the matrix: pixels, the fill, and the lines to print. */
interface Slot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  /** Absent: no estimate, hatched. */
  readonly fill: string | undefined;
}

interface Grid {
  readonly rows: readonly { readonly lines: readonly string[]; readonly middle: number }[];
  readonly columns: readonly { readonly lines: readonly string[]; readonly middle: number }[];
  readonly slots: readonly Slot[];
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

const LEFT = 150;
const GAP = 4;

function layOut({ cells, columnTitle }: MatrixPlotOptions): Grid {
  const found = new Map<string, MatrixCell>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.row, cell.column]);
    if (found.has(key)) throw new RangeError(`two cells for row "${cell.row}" and column "${cell.column}"`);
    requireFinite(`cell "${cell.row}", "${cell.column}"`, cell.lambda, cell.low, cell.high, cell.n, cell.published);
    found.set(key, cell);
  }
  const rowLabels = [...new Set(cells.map(({ row }) => row))];
  const columnLabels = [...new Set(cells.map(({ column }) => column))];
  const width = Math.min(200, (WIDTH - LEFT - 16) / Math.max(1, columnLabels.length));
  const colours = lambdaColours(cells.flatMap(({ lambda }) => lambda ?? []));
  const withPublished = cells.some(({ published }) => published !== undefined);

  const columns = columnLabels.map((label, i) => ({
    ...{ label, x: LEFT + i * width, middle: LEFT + (i + 0.5) * width, lines: wrapText(label, width - 12, BOLD_SIZE) },
  }));
  const columnLines = Math.max(0, ...columns.map(({ lines }) => lines.length)) + (columnTitle === undefined ? 0 : 1);
  const top = 16 + columnLines * LINE_HEIGHT;
  let y = top;
  const slots: Slot[] = [];
  const rows = rowLabels.map((label) => {
    const rowCells = columns.map(({ label: column, x }) => {
      const cell = found.get(JSON.stringify([label, column]));
      const words = cell === undefined ? ["not run"] : cellWords(cell, withPublished);
      const lines = words.flatMap((word, i) => wrapText(word, width - 16, i === 0 ? BOLD_SIZE : TEXT_SIZE));
      return { x, lines, fill: cell?.lambda === undefined ? undefined : colours(cell.lambda) };
    });
    const lines = wrapText(label, LEFT - 32, BOLD_SIZE, 4);
    const height = Math.max(lines.length, ...rowCells.map(({ lines }) => lines.length)) * LINE_HEIGHT + 20;
    slots.push(...rowCells.map((cell) => ({ ...cell, y, width: width - GAP, height: height - GAP })));
    y += height;
    return { lines, middle: y - height / 2 };
  });
  return { rows, columns, slots, left: LEFT, top, bottom: y };
}

/** What a cell says, a line each. Whether an unpublished value is worth a word depends on its neighbours. */
function cellWords({ lambda, reason, low, high, n, target, published }: MatrixCell, withPublished = false): string[] {
  const interval = intervalText(low, high);
  return [
    lambda === undefined ? undefinedText(reason) : fixedText(lambda),
    ...(interval === undefined ? [] : [interval]),
    `n = ${n}${target === undefined ? "" : ` of ${target}`}`,
    ...(published !== undefined ? [`published ${fixedText(published)}`] : withPublished ? ["not published"] : []),
  ];
}

function drawHeadings(
  canvas: Canvas,
  { rows, columns, left, top }: Grid,
  { rowTitle, columnTitle }: MatrixPlotOptions,
) {
  if (columnTitle !== undefined) canvas.text(columnTitle, left, 16, { fill: MUTED });
  if (rowTitle !== undefined) canvas.text(rowTitle, 16, top - 8, { fill: MUTED });
  for (const { lines, middle } of columns) {
    canvas.lines(lines, middle, top - 8 - (lines.length - 1) * LINE_HEIGHT, { anchor: "middle", weight: "bold" });
  }
  for (const { lines, middle } of rows) {
    canvas.lines(lines, left - 12, centred(lines, middle), { anchor: "end", weight: "bold" });
  }
}

function drawSlot(canvas: Canvas, { x, y, width, height, lines, fill }: Slot): void {
  const box = { x1: x, x2: x + width, y1: y, y2: y + height };
  const edges = { x1: "x1", x2: "x2", y1: "y1", y2: "y2" };
  canvas.marks(Plot.rect([box], { ...edges, fill: fill ?? "#f0f0f0", stroke: fill === undefined ? MUTED : "none" }));
  if (fill === undefined) canvas.marks(hatchMark(box));
  const ink = fill === undefined ? INK : textOn(fill);
  const start = centred(lines, y + height / 2);
  canvas.lines(lines.slice(0, 1), x + width / 2, start, { anchor: "middle", weight: "bold", fill: ink });
  canvas.lines(lines.slice(1), x + width / 2, start + LINE_HEIGHT, { anchor: "middle", fill: ink });
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
