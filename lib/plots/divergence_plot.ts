import * as Plot from "@observablehq/plot";
import { countText, fixedText, LAMBDA, requireFinite, shortText, undefinedText } from "../core/numbers.ts";
import { logTicks, roundAxis } from "./axes.ts";
import { createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { INK, MUTED, RULE, type SeriesStyle, seriesStyle, SHADE } from "./palette.ts";

interface Band {
  readonly low?: readonly number[] | undefined;
  readonly high?: readonly number[] | undefined;
}

interface Fit {
  readonly lambda?: number | undefined;
  readonly intercept?: number | undefined;
  readonly reason?: string | undefined;
}

/** The distance between replicates of one condition, round by round. */
export interface DivergenceSeries {
  readonly label: string;
  /** D(t), shape [T]; D[0] is round 1. */
  readonly D: readonly number[];
  /** Replicates behind D. */
  readonly n: number;
  /** First and last round of the fit, 1-based and inclusive. */
  readonly window: readonly [from: number, to: number];
  /** Pointwise band around D, each [T]: what `divergenceBand` returns. Without `low` and `high` none is drawn. */
  readonly band?: Band | undefined;
  /** Slope of ln D in nats per round. Default: the fit's. */
  readonly lambda?: number | undefined;
  /** ln D ≈ intercept + lambda · t: what `lyapunovSlope` returns. Absent or without intercept: no line. */
  readonly fit?: Fit | undefined;
  /** Why there is no slope. Default: the fit's. */
  readonly reason?: string | undefined;
}

export interface DivergencePlotOptions extends FigureOptions {
  readonly series: readonly DivergenceSeries[];
  /** Default `log`, on which exponential growth is a straight line and a distance of zero cannot be drawn. */
  readonly scale?: "linear" | "log";
}

/** A series with its look and the rounds that can be drawn. */
interface Drawn extends DivergenceSeries, SeriesStyle {
  readonly zeros: readonly number[];
  readonly slope: string;
}

/**
 * Mean distance between replicates over the rounds, one line a condition, with the fit and its window.
 *
 * On a logarithmic axis rounds with D = 0 leave a gap and are listed in the caption.
 * Source: Figure 1A of the deliberation paper.
 *
 * @throws {RangeError} when a distance is negative or not finite, or a window lies outside the rounds.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const D = [0.01, 0.02, 0.04, 0.08];
 * const series = [{ label: "doubling", D, n: 20, window: [1, 4] as const, lambda: Math.LN2 }];
 * const figure = divergencePlot({ series, synthetic: true });
 * assert.match(figure.alt, /doubling: 20 replicates, D from 0.01 in round 1 to 0.08 in round 4/);
 * ```
 */
export function divergencePlot(options: DivergencePlotOptions): Figure {
  const { scale = "log" } = options;
  options.series.forEach(checkSeries);
  const series = options.series.map((one, i) => prepare(one, i));
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(series), { y: 12 }) + 8;
  const domain = distanceTicks(series, scale);
  if (domain === undefined) {
    canvas.text(emptyText(series, scale), WIDTH / 2, top + LINE_HEIGHT, { anchor: "middle", fill: MUTED });
  } else {
    canvas.plot(plotOptions(series, scale, domain), 0, top);
  }
  return toFigure(options, {
    kind: "divergence",
    canvas,
    height: top + (domain === undefined ? 2 * LINE_HEIGHT : PLOT_HEIGHT),
    alt: altSentences(series, scale),
    caption: captionSentences(series, scale),
    rows: series.flatMap(dataRows),
  });
}

const PLOT_HEIGHT = 380;

function checkSeries({ label, D, n, window: [from, to], band, lambda, fit }: DivergenceSeries): void {
  D.forEach((d, i) => {
    requireFinite(`D of "${label}" in round ${i + 1}`, d, band?.low?.[i], band?.high?.[i]);
    if (d < 0) throw new RangeError(`D of "${label}" in round ${i + 1} is ${d}: a distance is never negative`);
  });
  requireFinite(`the slope of "${label}"`, n, lambda, fit?.lambda, fit?.intercept);
  if (!(from >= 1 && from <= to) || (D.length > 0 && to > D.length)) {
    throw new RangeError(`window ${from}-${to} of "${label}" must lie within rounds 1-${D.length}`);
  }
}

function prepare(series: DivergenceSeries, index: number): Drawn {
  const lambda = series.lambda ?? series.fit?.lambda;
  return {
    ...series,
    ...seriesStyle(index),
    zeros: series.D.flatMap((d, i) => d === 0 ? [i + 1] : []),
    slope: lambda === undefined ? undefinedText(series.reason ?? series.fit?.reason) : fixedText(lambda),
  };
}

function legendItems(series: readonly Drawn[]): LegendItem[] {
  const items: LegendItem[] = series.map(({ label, slope, n, colour, symbol, dash }) => ({
    ...{ label: `${label}: ${LAMBDA} ${slope.startsWith("undefined") ? slope : `= ${slope}`}, n = ${n}` },
    ...{ colour, symbol, dash },
  }));
  if (series.some(({ fit }) => fit?.intercept !== undefined)) {
    items.push({ label: "least-squares fit of ln D(t)", colour: MUTED, dash: "none", thickness: 5, opacity: 0.4 });
  }
  const window = sharedWindow(series);
  if (window !== undefined) {
    items.push({ label: `fit window, rounds ${window[0]}–${window[1]}`, colour: RULE, area: 1 });
  }
  return items;
}

/** The window when all series have the same one; otherwise each fit's own ends show it. */
function sharedWindow(series: readonly DivergenceSeries[]): readonly [number, number] | undefined {
  const [first, ...others] = series.map(({ window }) => window);
  return first && others.every(([from, to]) => from === first[0] && to === first[1]) ? first : undefined;
}

function distanceTicks(series: readonly Drawn[], scale: "linear" | "log"): number[] | undefined {
  if (series.every(({ D }) => D.length === 0)) return undefined;
  const ends = series.flatMap((one) => fitCurve(one)).map(([, d]) => d).filter(Number.isFinite);
  // A band's lower edge may be zero or next to it: it runs out of the bottom, and must not stretch the axis.
  const values = [...series.flatMap(({ D, band }) => [...D, ...(band?.high ?? [])]), ...ends];
  if (scale === "linear") return [0, Math.max(...values) || 1];
  const positive = values.filter((d) => d > 0);
  return positive.length === 0 ? undefined : logTicks(positive);
}

function plotOptions(series: readonly Drawn[], scale: "linear" | "log", ticks: number[]): Plot.PlotOptions {
  const rounds = Math.max(...series.map(({ D }) => D.length));
  const [bottom, ceiling] = [ticks[0]!, ticks.at(-1)!];
  const window = sharedWindow(series);
  const shade = window === undefined ? [] : [{ x1: window[0] - 0.25, x2: window[1] + 0.25 }];
  const logAxis = { type: "log" as const, domain: [bottom, ceiling], ticks, tickFormat: shortText };
  const y = scale === "log" ? logAxis : { domain: [bottom, ceiling], nice: true, ticks: 6 };
  return {
    ...{ width: WIDTH, height: PLOT_HEIGHT, marginLeft: 64, marginRight: 20, marginTop: 32, marginBottom: 44 },
    x: roundAxis(rounds),
    y: { ...y, label: `Mean pairwise distance D(t)${scale === "log" ? ", logarithmic" : ""}`, grid: false },
    marks: [
      Plot.rectX(shade, { x1: "x1", x2: "x2", fill: SHADE }),
      Plot.gridY(
        scale === "log" ? { ticks, stroke: RULE, strokeOpacity: 1 } : { ticks: 6, stroke: RULE, strokeOpacity: 1 },
      ),
      ...series.flatMap((one) => seriesMarks(one, scale, bottom)),
      Plot.frame({ stroke: INK, anchor: "bottom" }),
    ],
  };
}

function seriesMarks(one: Drawn, scale: "linear" | "log", bottom: number): Plot.Markish[] {
  const { D, band, colour, dash, symbol } = one;
  const points = D.map((d, i) => [i + 1, scale === "log" && d === 0 ? undefined : d] as const);
  const stroke = { stroke: colour, strokeWidth: 1.8, strokeDasharray: dash };
  const marks: Plot.Markish[] = [];
  if (band?.low !== undefined && band.high !== undefined) {
    const y1 = band.low.map((low) => scale === "log" ? Math.max(low, bottom) : low);
    const y2 = band.high.map((high) => scale === "log" ? Math.max(high, bottom) : high);
    marks.push(Plot.areaY(y1, { x: y1.map((_, i) => i + 1), y1, y2, fill: colour, fillOpacity: 0.12 }));
  }
  marks.push(Plot.line(fitCurve(one), { stroke: colour, strokeWidth: 5, strokeOpacity: 0.3 }));
  marks.push(Plot.line(points, { x: ([t]) => t, y: ([, d]) => d, ...stroke }));
  marks.push(symbolMark(points.filter(([, d]) => d !== undefined), { colour, symbol }));
  return marks;
}

/** The fitted D over the window, four points a round since it is curved on a linear axis; empty without a fit. */
function fitCurve({ fit, window: [from, to] }: Drawn): [t: number, d: number][] {
  const { lambda, intercept } = fit ?? {};
  if (lambda === undefined || intercept === undefined) return [];
  const rounds = Array.from({ length: 4 * (to - from) + 1 }, (_, i) => from + i / 4);
  return rounds.map((t) => [t, Math.exp(intercept + lambda * t)]);
}

function emptyText(series: readonly Drawn[], scale: "linear" | "log"): string {
  if (series.every(({ D }) => D.length === 0)) return "No distances to draw.";
  return `Every distance is zero: nothing to draw on a ${scale === "log" ? "logarithmic" : scale} axis.`;
}

function altSentences(series: readonly Drawn[], scale: "linear" | "log"): string[] {
  const rounds = Math.max(0, ...series.map(({ D }) => D.length));
  return [
    `Line chart of the mean pairwise distance D(t) over rounds 1 to ${rounds} on a ${
      scale === "log" ? "logarithmic" : "linear"
    } axis, ${countText(series.length, "condition")}`.replace("1 to 0", "(none)"),
    ...series.map(({ label, D, n, slope, window: [from, to] }) => {
      const first = D[0];
      const course = first === undefined
        ? "no distances"
        : `D from ${shortText(first)} in round 1 to ${shortText(D.at(-1)!)} in round ${D.length}`;
      return `${label}: ${countText(n, "replicate")}, ${course}, slope ${slope} over rounds ${from} to ${to}`;
    }),
  ];
}

function captionSentences(series: readonly Drawn[], scale: "linear" | "log"): string[] {
  const window = sharedWindow(series);
  const fitted = window === undefined ? "each condition's own window" : `rounds ${window[0]}–${window[1]}`;
  const sentences = [
    `Mean pairwise distance D(t) between replicates; ${LAMBDA} is the slope of ln D(t) over ${fitted}, in nats per round`,
  ];
  if (series.some(({ band }) => band?.low !== undefined)) sentences.push("Bands are pointwise");
  if (scale === "linear") return sentences;
  if (series.some(({ band, D }) => band?.low?.some((low, i) => low <= 0 && D[i] !== undefined))) {
    sentences.push("A band that reaches zero runs out of the logarithmic axis at the bottom");
  }
  for (const { label, zeros } of series.filter(({ zeros }) => zeros.length > 0)) {
    sentences.push(`${label}: D = 0 in ${zeros.length === 1 ? "round" : "rounds"} ${zeros.join(", ")}, not drawn`);
  }
  return sentences;
}

function dataRows({ label, n, D, band, window: [from, to], lambda, fit, reason }: Drawn) {
  return D.map((distance, i) => ({
    ...{ series: label, n, round: i + 1, distance, low: band?.low?.[i], high: band?.high?.[i] },
    ...{ inWindow: i + 1 >= from && i + 1 <= to, lambda: lambda ?? fit?.lambda, reason: reason ?? fit?.reason },
  }));
}
