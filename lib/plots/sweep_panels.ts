import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { countText, fixedText, requireFinite, shortText } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { INK, MUTED, RULE, seriesStyle } from "./palette.ts";
import { wrapText } from "./text.ts";

/** What something is, or may be, at one place of the sweep. */
export interface SweepPoint {
  readonly x: number;
  readonly low: number;
  /** Equal to `low` where the value is known. */
  readonly high: number;
}

export interface SweepSeries {
  readonly label: string;
  readonly points: readonly SweepPoint[];
}

export interface SweepPanel {
  readonly title: string;
  readonly series: readonly SweepSeries[];
  /** Where the sweep stands as published: a vertical rule. */
  readonly published?: number | undefined;
}

export interface SweepPanelsOptions extends FigureOptions {
  /** Three in a row. Series of one label look alike in all of them. */
  readonly panels: readonly SweepPanel[];
  /** What is moved, such as `share of the weight`. */
  readonly x: string;
  /** What is drawn, such as `rank`. */
  readonly y: string;
  /** Whether small values stand at the top, as ranks do. Default false. */
  readonly reverse?: boolean;
  /** Decimals of printed values. Default 3. */
  readonly digits?: number;
}

/**
 * What becomes of several things as one quantity after another is moved: a panel for each, one scale for all.
 *
 * A line where values are known, a band where only bounds are; colour, symbol and dash tell the series apart.
 *
 * @throws {RangeError} when a number is not finite, or a low end lies above its high end.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const points = [{ x: 0, low: 1, high: 1 }, { x: 0.5, low: 2, high: 2 }];
 * const panels = [{ title: "trust", series: [{ label: "triage", points }], published: 0.1 }];
 * const { alt } = sweepPanels({ panels, x: "share", y: "rank", reverse: true, digits: 0, synthetic: true });
 * assert.match(alt, /trust: triage 1 at 0, 2 at 0\.5/);
 * ```
 */
export function sweepPanels(options: SweepPanelsOptions): Figure {
  const { panels, x, y, digits = 3 } = options;
  for (const { title, series, published } of panels) {
    requireFinite(`the published place of "${title}"`, published);
    for (const { label, points } of series) points.forEach((point) => checkPoint(point, `"${label}" in "${title}"`));
  }
  const labels = [...new Set(panels.flatMap(({ series }) => series.map(({ label }) => label)))];
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(panels, labels), { y: 12 }) + 10;
  const points = panels.flatMap(({ series }) => series.flatMap(({ points }) => points));
  if (points.length === 0) canvas.text("No sweep to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  return toFigure(options, {
    kind: "sweep",
    canvas,
    height: points.length === 0 ? top + 2 * LINE_HEIGHT : drawPanels(canvas, options, { labels, points, top }),
    alt: [
      `${y} against ${x} in ${countText(panels.length, "panel")}`,
      ...panels.map((panel) => panelWords(panel, digits)),
    ],
    caption: [
      `Vertical: ${y}, as ${x} is moved`,
      ...(panels.some(({ published }) => published !== undefined) ? ["Dashed upright: the published share"] : []),
      ...(points.some(({ low, high }) => high > low)
        ? ["Bands: everything that is compatible with what is known"]
        : []),
    ],
    rows: panels.flatMap(({ title: panel, series, published }) =>
      series.flatMap(({ label, points }) =>
        points.map(({ x, low, high }) => ({ panel, published, label, x, low, high }))
      )
    ),
  });
}

const COLUMNS = 3;
const LEFT = 56;
const PANEL_HEIGHT = 148;
const PANEL_WIDTH = (WIDTH - LEFT - 12) / COLUMNS;

function checkPoint({ x, low, high }: SweepPoint, what: string): void {
  requireFinite(`a point of ${what}`, x, low, high);
  if (low > high) throw new RangeError(`a point of ${what} runs from ${low} down to ${high}; the low end comes first`);
}

function legendItems(panels: readonly SweepPanel[], labels: readonly string[]): LegendItem[] {
  const items: LegendItem[] = labels.map((label, i) => ({ label, ...seriesStyle(i) }));
  const marked = panels.some(({ published }) => published !== undefined);
  return marked ? [...items, { label: "published share", colour: INK, dash: "4 3", thickness: 1.2 }] : items;
}

/** First and last value of each series: what a reader would take from the lines. */
function panelWords({ title, series }: SweepPanel, digits: number): string {
  const value = ({ low, high }: SweepPoint) =>
    low === high ? fixedText(low, digits) : `${fixedText(low, digits)} to ${fixedText(high, digits)}`;
  const words = series.map(({ label, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return `${label} without a value`;
    return `${label} ${value(first)} at ${shortText(first.x)}, ${value(last)} at ${shortText(last.x)}`;
  });
  return `${title}: ${words.join("; ")}`;
}

/** Returns the height of the whole. */
function drawPanels(
  canvas: Canvas,
  { panels, x, y, reverse = false }: SweepPanelsOptions,
  { labels, points, top }: { labels: readonly string[]; points: readonly SweepPoint[]; top: number },
): number {
  const wide = extent(points, (point) => point.x) as [number, number];
  const [low, high] = [extent(points, (point) => point.low)[0]!, extent(points, (point) => point.high)[1]!];
  const pad = (high - low) * 0.08 || 0.5;
  const tall: [number, number] = reverse ? [high + pad, low - pad] : [low - pad, high + pad];
  const axes = { wide, tall };
  let start = top;
  for (let first = 0; first < panels.length; first += COLUMNS) {
    const row = panels.slice(first, first + COLUMNS);
    const titles = row.map(({ title }) => wrapText(title, PANEL_WIDTH - 16, BOLD_SIZE, 2));
    const head = Math.max(...titles.map(({ length }) => length)) * LINE_HEIGHT + 6;
    row.forEach((panel, i) => {
      const left = LEFT + i * PANEL_WIDTH;
      canvas.lines(titles[i]!, left + 4, start + 12, { weight: "bold" });
      canvas.plot(panelPlot(panel, { ...axes, labels, named: i === 0 }), left - LEFT, start + head);
    });
    start += head + PANEL_HEIGHT;
  }
  canvas.lines(wrapText(x, WIDTH / 2 - 40, BOLD_SIZE, 1), LEFT + (WIDTH - LEFT) / 2, start + 12, { anchor: "middle" });
  canvas.lines(wrapText(`vertical: ${y}`, WIDTH / 4, BOLD_SIZE, 1), 16, start + 12, { fill: MUTED });
  return start + 26;
}

function panelPlot({ series, published }: SweepPanel, { wide, tall, labels, named }: {
  wide: [number, number];
  tall: [number, number];
  labels: readonly string[];
  /** Whether the vertical axis carries its numbers. */
  named: boolean;
}): Plot.PlotOptions {
  // Ranks and other counts: a tick at each whole number while they fit.
  const span = Math.abs(tall[0] - tall[1]);
  const count = span > 2 && span < 9 ? Math.floor(span) : 4;
  return {
    ...{ width: LEFT + PANEL_WIDTH, height: PANEL_HEIGHT, marginLeft: LEFT, marginRight: 14 },
    ...{ marginTop: 4, marginBottom: 26 },
    x: { domain: wide, ticks: 3, label: null },
    y: {
      ...{ domain: tall, ticks: count, label: null },
      tickFormat: (tick: number) => (!named || (span > 2 && !Number.isInteger(tick)) ? "" : shortText(tick)),
    },
    marks: [
      Plot.gridY({ ticks: count, stroke: RULE, strokeOpacity: 1 }),
      ...(published === undefined
        ? []
        : [Plot.ruleX([published], { stroke: INK, strokeWidth: 1.2, strokeDasharray: "4 3" })]),
      ...series.flatMap(({ label, points }) => seriesMarks(points, labels.indexOf(label))),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

function seriesMarks(points: readonly SweepPoint[], index: number): Plot.Markish[] {
  const { colour, symbol, dash } = seriesStyle(index);
  const known = points.every(({ low, high }) => low === high);
  if (known) {
    const line = points.map(({ x, low }) => [x, low] as [number, number]);
    return [
      Plot.line(line, { stroke: colour, strokeWidth: 1.6, strokeDasharray: dash }),
      symbolMark(line, { colour, symbol, r: 2.6 }),
    ];
  }
  const edge = (end: "low" | "high") =>
    Plot.line(points, { x: "x", y: end, stroke: colour, strokeWidth: 1.2, strokeDasharray: dash });
  return [
    Plot.areaY(points, { x: "x", y1: "low", y2: "high", fill: colour, fillOpacity: 0.12 }),
    edge("low"),
    edge("high"),
  ];
}
