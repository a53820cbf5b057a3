import * as Plot from "@observablehq/plot";
import { shortText } from "../core/numbers.ts";
import type { Canvas } from "./canvas.ts";
import { drawLegend, type LegendItem } from "./legend.ts";
import { INK, seriesStyle, type SymbolName } from "./palette.ts";
import { paint } from "./series_marks.ts";
import { wrapText } from "./text.ts";

/** The options that ask for legends. */
export type LegendOptions = Pick<Plot.PlotOptions, "color" | "symbol" | "opacity">;

interface ScaleLegends {
  readonly svg: Element & Plot.Plot;
  /** Given by the figure to its series; absent where the caller chose the colours. */
  readonly colours: readonly string[] | undefined;
  readonly options: LegendOptions;
  readonly y: number;
}

/** Draws the legends that are asked for; returns the `y` below them. */
export function drawScaleLegends(canvas: Canvas, { svg, colours, options, y }: ScaleLegends): number {
  const { color, symbol } = options;
  if (options.opacity?.legend) {
    throw new RangeError("a legend of opacity is not drawn; let colour tell it, or say it in the caption");
  }
  const [colour, shape] = [svg.scale("color"), svg.scale("symbol")];
  const symbols = symbol?.legend && shape !== undefined && isUsed(shape);
  let below = y;
  if (color?.legend && colour !== undefined && isUsed(colour)) {
    // One legend serves both where colour and symbol stand for the same.
    const both = shape !== undefined && String(shape.domain) === String(colour.domain) ? shape : undefined;
    below = swatches(colour)
      ? drawLegend(canvas, colourItems(svg, colour, { colours, shape: both, format: color.tickFormat }), {
        y: below + 4,
      })
      : drawRamp(canvas, colour, { y: below, label: color.label ?? colour.label, format: color.tickFormat });
    if (both) return below;
  }
  return symbols ? drawLegend(canvas, symbolItems(shape), { y: below + 4 }) : below;
}

/** Whether a scale has any value: without data Plot's have none, or undefined ones. */
export const isUsed = ({ domain = [] }: Plot.Scale): boolean => [...domain].some((value) => value !== undefined);

const swatches = (scale: Plot.Scale): boolean =>
  /ordinal|categorical|threshold|quantize|quantile/.test(scale.type ?? "");

type Format = Plot.ScaleOptions["tickFormat"];

function colourItems(
  svg: Element,
  scale: Plot.Scale,
  { colours, shape, format }: { colours: readonly string[] | undefined; shape: Plot.Scale | undefined; format: Format },
): LegendItem[] {
  if (!/ordinal|categorical/.test(scale.type ?? "")) return classItems(scale);
  return Array.from(scale.domain ?? [], (value, i) => {
    const colour = scale.apply(value) as string;
    const { dash, symbol } = seriesStyle(i);
    const own = colours === undefined ? { dash: "none", symbol: "circle" as const } : { dash, symbol };
    const sign = { ...own, ...(shape && { symbol: shape.apply(value) as SymbolName }) };
    return { label: words(value, i, format), colour, ...keySign(svg, colour, sign) };
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
  return drawn('g[aria-label="rule"] *, g[aria-label="link"] *, g[aria-label="tick"] *')
    ? { dash: "none" }
    : { area: 1 };
}

/** Classes of a continuous value, each with its bounds. */
function classItems(scale: Plot.Scale): LegendItem[] {
  const domain = [...scale.domain ?? []] as number[];
  return Array.from(scale.range ?? [], (colour, i) => {
    const [low, high] = [domain[i - 1], domain[i]];
    const label = low === undefined
      ? `below ${shortText(high!)}`
      : high === undefined
      ? `${shortText(low)} and above`
      : `${shortText(low)} to ${shortText(high)}`;
    return { label, colour: String(colour), area: 1 };
  });
}

function symbolItems(scale: Plot.Scale): LegendItem[] {
  return Array.from(
    scale.domain ?? [],
    (value) => ({ label: String(value), colour: INK, symbol: scale.apply(value) as SymbolName }),
  );
}

function words(value: unknown, index: number, format: Format): string {
  return typeof format === "function" ? String(format(value, index)) : String(value);
}

const STEPS = 40;

/** A strip of the colours of a continuous scale with its numbers. */
function drawRamp(
  canvas: Canvas,
  scale: Plot.Scale,
  { y, label, format }: { y: number; label: string | null | undefined; format: Format },
): number {
  const domain = [...scale.domain ?? []] as number[];
  const [low, high] = [Math.min(...domain), Math.max(...domain)];
  const at = (part: number) => low + (high - low) * part;
  const steps = Array.from({ length: STEPS }, (_, i) => ({ from: at(i / STEPS), to: at((i + 1) / STEPS) }));
  const width = Math.min(320, canvas.width - 32);
  canvas.plot(
    {
      ...{
        width,
        height: canvas.lineHeight * 3.5,
        marginLeft: 24,
        marginRight: 24,
        marginTop: 4,
        marginBottom: canvas.lineHeight * 2.4,
      },
      style: { fontSize: `${canvas.textSize}px` },
      x: {
        ...{ domain: [low, high], ticks: 4, label: label ? wrapText(label, width, canvas.textSize, 1)[0]! : null },
        ...{ labelAnchor: "center", labelArrow: "none", ...(format !== undefined && { tickFormat: format }) },
      },
      y: { axis: null },
      color: { type: "identity" },
      marks: [
        Plot.rectX(steps, {
          x1: "from",
          x2: "to",
          fill: ({ from, to }) => scale.apply((from + to) / 2),
          insetLeft: -0.5,
        }),
        Plot.frame({ stroke: INK, strokeWidth: 0.5 }),
      ],
    },
    0,
    y,
  );
  return y + canvas.lineHeight * 3.5 + 4;
}
