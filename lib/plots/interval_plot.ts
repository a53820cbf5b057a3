import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { fixedText, intervalText, noIntervalText, requireFinite, undefinedText } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";
import { wrapText } from "./text.ts";

/** One quantity, as published and as measured. */
export interface IntervalRow {
  readonly label: string;
  /** The measured value. Absent: undefined, for the `reason`. */
  readonly value?: number | undefined;
  readonly reason?: string | undefined;
  /** Percentile interval. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly studentisedLow?: number | undefined;
  readonly studentisedHigh?: number | undefined;
  /** Absent: not published. */
  readonly published?: number | undefined;
  readonly publishedLow?: number | undefined;
  readonly publishedHigh?: number | undefined;
  /** One or a few words, such as `agrees`. */
  readonly verdict?: string | undefined;
}

export interface IntervalPlotOptions extends FigureOptions {
  readonly rows: readonly IntervalRow[];
  /** The axis' label with its unit, such as `λ̂, nats per round`. */
  readonly quantity: string;
  /** Whether the axis holds zero and marks it. Default true. */
  readonly zero?: boolean;
  /** Whether published values are spoken of, missing ones in words. Default: when some row has one. */
  readonly compare?: boolean;
  /** What the thick lines span. Default: a 95 % percentile interval over replicates. */
  readonly span?: string;
  /** Decimals of printed numbers. Default 4. */
  readonly digits?: number;
}

/**
 * Measured values with their intervals, each beside the published value and a verdict.
 *
 * A filled dot with a thick line is the measured value and its percentile interval, a dashed line below it the
 * studentised interval, a hollow diamond above it the published value.
 * Source: Figure 2A of the deliberation paper, for Δλ̂ of role ablations; verdicts of reproduced numbers.
 *
 * @throws {RangeError} when a number is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const rows = [{ label: "ablate Chair", value: 0.03, low: 0.01, high: 0.05 }];
 * const figure = intervalPlot({ rows, quantity: "Δλ̂, nats per round", compare: true, synthetic: true });
 * assert.match(figure.alt, /ablate Chair: measured 0.0300 \[0.0100, 0.0500\], not published/);
 * ```
 */
export function intervalPlot(options: IntervalPlotOptions): Figure {
  const { rows, quantity, zero = true, span = PERCENTILE, digits = 4 } = options;
  for (const { label, verdict: _, reason: __, ...numbers } of rows) {
    requireFinite(`row "${label}"`, ...Object.values(numbers));
  }
  const compare = options.compare ?? rows.some(({ published }) => published !== undefined);
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(rows, span), { y: 12 }) + 8;
  const placed = place(rows, top, compare, digits);
  const bottom = placed.at(-1)?.bottom ?? top;
  const domain = axisDomain(rows, zero);
  for (const row of placed) drawWords(canvas, row);
  if (domain !== undefined) canvas.plot(plotOptions(placed, { domain, quantity, zero, top, bottom }), 0, 0);
  if (rows.length === 0) canvas.text("No rows to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  return toFigure(options, {
    kind: "intervals",
    canvas,
    height: bottom + (domain === undefined ? 2 * LINE_HEIGHT : AXIS_HEIGHT),
    alt: [
      `Dot plot of ${quantity}, ${rows.length} ${rows.length === 1 ? "row" : "rows"}`,
      ...placed.map(({ row, words }) => `${row.label}: ${words.join(", ")}`),
    ],
    caption: captionSentences(options, compare, span),
    rows: rows.map((row) => ({ ...EMPTY_ROW, ...row })),
  });
}

const LEFT = 168;
const RIGHT = 284;
const AXIS_HEIGHT = 48;
const EMPTY_ROW: IntervalPlotRow = {
  ...{ label: undefined, published: undefined, publishedLow: undefined, publishedHigh: undefined, value: undefined },
  ...{ low: undefined, high: undefined, studentisedLow: undefined, studentisedHigh: undefined },
  ...{ verdict: undefined, reason: undefined },
};
type IntervalPlotRow = { [K in keyof IntervalRow]-?: undefined };

interface Placed {
  readonly row: IntervalRow;
  readonly middle: number;
  readonly bottom: number;
  readonly label: readonly string[];
  readonly words: readonly string[];
  readonly lines: readonly string[];
}

const PERCENTILE = "95 % percentile interval";

function legendItems(rows: readonly IntervalRow[], span: string): LegendItem[] {
  const items: (LegendItem | false)[] = [
    rows.some(({ published }) => published !== undefined) &&
    { label: "published", colour: COLOURS[1], symbol: "diamond", hollow: true },
    rows.some(({ low }) => low !== undefined)
      ? { label: `measured, ${span}`, colour: COLOURS[0], symbol: "circle", ...SOLID }
      : rows.some(({ value }) => value !== undefined) && { label: "measured", colour: COLOURS[0], symbol: "circle" },
    rows.some(({ studentisedLow }) => studentisedLow !== undefined) &&
    { label: "95 % studentised interval", colour: COLOURS[0], ...DASHED },
  ];
  return items.filter((item) => item !== false);
}

const SOLID = { dash: "none", thickness: 3 } as const;
const DASHED = { dash: "4 2", thickness: 1.5 } as const;

function place(rows: readonly IntervalRow[], top: number, compare: boolean, digits: number): Placed[] {
  let y = top;
  return rows.map((row) => {
    const words = rowWords(row, compare, digits);
    const label = wrapText(row.label, LEFT - 32, BOLD_SIZE, 4);
    const lines = words.flatMap((word) => wrapText(word, RIGHT - 28, word === row.verdict ? BOLD_SIZE : TEXT_SIZE));
    const height = Math.max(2, lines.length, label.length) * LINE_HEIGHT + 14;
    y += height;
    return { row, words, label, lines, middle: y - height / 2, bottom: y };
  });
}

/** What a row says: measured, published, verdict. */
function rowWords(row: IntervalRow, compare: boolean, digits: number): string[] {
  const { value, reason, low, high, published, publishedLow, publishedHigh, verdict } = row;
  const words = [
    value === undefined ? undefinedText(reason) : fixedText(value, digits),
    intervalText(low, high, digits),
  ];
  const paper = published === undefined
    ? ["not published"]
    : ["published", fixedText(published, digits), intervalText(publishedLow, publishedHigh, digits)];
  const join = (parts: readonly (string | undefined)[]) => parts.filter((part) => part !== undefined).join(" ");
  const without = low === undefined ? noIntervalText(value, reason) : [];
  return [
    join(["measured", ...words]),
    ...without,
    ...(compare ? [join(paper)] : []),
    ...(verdict === undefined ? [] : [verdict]),
  ];
}

function axisDomain(rows: readonly IntervalRow[], zero: boolean): [number, number] | undefined {
  const numbers = rows.flatMap((
    row,
  ) => [
    row.value,
    row.low,
    row.high,
    row.studentisedLow,
    row.studentisedHigh,
    row.published,
    row.publishedLow,
    row.publishedHigh,
  ]);
  const [low, high] = extent(numbers.filter((number) => number !== undefined));
  if (low === undefined || high === undefined) return undefined;
  const [from, to] = zero ? [Math.min(0, low), Math.max(0, high)] : [low, high];
  const pad = (to - from) * 0.05 || Math.abs(to) * 0.1 || 1;
  return [from - pad, to + pad];
}

function drawWords(canvas: Canvas, { row, label, lines, middle }: Placed): void {
  const start = (count: number) => middle - (count * LINE_HEIGHT) / 2 + 12;
  canvas.lines(label, LEFT - 16, start(label.length), { anchor: "end", weight: "bold" });
  const verdictLines = row.verdict === undefined ? 0 : wrapText(row.verdict, RIGHT - 28, BOLD_SIZE).length;
  const x = WIDTH - RIGHT + 16;
  const below = canvas.lines(lines.slice(0, lines.length - verdictLines), x, start(lines.length));
  canvas.lines(lines.slice(lines.length - verdictLines), x, below, { weight: "bold" });
}

function plotOptions(placed: readonly Placed[], { domain, quantity, zero, top, bottom }: {
  domain: [number, number];
  quantity: string;
  zero: boolean;
  top: number;
  bottom: number;
}): Plot.PlotOptions {
  const borders = placed.slice(0, -1).map(({ bottom }) => bottom);
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: top },
    marginBottom: AXIS_HEIGHT,
    x: {
      domain,
      ticks: 3,
      label: wrapText(quantity, 420, TEXT_SIZE, 1)[0]!,
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: { type: "identity", axis: null },
    marks: [
      Plot.gridX({ ticks: 3, stroke: RULE, strokeOpacity: 1 }),
      Plot.ruleY(borders, { stroke: RULE, insetLeft: -LEFT + 16, insetRight: -RIGHT + 16 }),
      ...(zero ? [Plot.ruleX([0], { stroke: INK, strokeWidth: 1.2 })] : []),
      Plot.frame({ anchor: "bottom", stroke: INK }),
      ...placed.flatMap(rowMarks),
    ],
  };
}

function rowMarks({ row, middle }: Placed): Plot.Markish[] {
  const { value, low, high, studentisedLow, studentisedHigh, published, publishedLow, publishedHigh } = row;
  const [own, paper] = [COLOURS[0], COLOURS[1]];
  return [
    ...interval(publishedLow, publishedHigh, middle - 10, { stroke: paper, strokeWidth: 1.5 }),
    ...interval(low, high, middle, { stroke: own, strokeWidth: 3 }),
    ...interval(studentisedLow, studentisedHigh, middle + 9, { stroke: own, strokeWidth: 1.5, strokeDasharray: "4 2" }),
    ...(value === undefined ? [] : [symbolMark([[value, middle]], { colour: own, symbol: "circle", r: 5 })]),
    ...(published === undefined
      ? []
      : [symbolMark([[published, middle - 10]], { colour: paper, symbol: "diamond", hollow: true, r: 5 })]),
  ];
}

function interval(
  low: number | undefined,
  high: number | undefined,
  y: number,
  stroke: Plot.LineOptions,
): Plot.Markish[] {
  return low === undefined || high === undefined ? [] : [Plot.line([[low, y], [high, y]], stroke)];
}

function captionSentences({ rows, quantity }: IntervalPlotOptions, compare: boolean, span: string): string[] {
  const sentences = [`Measured ${quantity}`];
  if (rows.some(({ low }) => low !== undefined)) {
    sentences.push(`Thick lines: ${span}${span === PERCENTILE ? " over replicates" : ""}`);
  }
  if (rows.some(({ studentisedLow }) => studentisedLow !== undefined)) {
    sentences.push("Dashed: studentised intervals, whose coverage is mostly nearer to nominal");
  }
  const unpublished = rows.filter(({ published }) => published === undefined).map(({ label }) => label);
  if (compare && unpublished.length < rows.length) sentences.push("Hollow diamonds: published values");
  if (compare && unpublished.length > 0) sentences.push(`Not published: ${unpublished.join(", ")}`);
  const missing = rows.filter(({ value }) => value === undefined).map(({ label }) => label);
  if (missing.length > 0) sentences.push(`Without an estimate: ${missing.join(", ")}`);
  return sentences;
}
