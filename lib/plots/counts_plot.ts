import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { rollup } from "d3-array";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";
import { wrapText } from "./text.ts";

/** A mean with its standard error, where there is one. */
export interface CountMean {
  readonly mean: number;
  readonly sem?: number | undefined;
}

/** Counts of one group, one a unit, with their mean as measured and as published. */
export interface CountsGroup {
  readonly label: string;
  /** Whole numbers, one a unit. */
  readonly counts: readonly number[];
  /** Absent: not known, such as of no units. */
  readonly measured?: CountMean | undefined;
  /** Absent: not published. */
  readonly published?: CountMean | undefined;
  /** One or a few words. */
  readonly verdict?: string | undefined;
}

export interface CountsPlotOptions extends FigureOptions {
  /** A band each, in this order. */
  readonly groups: readonly CountsGroup[];
  /** What is counted, such as `switches a run`. */
  readonly quantity: string;
  /** What is counted on, in the singular. Default `run`. */
  readonly unit?: string;
  /** Decimals of printed means. Default 2. */
  readonly digits?: number;
}

/**
 * How often each count occurs in each group: a circle for each count, its area the number of units, with the mean and
 * its standard error below as measured and as published.
 *
 * Source: Figure S3 of the deliberation paper, switches by role, which jitters the single values.
 *
 * @throws {RangeError} when a count is not a whole number of at least 0, or a mean is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const groups = [{ label: "Chair", counts: [2, 2, 5], measured: { mean: 3, sem: 1 }, published: { mean: 2.76 } }];
 * const { alt } = countsPlot({ groups, quantity: "switches a run", synthetic: true });
 * assert.match(alt, /Chair: 2 in 2 runs, 5 in 1 run; measured 3\.00 ± 1\.00; published 2\.76/);
 * ```
 */
export function countsPlot(options: CountsPlotOptions): Figure {
  const { groups, quantity, unit = "run", digits = 2 } = options;
  for (const group of groups) checkGroup(group);
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(groups, unit), { y: 12 }) + 8;
  const placed = place(groups, { top, digits });
  const bottom = placed.at(-1)?.bottom ?? top;
  if (groups.length === 0) canvas.text("No counts to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  else draw(canvas, placed, { top, bottom, quantity });
  return toFigure(options, {
    kind: "counts",
    canvas,
    height: bottom + (groups.length === 0 ? 2 * LINE_HEIGHT : AXIS_HEIGHT),
    alt: [
      `Counts of ${quantity} in ${countText(groups.length, "group")}`,
      ...placed.map(({ group, words }) => `${group.label}: ${[tallyWords(group, unit), ...words].join("; ")}`),
    ],
    caption: [
      `Numbers of ${unit}s by ${quantity}; the area of a circle is the number in or beside it`,
      "Below: means with one standard error to either side",
      ...(groups.some(({ published }) => published) ? ["Hollow diamonds: published means"] : []),
    ],
    rows: groups.flatMap(dataRows),
  });
}

const LEFT = 120;
const RIGHT = 210;
const AXIS_HEIGHT = 48;
const LARGEST = 15;
/** The lane of circles, then one for each mean. */
const [CIRCLES, MEAN] = [2 * LARGEST + 8, 16];
const BAND = CIRCLES + 2 * MEAN + 8;

interface Placed {
  readonly group: CountsGroup;
  readonly tally: readonly (readonly [count: number, units: number])[];
  readonly words: readonly string[];
  readonly lines: readonly string[];
  readonly label: readonly string[];
  readonly top: number;
  readonly bottom: number;
}

function checkGroup({ label, counts, measured, published }: CountsGroup): void {
  requireFinite(`a mean of "${label}"`, measured?.mean, measured?.sem, published?.mean, published?.sem);
  const wrong = counts.find((count) => !Number.isSafeInteger(count) || count < 0);
  if (wrong !== undefined) throw new RangeError(`a count of "${label}" is ${wrong}, not a whole number of at least 0`);
}

function place(groups: readonly CountsGroup[], { top, digits }: { top: number; digits: number }): Placed[] {
  let y = top;
  return groups.map((group) => {
    const words = groupWords(group, digits);
    const lines = words.flatMap((word) => wrapText(word, RIGHT - 28, word === group.verdict ? BOLD_SIZE : TEXT_SIZE));
    const label = wrapText(group.label, LEFT - 32, BOLD_SIZE, 4);
    const start = y;
    y += Math.max(BAND, lines.length * LINE_HEIGHT + 12, label.length * LINE_HEIGHT + 12);
    const tally = [...rollup(group.counts, ({ length }) => length, (count) => count)].sort(([a], [b]) => a - b);
    return { group, words, lines, label, tally, top: start, bottom: y };
  });
}

function groupWords({ counts, measured, published, verdict }: CountsGroup, digits: number): string[] {
  const text = ({ mean, sem }: CountMean) =>
    [fixedText(mean, digits), ...(sem === undefined ? [] : [fixedText(sem, digits)])].join(" ± ");
  return [
    counts.length === 0 ? "not measured" : `measured ${measured === undefined ? "without a mean" : text(measured)}`,
    published === undefined ? "not published" : `published ${text(published)}`,
    ...(verdict === undefined ? [] : [verdict]),
  ];
}

function tallyWords({ counts }: CountsGroup, unit: string): string {
  const tally = [...rollup(counts, ({ length }) => length, (count) => count)].sort(([a], [b]) => a - b);
  return tally.map(([count, units]) => `${count} in ${countText(units, unit)}`).join(", ") || `no ${unit}`;
}

function legendItems(groups: readonly CountsGroup[], unit: string): LegendItem[] {
  const items: (LegendItem | false)[] = [
    groups.some(({ counts }) => counts.length > 0) &&
    { label: `${unit}s, counted`, colour: FAINT, symbol: "circle" },
    groups.some(({ measured }) => measured) &&
    { label: "measured mean", colour: COLOURS[0], symbol: "circle", dash: "none", thickness: 3 },
    groups.some(({ published }) => published) &&
    { label: "published mean", colour: COLOURS[1], symbol: "diamond", hollow: true, dash: "none", thickness: 1.5 },
  ];
  return items.filter((item) => item !== false);
}

/** `COLOURS[0]` at a third of its strength on white, opaque, so that black reads on it. */
const FAINT = "#aad0e6";

function draw(
  canvas: Canvas,
  placed: readonly Placed[],
  { top, bottom, quantity }: { top: number; bottom: number; quantity: string },
): void {
  const most = Math.max(1, ...placed.flatMap(({ tally }) => tally.map(([, units]) => units)));
  const ends = placed.flatMap(({ group: { counts, measured, published } }) => [
    ...counts,
    ...[measured, published].flatMap((one) => one ? [one.mean + (one.sem ?? 0)] : []),
  ]);
  const domain: [number, number] = [-0.5, Math.max(1, ...ends) + 0.5];
  const x = (value: number) => LEFT + ((value - domain[0]) / (domain[1] - domain[0])) * (WIDTH - LEFT - RIGHT);
  canvas.plot(axis({ domain, top, bottom, quantity }), 0, 0);
  for (const one of placed) drawGroup(canvas, one, { x, most });
}

function axis({ domain, top, bottom, quantity }: {
  domain: [number, number];
  top: number;
  bottom: number;
  quantity: string;
}): Plot.PlotOptions {
  const step = Math.ceil(domain[1] / 12);
  const ticks = Array.from({ length: Math.floor(domain[1] / step) + 1 }, (_, i) => i * step);
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: top },
    marginBottom: AXIS_HEIGHT,
    x: {
      ...{ domain, ticks, tickFormat: "d", labelAnchor: "center", labelArrow: "none" },
      label: wrapText(quantity, WIDTH - LEFT - RIGHT, TEXT_SIZE, 1)[0]!,
    },
    y: { axis: null },
    marks: [
      Plot.gridX({ ticks, stroke: RULE, strokeOpacity: 1 }),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

function drawGroup(
  canvas: Canvas,
  { group: { measured, published, verdict }, tally, lines, label, top, bottom }: Placed,
  { x, most }: { x: (value: number) => number; most: number },
): void {
  const middle = (top + bottom) / 2;
  const start = middle - BAND / 2;
  const circles = start + 4 + CIRCLES / 2;
  const radius = (units: number) => LARGEST * Math.sqrt(units / most);
  const own = tally.map(([count, units]) => ({ x: x(count), y: circles, r: radius(units), units }));
  canvas.marks(
    Plot.ruleY([bottom], { x1: 16, x2: WIDTH - 16, stroke: RULE }),
    Plot.dot(own, {
      x: "x",
      y: "y",
      r: { value: "r", scale: null },
      fill: FAINT,
      stroke: COLOURS[0],
      strokeWidth: 0.8,
    }),
    ...meanMarks(measured, { x, y: start + CIRCLES + MEAN / 2, colour: COLOURS[0], thickness: 3 }),
    ...meanMarks(published, { x, y: start + CIRCLES + 1.5 * MEAN, colour: COLOURS[1], thickness: 1.5, hollow: true }),
  );
  for (const { x, y, r, units } of own) {
    // Beside the circle where it is too small to hold the number.
    const [dx, anchor] = r >= 10 ? [0, "middle" as const] : [r + 3, "start" as const];
    canvas.text(String(units), x + dx, y + 4, { size: 10, anchor });
  }
  const baseline = (count: number) => middle - (count * LINE_HEIGHT) / 2 + 12;
  canvas.lines(label, LEFT - 16, baseline(label.length), { anchor: "end", weight: "bold" });
  const last = verdict === undefined ? 0 : wrapText(verdict, RIGHT - 28, BOLD_SIZE).length;
  const place = WIDTH - RIGHT + 16;
  const below = canvas.lines(lines.slice(0, lines.length - last), place, baseline(lines.length));
  canvas.lines(lines.slice(lines.length - last), place, below, { weight: "bold" });
}

function meanMarks(
  one: CountMean | undefined,
  { x, y, colour, thickness, hollow = false }: {
    x: (value: number) => number;
    y: number;
    colour: string;
    thickness: number;
    hollow?: boolean;
  },
): Plot.Markish[] {
  if (one === undefined) return [];
  const { mean, sem } = one;
  const bar: [number, number][] = sem === undefined ? [] : [[x(mean - sem), y], [x(mean + sem), y]];
  const sign = { colour, symbol: hollow ? "diamond" as const : "circle" as const, hollow };
  return [Plot.line(bar, { stroke: colour, strokeWidth: thickness }), symbolMark([[x(mean), y]], sign)];
}

/** A row for each count that occurs, and one for each mean. */
function dataRows({ label: group, counts, measured, published }: CountsGroup): Figure["rows"] {
  const none = { count: undefined, units: undefined, mean: undefined, sem: undefined };
  const tally = [...rollup(counts, ({ length }) => length, (count) => count)].sort(([a], [b]) => a - b);
  const means = [["measured", measured] as const, ["published", published] as const];
  return [
    ...tally.map(([count, units]) => ({ ...none, group, source: "count", count, units })),
    ...means.flatMap(([source, one]) => one ? [{ ...none, group, source, mean: one.mean, sem: one.sem }] : []),
  ];
}
