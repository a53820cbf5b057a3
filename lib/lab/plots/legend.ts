import * as Plot from "@observablehq/plot";
import { shortText } from "../../core/numbers.ts";
import type { Canvas } from "./canvas.ts";
import { INK } from "./palette.ts";
import { paint, seriesStyle, type SymbolName } from "./series.ts";
import { textWidth, wrapText } from "./text.ts";

/** The options that ask for legends. */
export type LegendOptions = Pick<Plot.PlotOptions, "color" | "symbol" | "opacity">;

/**
 * Draws the legends that the options ask for; returns the `y` below them.
 *
 * @param given `colours`: given by the figure to its series; absent where the caller chose the colours.
 */
export function drawScaleLegends(
  canvas: Canvas,
  svg: Element & Plot.Plot,
  { colours, options, y }: { colours: readonly string[] | undefined; options: LegendOptions; y: number },
): number {
  const { color, symbol, opacity } = options;
  if (opacity?.legend) {
    throw new RangeError("a legend of opacity is not drawn; let colour tell it, or say it in the caption");
  }
  const used = (name: "color" | "symbol") => {
    const scale = svg.scale(name);
    return scale && isUsed(scale) ? scale : undefined;
  };
  const [colour, shape] = [used("color"), used("symbol")];
  let below = y;
  if (color?.legend && colour) {
    // One legend serves both where colour and symbol stand for the same.
    const both = String(svg.scale("symbol")?.domain) === String(colour.domain) ? svg.scale("symbol") : undefined;
    below = /ordinal|categorical|threshold|quantize|quantile/.test(colour.type ?? "")
      ? drawItems(canvas, colourItems(svg, colour, { colours, shape: both, format: color.tickFormat }), below + 4)
      : drawRamp(canvas, colour, { y: below, label: color.label ?? colour.label, format: color.tickFormat });
    if (both) return below;
  }
  return symbol?.legend && shape ? drawItems(canvas, symbolItems(shape), below + 4) : below;
}

/** True for a scale with any value: without data, scales have none or undefined ones. */
export const isUsed = ({ domain = [] }: Plot.Scale): boolean => [...domain].some((value) => value !== undefined);

type Format = Plot.ScaleOptions["tickFormat"];

/** One entry of a legend: the sign as it is drawn in the figure, and what it stands for. */
interface LegendItem {
  readonly label: string;
  readonly colour: string;
  /** A stroke through the sign, `none` for an unbroken one. Absent: no stroke. */
  readonly dash?: string | undefined;
  readonly symbol?: SymbolName | undefined;
  /** A filled box in place of a sign. */
  readonly box?: boolean;
}

function colourItems(
  svg: Element,
  scale: Plot.Scale,
  { colours, shape, format }: { colours: readonly string[] | undefined; shape: Plot.Scale | undefined; format: Format },
): LegendItem[] {
  if (!/ordinal|categorical/.test(scale.type ?? "")) return classItems(scale);
  return Array.from(scale.domain ?? [], (value, i) => {
    const colour = scale.apply(value) as string;
    const own = colours === undefined ? { dash: "none", symbol: "circle" as const } : seriesStyle(i);
    const symbol = shape ? shape.apply(value) as SymbolName : own.symbol;
    const label = typeof format === "function" ? String(format(value, i)) : String(value);
    return { label, colour, ...keySign(svg, colour, { dash: own.dash, symbol }) };
  });
}

/** The sign of a series as it stands in the plot: its line, its dot, else a box. */
function keySign(
  svg: Element,
  colour: string,
  { dash, symbol }: { dash: string; symbol: SymbolName },
): Partial<LegendItem> {
  const drawn = (selector: string) =>
    [...svg.querySelectorAll(selector)].some((shape) =>
      paint(shape, "stroke") === colour || paint(shape, "fill") === colour
    );
  // Descendants, not children: in a faceted plot a mark has a group for each facet.
  const line = drawn('g[aria-label="line"] path');
  const dot = drawn('g[aria-label="dot"] *') || drawn("marker > *");
  if (line || dot) return { ...(line && { dash }), ...(dot && { symbol }) };
  const stroke = drawn('g[aria-label="rule"] *, g[aria-label="link"] *, g[aria-label="tick"] *');
  return stroke ? { dash: "none" } : { box: true };
}

/** Classes of a continuous value, each with its bounds. */
function classItems(scale: Plot.Scale): LegendItem[] {
  const domain = [...scale.domain ?? []] as number[];
  return Array.from(scale.range ?? [], (colour, i) => {
    const [low, high] = [domain[i - 1], domain[i]].map((bound) => bound === undefined ? undefined : shortText(bound));
    const label = low === undefined ? `below ${high}` : high === undefined ? `${low} and above` : `${low} to ${high}`;
    return { label, colour: String(colour), box: true };
  });
}

const symbolItems = (scale: Plot.Scale): LegendItem[] =>
  Array.from(scale.domain ?? [], (value) => ({
    ...{ label: String(value), colour: INK, symbol: scale.apply(value) as SymbolName },
  }));

const KEY_WIDTH = 30;
const KEY_GAP = 8;
const ITEM_GAP = 24;
const EDGE = 16;

/** Draws the items from left to right, in as many lines as they need; returns the `y` below them. */
function drawItems(canvas: Canvas, items: readonly LegendItem[], y: number): number {
  const { textSize, lineHeight } = canvas, width = canvas.width - 2 * EDGE;
  let left = EDGE, top = y, rowHeight = 0;
  for (const item of items) {
    const lines = wrapText(item.label, width - KEY_WIDTH - KEY_GAP, textSize);
    const itemWidth = KEY_WIDTH + KEY_GAP + Math.max(...lines.map((line) => textWidth(line, textSize)));
    if (left > EDGE && left + itemWidth > EDGE + width) [left, top, rowHeight] = [EDGE, top + rowHeight, 0];
    canvas.marks(...keyMarks(item, left, top + lineHeight / 2));
    canvas.lines(lines, left + KEY_WIDTH + KEY_GAP, top + textSize);
    left += itemWidth + ITEM_GAP;
    rowHeight = Math.max(rowHeight, lines.length * lineHeight + 4);
  }
  return top + rowHeight;
}

function keyMarks({ colour, dash, symbol, box }: LegendItem, x: number, y: number): Plot.Markish[] {
  if (box) {
    const sides = { x1: x, x2: x + KEY_WIDTH, y1: y - 6, y2: y + 6 };
    return [Plot.rect([sides], { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: colour, fillOpacity: 1 })];
  }
  const stroke = { stroke: colour, strokeDasharray: dash ?? "none", strokeWidth: 1.8, strokeOpacity: 1 };
  // The symbol `times` has strokes only.
  const sign = symbol === "times" ? { stroke: colour, strokeWidth: 1.6, fill: "none" } : { fill: colour };
  return [
    ...(dash ? [Plot.line([[x, y], [x + KEY_WIDTH, y]], stroke)] : []),
    ...(symbol ? [Plot.dot([[x + KEY_WIDTH / 2, y]], { symbol, r: 4, ...sign })] : []),
  ];
}

const STEPS = 40;

/** A strip of the colours of a continuous scale with its numbers. */
function drawRamp(
  canvas: Canvas,
  scale: Plot.Scale,
  { y, label, format }: { y: number; label: string | null | undefined; format: Format },
): number {
  const { textSize, lineHeight } = canvas, height = lineHeight * 3.5, width = Math.min(320, canvas.width - 2 * EDGE);
  const domain = [...scale.domain ?? []] as number[];
  const [low, high] = [Math.min(...domain), Math.max(...domain)];
  const at = (part: number) => low + (high - low) * part;
  const steps = Array.from({ length: STEPS }, (_, i) => ({ from: at(i / STEPS), to: at((i + 1) / STEPS) }));
  const fill = ({ from, to }: typeof steps[number]) => scale.apply((from + to) / 2);
  canvas.plot(
    {
      ...{ width, height, marginLeft: 24, marginRight: 24, marginTop: 4, marginBottom: lineHeight * 2.4 },
      style: { fontSize: `${textSize}px` },
      x: {
        ...{ domain: [low, high], ticks: 4, label: label ? wrapText(label, width, textSize, 1)[0]! : null },
        ...{ labelAnchor: "center", labelArrow: "none", ...(format !== undefined && { tickFormat: format }) },
      },
      y: { axis: null },
      color: { type: "identity" },
      marks: [
        Plot.rectX(steps, { x1: "from", x2: "to", fill, insetLeft: -0.5 }),
        Plot.frame({ stroke: INK, strokeWidth: 0.5 }),
      ],
    },
    0,
    y,
  );
  return y + height + 4;
}
