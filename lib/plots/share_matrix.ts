import * as Plot from "@observablehq/plot";
import { requireFinite, share as shareText } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { INK, MUTED, percentWords, SHADE, textOn } from "./palette.ts";
import { hatchMark, shareColour } from "./shading.ts";
import { wrapText } from "./text.ts";

/** How often the thing in the row stands above the one in the column. */
export interface PairShareCell {
  readonly row: string;
  readonly column: string;
  /** Shares in [0, 1]: certainly above, and neither above nor below for certain. */
  readonly above: number;
  readonly undecided: number;
  /** Whether row above column is the published order. */
  readonly published?: boolean | undefined;
}

export interface ShareMatrixOptions extends FigureOptions {
  /** At most one cell for each row and column. Rows appear in the order of their first cell, columns in that of the rows. */
  readonly cells: readonly PairShareCell[];
  /** What the shares are of. Default: weightings. */
  readonly of?: string;
}

/**
 * In what share of weightings each of some things stands above each other one: pair orders as a coloured matrix.
 *
 * Colour repeats the number. Cells of the published order are framed and say so; the diagonal is hatched.
 *
 * @throws {RangeError} when a share is not in [0, 1], or two cells share a row and column.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const cells = [{ row: "MIMO", column: "GLM", above: 0.8, undecided: 0.15, published: true }];
 * assert.match(shareMatrix({ cells, synthetic: false }).alt, /MIMO above GLM: 80 %, open 15 %, published/);
 * ```
 */
export function shareMatrix(options: ShareMatrixOptions): Figure {
  const { cells, of = "weightings" } = options;
  const find = finder(cells);
  const canvas = createCanvas();
  const withPublished = cells.some(({ published }) => published);
  return toFigure(options, {
    kind: "pair-shares",
    canvas,
    height: cells.length === 0 ? drawNothing(canvas) : drawMatrix(canvas, cells, find),
    alt: [
      `Matrix of pair orders, shares of ${of}`,
      ...cells.map((cell) => `${cell.row} above ${cell.column}: ${cellWords(cell, percentWords).join(", ")}`),
    ],
    caption: [
      `Share of ${of} under which the row is certainly above the column; open is the share under which neither is certain`,
      ...(withPublished ? ["Framed: the published order"] : []),
    ],
    rows: cells.map(({ row, column, above, undecided, published }) => ({ row, column, above, undecided, published })),
  });
}

const LEFT = 140;
const RIGHT = 8;
/** Names of models have no spaces to break at, and columns are narrow. */
const HEADING_SIZE = 11;
const GAP = 4;

function finder(cells: readonly PairShareCell[]): (row: string, column: string) => PairShareCell | undefined {
  const found = new Map<string, PairShareCell>();
  for (const cell of cells) {
    const { row, column, above, undecided } = cell;
    requireFinite(`cell "${row}", "${column}"`, above, undecided);
    if (above < 0 || undecided < 0 || above + undecided > 1 + 1e-9) {
      throw new RangeError(`cell "${row}", "${column}" has shares ${above} and ${undecided}; they are parts of 1`);
    }
    const key = JSON.stringify([row, column]);
    if (found.has(key)) throw new RangeError(`two cells for row "${row}" and column "${column}"`);
    found.set(key, cell);
  }
  return (row, column) => found.get(JSON.stringify([row, column]));
}

function cellWords({ above, undecided, published }: PairShareCell, percent = shareText): string[] {
  return [
    percent(above),
    ...(undecided > 0 ? [`open ${percent(undecided)}`] : []),
    ...(published ? ["published"] : []),
  ];
}

function drawNothing(canvas: Canvas): number {
  canvas.text("No pairs to draw.", WIDTH / 2, LINE_HEIGHT + 4, { anchor: "middle", fill: MUTED });
  return 2 * LINE_HEIGHT;
}

/** Returns the height of the whole. */
function drawMatrix(
  canvas: Canvas,
  cells: readonly PairShareCell[],
  find: (row: string, column: string) => PairShareCell | undefined,
): number {
  const labels = new Set([...cells.map(({ row }) => row), ...cells.map(({ column }) => column)]);
  const columns = [...labels].filter((label) => cells.some(({ column }) => column === label));
  const width = Math.min(130, (WIDTH - LEFT - RIGHT) / columns.length);
  const headings = columns.map((column) => wrapText(column, width, HEADING_SIZE));
  const top = 20 + Math.max(...headings.map(({ length }) => length)) * LINE_HEIGHT;
  headings.forEach((lines, i) =>
    canvas.lines(lines, LEFT + (i + 0.5) * width, top - 6 - (lines.length - 1) * LINE_HEIGHT, {
      ...{ anchor: "middle", size: HEADING_SIZE },
    })
  );
  let y = top;
  for (const row of new Set(cells.map(({ row }) => row))) {
    y = drawRow(canvas, row, columns.map((column) => find(row, column)), { y, width });
  }
  return y + 12;
}

/** Returns the `y` below the row. */
function drawRow(
  canvas: Canvas,
  label: string,
  cells: readonly (PairShareCell | undefined)[],
  { y, width }: { y: number; width: number },
): number {
  const heading = wrapText(label, LEFT - 24, BOLD_SIZE, 4);
  const texts = cells.map((cell) =>
    cell === undefined ? [] : cellWords(cell).flatMap((word) => wrapText(word, width - 8, TEXT_SIZE))
  );
  const height = Math.max(heading.length, 3, ...texts.map(({ length }) => length)) * LINE_HEIGHT + 14;
  const start = (lines: number) => y + (height - GAP) / 2 - (lines * LINE_HEIGHT) / 2 + 12;
  canvas.lines(heading, LEFT - 12, start(heading.length), { anchor: "end", weight: "bold" });
  cells.forEach((cell, i) => {
    const box = { x1: LEFT + i * width, x2: LEFT + (i + 1) * width - GAP, y1: y, y2: y + height - GAP };
    const fill = cell === undefined ? SHADE : shareColour(cell.above);
    const [stroke, strokeWidth] = cell?.published ? [INK, 2] : [MUTED, 0.6];
    canvas.marks(Plot.rect([box], { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill, stroke, strokeWidth }));
    if (cell === undefined) canvas.marks(hatchMark(box));
    const lines = texts[i]!;
    const style = { anchor: "middle", fill: textOn(fill) } as const;
    const below = canvas.lines(lines.slice(0, 1), (box.x1 + box.x2) / 2, start(lines.length), {
      ...style,
      weight: "bold",
    });
    canvas.lines(lines.slice(1), (box.x1 + box.x2) / 2, below, style);
  });
  return y + height;
}
