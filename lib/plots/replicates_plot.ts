import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { max, min } from "d3-array";
import { countText, fixedText, requireFinite, shortText } from "../core/numbers.ts";
import { createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { INK, MUTED, RULE, seriesStyle } from "./palette.ts";
import { wrapText } from "./text.ts";

/** What some number of replicates comes to. */
export interface ReplicatesPoint {
  readonly replicates: number;
  /** Absent: undefined there; the line has a gap. */
  readonly value?: number | undefined;
  /** How far the value scatters. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

export interface ReplicatesSeries {
  readonly label: string;
  /** In rising order of replicates. */
  readonly points: readonly ReplicatesPoint[];
}

export interface ReplicatesPlotOptions extends FigureOptions {
  readonly series: readonly ReplicatesSeries[];
  /** What is drawn, with its unit, such as `power` or `width of the 95 % interval, nats per round`. */
  readonly quantity: string;
  /** A value to be reached: a dashed rule with its name in the legend. */
  readonly target?: { readonly value: number; readonly label: string } | undefined;
  /** What bands span, such as `the middle 80 % of ensembles`. Needed where a point has `low` and `high`. */
  readonly span?: string | undefined;
  /** Highest value of the axis. Default: that of the data. Power ends at 1. */
  readonly highest?: number | undefined;
  /** Decimals of printed values. Default 2. */
  readonly digits?: number;
}

/**
 * A quantity against the number of replicates, one line a series: power by effect, or the width of intervals.
 *
 * Replicates stand on a logarithmic axis, on which each doubling is a step of one length; the other axis begins at zero.
 *
 * @throws {RangeError} when a number is not finite, replicates are not positive, or a value is negative.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const points = [{ replicates: 10, value: 0.4 }, { replicates: 20, value: 0.8 }];
 * const { alt } = replicatesPlot({ series: [{ label: "0.05", points }], quantity: "power", synthetic: true });
 * assert.match(alt, /0\.05: 0\.40 at 10 replicates, 0\.80 at 20/);
 * ```
 */
export function replicatesPlot(options: ReplicatesPlotOptions): Figure {
  const { series, quantity, target, span, digits = 2 } = options;
  for (const { label, points } of series) points.forEach((point) => checkPoint(point, label));
  requireFinite("the target", target?.value);
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(options), { y: 12 }) + 10;
  const points = series.flatMap(({ points }) => points);
  const empty = points.every(({ value }) => value === undefined);
  if (empty) canvas.text("No values to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  else canvas.plot(plotOptions(options, points), 0, top);
  return toFigure(options, {
    kind: "replicates",
    canvas,
    height: top + (empty ? 2 * LINE_HEIGHT : PLOT_HEIGHT),
    alt: [
      `Line chart of ${quantity} against replicates, ${countText(series.length, "line")}`,
      ...series.map((one) => `${one.label}: ${seriesWords(one, digits)}`),
    ],
    caption: [
      `${capital(quantity)} against the number of replicates, on a logarithmic axis`,
      ...(target === undefined ? [] : [`Dashed: ${target.label}`]),
      ...(hasBands(series) ? [`Bands: ${span ?? "how far values scatter"}`] : []),
    ],
    rows: series.flatMap(({ label, points }) =>
      points.map(({ replicates, value, low, high }) => ({ series: label, replicates, value, low, high }))
    ),
  });
}

const PLOT_HEIGHT = 340;

const hasBands = (series: readonly ReplicatesSeries[]): boolean =>
  series.some(({ points }) => points.some(({ low, high }) => low !== undefined && high !== undefined));

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function checkPoint({ replicates, value, low, high }: ReplicatesPoint, label: string): void {
  requireFinite(`a point of "${label}"`, replicates, value, low, high);
  if (!(replicates > 0)) throw new RangeError(`a point of "${label}" is at ${replicates} replicates: must be above 0`);
  const negative = [value, low, high].find((number) => number !== undefined && number < 0);
  if (negative !== undefined) throw new RangeError(`a value of "${label}" is ${negative}: the axis begins at 0`);
}

function legendItems({ series, target }: ReplicatesPlotOptions): LegendItem[] {
  const items: LegendItem[] = series.map(({ label }, i) => ({ label, ...seriesStyle(i) }));
  return target === undefined ? items : [...items, { label: target.label, colour: INK, dash: "4 3", thickness: 1.2 }];
}

/** Every point in words: there are as many as sizes that were tried. */
function seriesWords({ points }: ReplicatesSeries, digits: number): string {
  if (points.length === 0) return "no points";
  return points.map(({ replicates, value }, i) =>
    `${value === undefined ? "undefined" : fixedText(value, digits)} at ${replicates}${i === 0 ? " replicates" : ""}`
  ).join(", ");
}

function plotOptions(
  { series, quantity, target, highest }: ReplicatesPlotOptions,
  points: readonly ReplicatesPoint[],
): Plot.PlotOptions {
  const steps = points.map(({ replicates }) => Math.log2(replicates));
  const [low, high] = [min(steps)!, max(steps)!];
  const values = [...points.flatMap(({ value, high }) => [value, high]), target?.value];
  const ceiling = highest ?? 1.06 * max(values.filter((value) => value !== undefined))!;
  return {
    ...{ width: WIDTH, height: PLOT_HEIGHT, marginLeft: 64, marginRight: 24, marginTop: 30, marginBottom: 44 },
    x: {
      // Doublings on a linear scale: a logarithmic one of Plot's leaves out the labels that it thinks too many.
      ...{ domain: [low - 0.2, high + 0.2], ticks: apart(steps, (high - low) / 12) },
      tickFormat: (step: number) => String(Math.round(2 ** step)),
      ...{ label: "Replicates of each condition, logarithmic", labelAnchor: "center", labelArrow: "none" },
    },
    y: {
      ...{ domain: [0, ceiling || 1], ticks: 6 },
      ...{ label: wrapText(capital(quantity), 560, 12, 1)[0]!, labelArrow: "none", tickFormat: shortText },
    },
    marks: [
      Plot.gridY({ ticks: 6, stroke: RULE, strokeOpacity: 1 }),
      ...(target === undefined
        ? []
        : [Plot.ruleY([target.value], { stroke: INK, strokeWidth: 1.2, strokeDasharray: "4 3" })]),
      ...series.flatMap(({ points }, i) => seriesMarks(points, i)),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

/** The values from the lowest up, without those closer than `least` to the one before. */
function apart(values: readonly number[], least: number): number[] {
  const rising = [...new Set(values)].sort((a, b) => a - b);
  return rising.reduce<number[]>(
    (kept, value) => kept.length > 0 && value - kept.at(-1)! < least ? kept : [...kept, value],
    [],
  );
}

function seriesMarks(points: readonly ReplicatesPoint[], index: number): Plot.Markish[] {
  const { colour, symbol, dash } = seriesStyle(index);
  const banded = points.filter(({ low, high }) => low !== undefined && high !== undefined);
  const line = points.map(({ replicates, value }) => [Math.log2(replicates), value] as const);
  const known = line.filter(([, value]) => value !== undefined);
  return [
    Plot.areaY(banded, {
      x: ({ replicates }) => Math.log2(replicates),
      y1: "low",
      y2: "high",
      fill: colour,
      fillOpacity: 0.12,
    }),
    Plot.line(line, { x: ([x]) => x, y: ([, y]) => y, stroke: colour, strokeWidth: 1.8, strokeDasharray: dash }),
    symbolMark(known, { colour, symbol }),
  ];
}
