import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { countText, fixedText, intervalText, requireFinite } from "../core/numbers.ts";
import { type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { INK, MUTED, RULE, seriesStyle } from "./palette.ts";
import { textWidth, wrapText } from "./text.ts";

/** One quantity, as published and as measured. */
export interface AgreementPoint {
  readonly label: string;
  /** Points of one group look alike. */
  readonly group: string;
  /** Absent: not published, so there is no point to draw. */
  readonly published?: number | undefined;
  /** Absent: there is no estimate, so there is no point to draw. */
  readonly measured?: number | undefined;
  /** Interval of the measured value. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** Whether the label is printed beside the point. Default false; the alt text has it all the same. */
  readonly named?: boolean | undefined;
}

export interface AgreementPlotOptions extends FigureOptions {
  readonly points: readonly AgreementPoint[];
  /** What both axes show, with its unit. */
  readonly quantity: string;
  /** Decimals of printed numbers. Default 4. */
  readonly digits?: number;
}

/**
 * Measured values against published ones, with intervals and the line on which the two would be equal.
 *
 * Points that lack one of the two are counted in words and not drawn.
 *
 * @throws {RangeError} when a number is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const points = [{ label: "HL-01", group: "roles", published: 0.0541, measured: 0.05, low: 0.03, high: 0.07 }];
 * const { alt } = agreementPlot({ points, quantity: "λ̂, nats per round", synthetic: true });
 * assert.match(alt, /HL-01, roles: published 0\.0541, measured 0\.0500 \[0\.0300, 0\.0700\]/);
 * ```
 */
export function agreementPlot(options: AgreementPlotOptions): Figure {
  const { points, quantity, digits = 4 } = options;
  for (const { label, published, measured, low, high } of points) {
    requireFinite(`point "${label}"`, published, measured, low, high);
  }
  const drawn = points.filter(isWhole);
  const groups = [...new Set(points.map(({ group }) => group))];
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(groups, drawn), { y: 12 }) + 8;
  if (drawn.length === 0) canvas.text("No pairs to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  else drawPoints(canvas, drawn, { groups, quantity, top });
  return toFigure(options, {
    kind: "agreement",
    canvas,
    height: top + (drawn.length === 0 ? 2 * LINE_HEIGHT : SIDE + BELOW),
    alt: [
      `Scatter of measured against published ${quantity}, ${countText(drawn.length, "pair")}`,
      ...drawn.map((point) => pointWords(point, digits)),
    ],
    caption: captionSentences(points, drawn, quantity),
    rows: points.map(({ label, group, published, measured, low, high }) => ({
      ...{ label, group, published, measured, low, high },
    })),
  });
}

type WholePoint = AgreementPoint & { readonly published: number; readonly measured: number };

const isWhole = (point: AgreementPoint): point is WholePoint =>
  point.published !== undefined && point.measured !== undefined;

const [LEFT, SIDE, BELOW] = [140, 440, 52];
const LABEL_SIZE = 10;

function legendItems(groups: readonly string[], drawn: readonly WholePoint[]): LegendItem[] {
  const signs = groups.map((label, i) => {
    const { colour, symbol } = seriesStyle(i);
    return { label, colour, symbol };
  });
  return drawn.length === 0 ? signs : [...signs, { label: "equal", colour: INK, dash: "4 3", thickness: 1.2 }];
}

function pointWords({ label, group, published, measured, low, high }: WholePoint, digits: number): string {
  const interval = intervalText(low, high, digits);
  const words = [`published ${fixedText(published, digits)}`, `measured ${fixedText(measured, digits)}`];
  return `${label}, ${group}: ${words.join(", ")}${interval === undefined ? "" : ` ${interval}`}`;
}

function captionSentences(points: readonly AgreementPoint[], drawn: readonly WholePoint[], quantity: string): string[] {
  const unpublished = points.filter(({ published }) => published === undefined).length;
  const missing = points.filter(({ published, measured }) => published !== undefined && measured === undefined).length;
  return [
    `Measured against published ${quantity}; on the dashed line the two are equal`,
    ...(drawn.some(({ low }) => low !== undefined) ? ["Bars: 95 % intervals of the measured values"] : []),
    ...(unpublished === 0 ? [] : [`Not published: ${unpublished} of ${points.length}`]),
    ...(missing === 0 ? [] : [`Published and without an estimate: ${missing} of ${points.length}`]),
  ];
}

/** One scale for both axes, so that the line of equal values is the diagonal of a square. */
function drawPoints(
  canvas: Canvas,
  drawn: readonly WholePoint[],
  { groups, quantity, top }: { groups: readonly string[]; quantity: string; top: number },
): void {
  const domain = axisDomain(drawn);
  const scale = (value: number) => ((value - domain[0]) / (domain[1] - domain[0])) * SIDE;
  canvas.plot(axesPlot(domain, { quantity, top }), 0, 0);
  canvas.text("measured", 16, top + SIDE / 2 - 6);
  const placed = drawn.map((point) => ({
    ...{ point, x: LEFT + scale(point.published), y: top + SIDE - scale(point.measured) },
    ends: [point.low, point.high].map((end) => end === undefined ? undefined : top + SIDE - scale(end)),
  }));
  groups.forEach((group, i) => {
    const own = placed.filter(({ point }) => point.group === group);
    const { colour, symbol } = seriesStyle(i);
    const bars = own.flatMap(({ x, ends: [low, high] }) =>
      low === undefined || high === undefined ? [] : [{ x, low, high }]
    );
    canvas.marks(
      Plot.link(bars, { x: "x", y1: "low", y2: "high", stroke: colour, strokeWidth: 1.2, strokeOpacity: 0.55 }),
      symbolMark(own.map(({ x, y }) => [x, y] as const), { colour, symbol }),
    );
  });
  drawNames(canvas, placed, top);
}

/** The square with its diagonal, empty. */
function axesPlot(
  domain: readonly [number, number],
  { quantity, top }: { quantity: string; top: number },
): Plot.PlotOptions {
  const axis = { domain, ticks: 5, labelArrow: "none", labelAnchor: "center" } as const;
  const words = wrapText(quantity, SIDE - 100, TEXT_SIZE, 1)[0]!;
  const zero = { stroke: MUTED, strokeWidth: 0.8 };
  return {
    ...{ width: LEFT + SIDE + 16, height: top + SIDE + BELOW, marginLeft: LEFT, marginRight: 16, marginTop: top },
    marginBottom: BELOW,
    x: { ...axis, label: `published ${words}` },
    y: { ...axis, label: null },
    marks: [
      Plot.gridX({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      Plot.gridY({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      ...(domain[0] < 0 ? [Plot.ruleX([0], zero), Plot.ruleY([0], zero)] : []),
      Plot.line([[domain[0], domain[0]], [domain[1], domain[1]]], {
        ...{ stroke: INK, strokeWidth: 1.2, strokeDasharray: "4 3" },
      }),
      Plot.frame({ stroke: INK }),
    ],
  };
}

function axisDomain(drawn: readonly WholePoint[]): [number, number] {
  const values = drawn.flatMap(({ published, measured, low, high }) => [published, measured, low, high]);
  const [least = 0, most = 1] = extent(values.filter((value) => value !== undefined));
  const [from, to] = [Math.min(0, least), Math.max(0, most)];
  const pad = (to - from) * 0.04 || 1;
  return [from < 0 ? from - pad : 0, to + pad];
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Names beside their points where there is room; a name that would cover another or a point is left to the alt text. */
function drawNames(
  canvas: Canvas,
  placed: readonly { readonly point: WholePoint; readonly x: number; readonly y: number }[],
  top: number,
): void {
  const taken: Box[] = placed.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
  for (const { point, x, y } of placed) {
    if (!point.named) continue;
    const label = wrapText(point.label, 120, LABEL_SIZE, 1)[0]!;
    const width = textWidth(label, LABEL_SIZE);
    const places = [[x + 7, y + 4], [x - 7 - width, y + 4], [x + 5, y - 7], [x + 5, y + 14]] as const;
    const found = places.map(([left, base]) => ({ left, right: left + width, top: base - 9, bottom: base + 2 }))
      .find((box) => fits(box, taken, top));
    if (found === undefined) continue;
    taken.push(found);
    canvas.text(label, found.left, found.bottom - 2, { size: LABEL_SIZE });
  }
}

const fits = (box: Box, taken: readonly Box[], top: number): boolean =>
  box.left > LEFT && box.right < LEFT + SIDE && box.top > top && box.bottom < top + SIDE &&
  taken.every((one) =>
    box.right <= one.left || one.right <= box.left || box.bottom <= one.top || one.bottom <= box.top
  );
