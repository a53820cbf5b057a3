import * as Plot from "@observablehq/plot";
import type { Canvas } from "./canvas.ts";
import type { SymbolName } from "./palette.ts";
import { textWidth, wrapText } from "./text.ts";

/** One entry of a legend: the sign as it is drawn in the figure, and what it stands for. */
export interface LegendItem {
  readonly label: string;
  readonly colour: string;
  /** A stroke through the sign, `none` for an unbroken one. Absent: no stroke. */
  readonly dash?: string | undefined;
  readonly thickness?: number | undefined;
  readonly opacity?: number | undefined;
  readonly symbol?: SymbolName | undefined;
  /** A filled box of this opacity behind the sign. */
  readonly area?: number | undefined;
}

const KEY_WIDTH = 30;
const KEY_GAP = 8;
const ITEM_GAP = 24;

/** Draws the items from left to right, in as many lines as they need; returns the `y` below them. */
export function drawLegend(
  canvas: Canvas,
  items: readonly LegendItem[],
  { x = 16, y, width = canvas.width - 32 }: { x?: number; y: number; width?: number },
): number {
  let left = x;
  let top = y;
  let rowHeight = 0;
  for (const item of items) {
    const lines = wrapText(item.label, width - KEY_WIDTH - KEY_GAP, canvas.textSize);
    const itemWidth = KEY_WIDTH + KEY_GAP + Math.max(...lines.map((line) => textWidth(line, canvas.textSize)));
    if (left > x && left + itemWidth > x + width) {
      left = x;
      top += rowHeight;
      rowHeight = 0;
    }
    canvas.marks(...keyMarks(item, left, top + canvas.lineHeight / 2));
    canvas.lines(lines, left + KEY_WIDTH + KEY_GAP, top + canvas.textSize);
    left += itemWidth + ITEM_GAP;
    rowHeight = Math.max(rowHeight, lines.length * canvas.lineHeight + 4);
  }
  return top + rowHeight;
}

function keyMarks(
  { colour, dash, thickness = 1.8, opacity = 1, symbol, area }: LegendItem,
  x: number,
  y: number,
) {
  const marks: Plot.Markish[] = [];
  if (area !== undefined) {
    const box = { x1: x, x2: x + KEY_WIDTH, y1: y - 6, y2: y + 6 };
    marks.push(Plot.rect([box], { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: colour, fillOpacity: area }));
  }
  if (dash !== undefined) {
    const stroke = { stroke: colour, strokeDasharray: dash, strokeWidth: thickness, strokeOpacity: opacity };
    marks.push(Plot.line([[x, y], [x + KEY_WIDTH, y]], stroke));
  }
  if (symbol !== undefined) marks.push(symbolMark([[x + KEY_WIDTH / 2, y]], { colour, symbol }));
  return marks;
}

/** Symbols at the points; `times` has strokes only. */
export function symbolMark(
  points: readonly (readonly [number, number | undefined])[],
  { colour, symbol }: { colour: string; symbol: SymbolName },
): Plot.Markish {
  const paint = symbol === "times" ? { stroke: colour, strokeWidth: 1.6, fill: "none" } : { fill: colour };
  return Plot.dot(points, { x: ([x]) => x, y: ([, y]) => y, symbol, r: 4, ...paint });
}
