import * as Plot from "@observablehq/plot";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem } from "./legend.ts";
import { MUTED, SHADE, textOn } from "./palette.ts";
import { hatchMark } from "./shading.ts";
import { wrapText } from "./text.ts";

/** The runs of one condition: one cell where a row and a column meet. */
export interface OutcomeCell {
  readonly row: string;
  readonly column: string;
  /** Runs that stabilised, of `n`. */
  readonly stabilized: number;
  readonly n: number;
  /** Mean quality of survival of the `n` runs. Absent: not known. */
  readonly meanQ?: number | undefined;
  /** Share of slots that fell back, in [0, 1]. Absent: not known. */
  readonly fallback?: number | undefined;
  /** What is published of the same condition. */
  readonly published?: { readonly stabilized: number; readonly n: number } | undefined;
}

export interface OutcomeMatrixOptions extends FigureOptions {
  /** At most one cell for each row and column; rows and columns appear in the order of their first cell. */
  readonly cells: readonly OutcomeCell[];
  /** What the rows are, such as `schema`. */
  readonly rowTitle?: string;
  readonly columnTitle?: string;
}

/**
 * How runs ended in conditions crossed by two factors, such as the schema shown or hidden and the normaliser on or off:
 * each cell with its stabilised runs, mean quality of survival and share of fallback.
 *
 * Colour repeats the share that stabilised and never stands alone. Cells without runs are hatched and say so.
 * Source: the schema-interface repair of the station paper (section 3, Table 3), which moves along the diagonal.
 *
 * @throws {RangeError} when more runs stabilised than there are, a number is none, or two cells share a row and column.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const cells = [{ row: "hidden", column: "strict", stabilized: 0, n: 6, meanQ: 0.31, fallback: 0.25 }];
 * const { alt } = outcomeMatrix({ cells, synthetic: true });
 * assert.match(alt, /hidden, strict: 0 of 6 stabilised, mean q 0.310, fallback 25 %/);
 * ```
 */
export function outcomeMatrix(options: OutcomeMatrixOptions): Figure {
  const { cells } = options;
  const find = finder(cells);
  const canvas = createCanvas();
  const withPublished = cells.some(({ published }) => published !== undefined);
  return toFigure(options, {
    kind: "outcomes",
    canvas,
    height: drawMatrix(canvas, options, (row, column) => slotOf(find(row, column), withPublished)),
    alt: [
      `Matrix of outcomes of ${countText(cells.length, "condition")}`,
      ...cells.map((cell) => `${cell.row}, ${cell.column}: ${slotOf(cell, withPublished).words.join(", ")}`),
    ],
    caption: [
      "Runs that stabilised, mean quality of survival q over all runs of the cell, and the share of slots filled by fallback",
      ...(withPublished ? ["Published counts stand beneath"] : []),
    ],
    rows: cells.map(({ row, column, stabilized, n, meanQ, fallback, published }) => ({
      ...{ row, column, stabilized, n, meanQ, fallback },
      ...{ publishedStabilized: published?.stabilized, publishedN: published?.n },
    })),
  });
}

const LEFT = 150;
const GAP = 4;
const SCALE = Plot.scale({ color: { type: "linear", domain: [-0.12, 1], scheme: "blues" } });

interface Slot {
  /** Absent: no runs. */
  readonly share: number | undefined;
  readonly words: readonly string[];
}

function finder(cells: readonly OutcomeCell[]): (row: string, column: string) => OutcomeCell | undefined {
  const found = new Map<string, OutcomeCell>();
  for (const cell of cells) {
    checkCell(cell);
    const key = JSON.stringify([cell.row, cell.column]);
    if (found.has(key)) throw new RangeError(`two cells for row "${cell.row}" and column "${cell.column}"`);
    found.set(key, cell);
  }
  return (row, column) => found.get(JSON.stringify([row, column]));
}

function checkCell({ row, column, stabilized, n, meanQ, fallback, published }: OutcomeCell): void {
  const what = `cell "${row}", "${column}"`;
  requireFinite(what, meanQ, fallback);
  for (const counts of [{ stabilized, n }, ...(published ? [published] : [])]) {
    const whole = Number.isSafeInteger(counts.stabilized) && Number.isSafeInteger(counts.n);
    if (whole && counts.stabilized >= 0 && counts.stabilized <= counts.n) continue;
    throw new RangeError(`${what} has ${counts.stabilized} stabilised of ${counts.n} runs; give whole counts`);
  }
  if (fallback !== undefined && (fallback < 0 || fallback > 1)) {
    throw new RangeError(`${what} has a fallback share of ${fallback}; it must be from 0 to 1`);
  }
}

function slotOf(cell: OutcomeCell | undefined, withPublished: boolean): Slot {
  if (cell === undefined) return { share: undefined, words: ["not run"] };
  const { stabilized, n, meanQ, fallback, published } = cell;
  const paper = published === undefined ? "not published" : `published ${published.stabilized} of ${published.n}`;
  const own = n === 0 ? ["no runs"] : [
    `${stabilized} of ${n} stabilised`,
    meanQ === undefined ? "mean q not known" : `mean q ${fixedText(meanQ, 3)}`,
    fallback === undefined ? "fallback not known" : `fallback ${fixedText(100 * fallback, 0)} %`,
  ];
  return { share: n === 0 ? undefined : stabilized / n, words: withPublished ? [...own, paper] : own };
}

/** Returns the height of the whole. */
function drawMatrix(
  canvas: Canvas,
  { cells, rowTitle, columnTitle }: OutcomeMatrixOptions,
  slot: (row: string, column: string) => Slot,
): number {
  let y = drawLegend(canvas, LEGEND, { y: 12 }) + 12;
  if (cells.length === 0) {
    canvas.text("No conditions to draw.", WIDTH / 2, y + 12, { anchor: "middle", fill: MUTED });
    return y + 2 * LINE_HEIGHT;
  }
  const columns = [...new Set(cells.map(({ column }) => column))];
  const width = Math.min(260, (WIDTH - LEFT - 16) / columns.length);
  if (columnTitle !== undefined) {
    canvas.text(wrapText(columnTitle, WIDTH - LEFT - 16, TEXT_SIZE, 1)[0]!, LEFT, y + 12, { fill: MUTED });
    y += LINE_HEIGHT;
  }
  const headings = columns.map((column) => wrapText(column, width - 12, BOLD_SIZE));
  const most = Math.max(...headings.map(({ length }) => length));
  headings.forEach((lines, i) => {
    const start = y + 12 + (most - lines.length) * LINE_HEIGHT;
    canvas.lines(lines, LEFT + (i + 0.5) * width, start, { anchor: "middle", weight: "bold" });
  });
  y += most * LINE_HEIGHT + 6;
  if (rowTitle !== undefined) canvas.text(wrapText(rowTitle, LEFT - 32, TEXT_SIZE, 1)[0]!, 16, y - 10, { fill: MUTED });
  for (const row of new Set(cells.map((cell) => cell.row))) {
    y = drawRow(canvas, row, columns.map((column) => slot(row, column)), { y, width });
  }
  return y + 8;
}

const LEGEND: readonly LegendItem[] = [0, 0.5, 1].map((share) => ({
  ...{
    label: `${share === 0 ? "none" : share === 1 ? "all" : "half"} stabilised`,
    colour: SCALE.apply(share),
    area: 1,
  },
}));

function drawRow(
  canvas: Canvas,
  row: string,
  slots: readonly Slot[],
  { y, width }: { y: number; width: number },
): number {
  const heading = wrapText(row, LEFT - 32, BOLD_SIZE, 4);
  const texts = slots.map(({ words }) =>
    words.map((word, i) => wrapText(word, width - 16, i === 0 ? BOLD_SIZE : TEXT_SIZE))
  );
  const height = Math.max(heading.length, ...texts.map((text) => text.flat().length)) * LINE_HEIGHT + 24;
  const start = (lines: number) => y + (height - GAP) / 2 - (lines * LINE_HEIGHT) / 2 + 12;
  canvas.lines(heading, LEFT - 12, start(heading.length), { anchor: "end", weight: "bold" });
  slots.forEach(({ share }, i) => {
    const box = { x1: LEFT + i * width, x2: LEFT + (i + 1) * width - GAP, y1: y, y2: y + height - GAP };
    const fill = share === undefined ? SHADE : SCALE.apply(share);
    canvas.marks(Plot.rect([box], { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill, stroke: MUTED, strokeWidth: 0.6 }));
    if (share === undefined) canvas.marks(hatchMark(box));
    const [first, ...rest] = texts[i]!;
    const style = { anchor: "middle", fill: textOn(fill) } as const;
    const x = (box.x1 + box.x2) / 2;
    const below = canvas.lines(first!, x, start(texts[i]!.flat().length), { ...style, weight: "bold" });
    canvas.lines(rest.flat(), x, below, style);
  });
  return y + height;
}
