import * as Plot from "@observablehq/plot";
import { countText } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem } from "./legend.ts";
import { COLOURS, MUTED, RULE, textOn } from "./palette.ts";
import { hatchMark } from "./shading.ts";
import { textWidth, wrapText } from "./text.ts";

/** What became of the planned runs of one condition. */
export interface AccountingRow {
  readonly label: string;
  /** Runs planned. */
  readonly target: number;
  /** Runs that count. */
  readonly realised: number;
  /** Planned runs that do not count, by cause. What these leave unexplained is shown as such. */
  readonly deficits: Readonly<Record<string, number>>;
}

export interface AccountingPlotOptions extends FigureOptions {
  readonly conditions: readonly AccountingRow[];
}

/**
 * Run accounting: for each condition a bar of its planned runs, split into realised ones and the missing by cause.
 *
 * Planned runs that are neither realised nor explained are hatched, never dropped.
 * Source: Table S1 of the deliberation paper has targets and realised counts.
 *
 * @throws {RangeError} when a count is not a whole number, or more runs are accounted for than were planned.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const conditions = [{ label: "roles", target: 20, realised: 17, deficits: { timeout: 2 } }];
 * const { alt } = accountingPlot({ conditions, synthetic: false });
 * assert.match(alt, /roles: 17 of 20, missing 3: timeout 2, unexplained 1/);
 * ```
 */
export function accountingPlot(options: AccountingPlotOptions): Figure {
  const rows = options.conditions.map(account);
  const causes = [...new Set(rows.flatMap(({ parts }) => parts.map(({ cause }) => cause)))];
  const canvas = createCanvas();
  let y = drawLegend(canvas, legendItems(causes), { y: 12 }) + 8;
  const most = Math.max(1, ...rows.map(({ target }) => target));
  for (const row of rows) y = drawRow(canvas, row, { y, causes, scale: BAR_WIDTH / most });
  if (rows.length === 0) canvas.text("No conditions to draw.", WIDTH / 2, y + 12, { anchor: "middle", fill: MUTED });
  return toFigure(options, {
    kind: "accounting",
    canvas,
    height: y + (rows.length === 0 ? 2 * LINE_HEIGHT : 8),
    alt: [
      `Run accounting of ${countText(rows.length, "condition")}, realised of planned`,
      ...rows.map(({ label, words }) => `${label}: ${words}`),
    ],
    caption: ["Planned runs: those that count, and the missing ones by cause"],
    rows: rows.flatMap(({ label, target, parts }) => parts.map((part) => ({ condition: label, target, ...part }))),
  });
}

const REALISED = "realised";
const UNEXPLAINED = "unexplained";
const LEFT = 190;
const BAR_WIDTH = 280;
const TEXT_X = LEFT + BAR_WIDTH + 16;

interface Part {
  readonly cause: string;
  readonly count: number;
}

interface Accounted {
  readonly label: string;
  readonly target: number;
  readonly parts: readonly Part[];
  readonly words: string;
}

function account({ label, target, realised, deficits }: AccountingRow): Accounted {
  const causes = Object.entries(deficits).map(([cause, count]) => ({ cause, count }));
  for (
    const { cause, count } of [{ cause: "target", count: target }, { cause: REALISED, count: realised }, ...causes]
  ) {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new RangeError(`${cause} of "${label}" is ${count}; runs are counted in whole numbers from 0`);
    }
  }
  const rest = target - realised - causes.reduce((sum, { count }) => sum + count, 0);
  if (rest < 0) throw new RangeError(`"${label}" accounts for ${target - rest} runs of ${target} planned`);
  const missing = [...causes, { cause: UNEXPLAINED, count: rest }].filter(({ count }) => count > 0);
  const list = missing.map(({ cause, count }) => `${cause} ${count}`).join(", ");
  return {
    ...{ label, target, parts: [{ cause: REALISED, count: realised }, ...missing] },
    words: `${realised} of ${target}, ${
      missing.length === 0 ? "none missing" : `missing ${target - realised}: ${list}`
    }`,
  };
}

function legendItems(causes: readonly string[]): LegendItem[] {
  return causes.map((cause) => ({ label: cause, colour: colourOf(cause, causes), area: 1 }));
}

/** Realised is always the same blue; causes take the other colours in order. */
function colourOf(cause: string, causes: readonly string[]): string {
  if (cause === UNEXPLAINED) return RULE;
  const index = causes.filter((other) => other !== REALISED && other !== UNEXPLAINED).indexOf(cause);
  return cause === REALISED ? COLOURS[0] : COLOURS[1 + index % (COLOURS.length - 1)]!;
}

function drawRow(
  canvas: Canvas,
  { label, parts, words }: Accounted,
  { y, causes, scale }: { y: number; causes: readonly string[]; scale: number },
): number {
  const labelLines = wrapText(label, LEFT - 32, BOLD_SIZE);
  const wordLines = wrapText(words, WIDTH - TEXT_X - 12, TEXT_SIZE, 6);
  const height = Math.max(labelLines.length, wordLines.length, 2) * LINE_HEIGHT + 12;
  const middle = y + height / 2;
  const start = (lines: readonly string[]) => middle - (lines.length * LINE_HEIGHT) / 2 + 12;
  canvas.lines(labelLines, LEFT - 16, start(labelLines), { anchor: "end", weight: "bold" });
  canvas.lines(wordLines, TEXT_X, start(wordLines));
  let x = LEFT;
  for (const { cause, count } of parts) {
    const box = { x1: x, x2: x + count * scale, y1: middle - 11, y2: middle + 11 };
    drawPart(canvas, box, { cause, count, colour: colourOf(cause, causes) });
    x = box.x2;
  }
  return y + height;
}

function drawPart(
  canvas: Canvas,
  box: { x1: number; x2: number; y1: number; y2: number },
  { cause, count, colour }: { cause: string; count: number; colour: string },
): void {
  const edges = { x1: "x1", x2: "x2", y1: "y1", y2: "y2" };
  canvas.marks(Plot.rect([box], { ...edges, fill: colour, stroke: "white" }));
  if (cause === UNEXPLAINED) canvas.marks(hatchMark(box));
  if (box.x2 - box.x1 < textWidth(String(count), TEXT_SIZE) + 4) return;
  canvas.text(String(count), (box.x1 + box.x2) / 2, box.y2 - 7, { anchor: "middle", fill: textOn(colour) });
}
