import * as Plot from "@observablehq/plot";
import { countText, requireFinite, share as shareText } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { INK, MUTED, percentWords, RULE, textOn } from "./palette.ts";
import { shareColour } from "./shading.ts";
import { textWidth, wrapText } from "./text.ts";

/** How often one thing has, or may have, each rank. */
export interface RankRow {
  readonly label: string;
  /** Shares in [0, 1], rank 1 first; as many as there are ranks. */
  readonly shares: readonly number[];
  /** Its rank under the published weights, framed. */
  readonly published?: number | undefined;
  /** Words at the right, such as how often one rank alone is possible. */
  readonly note?: string | undefined;
}

export interface RankStripOptions extends FigureOptions {
  readonly rows: readonly RankRow[];
  /** What the shares are of. Default: weightings. */
  readonly of?: string;
  /** Whether shares count ranks that are possible, of which one weighting may leave several. Default false. */
  readonly possible?: boolean;
}

/**
 * Distribution of ranks over weightings: a strip a row, a box a rank, deeper where it is more frequent.
 *
 * Numbers repeat the colour where there is room. The rank under the published weights is framed.
 *
 * @throws {RangeError} when a share is not in [0, 1], rows differ in their ranks, or a published rank is none of them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const rows = [{ label: "triage", shares: [0.75, 0.25], published: 1 }, { label: "split", shares: [0.25, 0.75] }];
 * assert.match(rankStrip({ rows, synthetic: true }).alt, /triage: rank 1 75 %, rank 2 25 %, published rank 1/);
 * ```
 */
export function rankStrip(options: RankStripOptions): Figure {
  const { rows, of = "weightings", possible = false } = options;
  const ranks = rows[0]?.shares.length ?? 0;
  for (const row of rows) checkRow(row, ranks);
  const canvas = createCanvas();
  return toFigure(options, {
    kind: "rank-strip",
    canvas,
    height: rows.length === 0 ? drawNothing(canvas) : drawStrips(canvas, rows, ranks),
    alt: [
      `Heat strips of ranks 1 to ${ranks}, shares of ${of}, ${countText(rows.length, "row")}`,
      ...rows.map((row) => `${row.label}: ${rowWords(row)}`),
    ],
    caption: [
      possible
        ? `Share of ${of} under which each rank is possible; where several are, a row sums to more than 100 %`
        : `Share of ${of} under which each rank is taken`,
      ...(rows.some(({ published }) => published !== undefined)
        ? ["Framed: the rank under the published weights"]
        : []),
    ],
    rows: rows.flatMap(({ label, shares, published }) =>
      shares.map((share, i) => ({ label, rank: i + 1, share, published: published === i + 1 }))
    ),
  });
}

const LEFT = 160;
const RIGHT = 130;

function checkRow({ label, shares, published }: RankRow, ranks: number): void {
  requireFinite(`a share of "${label}"`, ...shares);
  if (shares.length !== ranks) {
    throw new RangeError(`"${label}" has ${shares.length} ranks, the first row has ${ranks}`);
  }
  const wrong = shares.find((share) => share < 0 || share > 1 + 1e-9);
  if (wrong !== undefined) throw new RangeError(`a share of "${label}" is ${wrong}; it must be from 0 to 1`);
  if (published === undefined || (Number.isInteger(published) && published >= 1 && published <= ranks)) return;
  throw new RangeError(`the published rank of "${label}" is ${published}; ranks go from 1 to ${ranks}`);
}

function rowWords({ shares, published, note }: RankRow): string {
  return [
    ...shares.flatMap((share, i) => (share > 0 ? [`rank ${i + 1} ${percentWords(share)}`] : [])),
    ...(published === undefined ? [] : [`published rank ${published}`]),
    ...(note === undefined ? [] : [note]),
  ].join(", ");
}

function drawNothing(canvas: Canvas): number {
  canvas.text("No ranks to draw.", WIDTH / 2, LINE_HEIGHT + 4, { anchor: "middle", fill: MUTED });
  return 2 * LINE_HEIGHT;
}

/** Returns the height of the whole. */
function drawStrips(canvas: Canvas, rows: readonly RankRow[], ranks: number): number {
  const width = (WIDTH - LEFT - RIGHT) / ranks;
  canvas.text("rank", LEFT - 12, 24, { anchor: "end", fill: MUTED });
  const every = Math.ceil(26 / width);
  for (let rank = 1; rank <= ranks; rank += every) {
    canvas.text(String(rank), LEFT + (rank - 0.5) * width, 24, { anchor: "middle", fill: MUTED });
  }
  let y = 32;
  for (const row of rows) y = drawStrip(canvas, row, { y, width });
  return y + 10;
}

/** Returns the `y` below the strip. */
function drawStrip(canvas: Canvas, row: RankRow, { y, width }: { y: number; width: number }): number {
  const label = wrapText(row.label, LEFT - 28, BOLD_SIZE, 3);
  const note = wrapText(row.note ?? "", RIGHT - 28, TEXT_SIZE, 3);
  const height = Math.max(24, Math.max(label.length, note.length) * LINE_HEIGHT + 6);
  const start = (lines: number) => y + height / 2 - (lines * LINE_HEIGHT) / 2 + 12;
  canvas.lines(label, LEFT - 12, start(label.length), { anchor: "end", weight: "bold" });
  canvas.lines(note, WIDTH - RIGHT + 12, start(note.length));
  const boxes = row.shares.map((share, i) => ({
    ...{ x1: LEFT + i * width, x2: LEFT + (i + 1) * width, y1: y, y2: y + height - 3, share },
    fill: share === 0 ? "#ffffff" : shareColour(Math.min(1, share)),
  }));
  const edges = { x1: "x1", x2: "x2", y1: "y1", y2: "y2" };
  canvas.marks(Plot.rect(boxes, { ...edges, fill: "fill", stroke: RULE, strokeWidth: 0.6 }));
  if (row.published !== undefined) {
    canvas.marks(Plot.rect([boxes[row.published - 1]!], { ...edges, fill: "none", stroke: INK, strokeWidth: 2 }));
  }
  for (const { x1, x2, share, fill } of boxes) {
    const words = shareText(share);
    if (share === 0 || textWidth(words, TEXT_SIZE) > width - 4) continue;
    canvas.text(words, (x1 + x2) / 2, y + (height - 3) / 2 + 4, { anchor: "middle", fill: textOn(fill) });
  }
  return y + height;
}
