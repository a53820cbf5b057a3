import * as Plot from "@observablehq/plot";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { BOLD_SIZE, createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { INK, MUTED, RULE, seriesStyle } from "./palette.ts";
import { wrapText } from "./text.ts";

/** How often something happened, with a standard error. */
export interface RateValue {
  readonly series: string;
  /** In [0, 1]. */
  readonly value: number;
  readonly error: number;
}

export interface RateRow {
  readonly label: string;
  readonly rates: readonly RateValue[];
  /** Words below the label, such as the true value. */
  readonly note?: string | undefined;
}

export interface RatePlotOptions extends FigureOptions {
  readonly rows: readonly RateRow[];
  /** What the axis counts, such as `share of intervals that hold the true slope`. */
  readonly quantity: string;
  /** The rate that was promised: a vertical line. */
  readonly nominal: number;
  /** Ends of the axis. Default 0 and 1. */
  readonly domain?: readonly [number, number];
}

/**
 * Measured rates against a promised one: dots with two standard errors either way, a row a case, a symbol a method.
 *
 * A rate beyond the end of the axis stands at its edge, hollow; the rows of the figure hold its value.
 *
 * @throws {RangeError} when a rate or its error is not finite, or a rate is not in [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const rows = [{ label: "AR(1)", rates: [{ series: "permutation", value: 0.2, error: 0.03 }] }];
 * const { alt } = ratePlot({ rows, quantity: "share rejected", nominal: 0.05, synthetic: true });
 * assert.match(alt, /AR\(1\): permutation 0\.200 ± 0\.030/);
 * ```
 */
export function ratePlot(options: RatePlotOptions): Figure {
  const { rows, quantity, nominal, domain = [0, 1] } = options;
  requireFinite("the nominal rate", nominal);
  for (const { label, rates } of rows) rates.forEach((rate) => checkRate(label, rate));
  const series = [...new Set(rows.flatMap(({ rates }) => rates.map(({ series }) => series)))];
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(series, nominal), { y: 12 }) + 8;
  const placed = placeRows(rows, top, series.length);
  for (const { middle, label, note } of placed) {
    const start = middle - ((label.length + note.length) * LINE_HEIGHT) / 2 + 12;
    const next = canvas.lines(label, LEFT - 16, start, { anchor: "end", weight: "bold" });
    canvas.lines(note, LEFT - 16, next, { anchor: "end", fill: MUTED });
  }
  const bottom = placed.at(-1)?.bottom ?? top + 2 * LINE_HEIGHT;
  if (placed.length === 0) canvas.text("No rates to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  else canvas.plot(plotOptions(placed, { series, quantity, nominal, domain, top, bottom }), 0, 0);
  return toFigure(options, {
    kind: "rates",
    canvas,
    height: bottom + (placed.length === 0 ? 0 : AXIS_HEIGHT),
    alt: [
      `Dot plot of the ${quantity}, ${countText(rows.length, "row")}, against a nominal ${fixedText(nominal, 2)}`,
      ...rows.map(({ label, rates }) => `${label}: ${rates.map(rateWords).join(", ")}`),
    ],
    caption: [
      `Dots: ${quantity}; bars: two Monte Carlo standard errors either way`,
      ...(rows.some(({ rates }) => rates.some(({ value }) => value < domain[0] || value > domain[1]))
        ? ["Hollow: beyond the end of the axis"]
        : []),
    ],
    rows: rows.flatMap(({ label, rates }) => rates.map((rate) => ({ label, ...rate, nominal }))),
  });
}

const LEFT = 200;
const RIGHT = 24;
const AXIS_HEIGHT = 48;
const LANE = 11;

function checkRate(label: string, { series, value, error }: RateValue): void {
  requireFinite(`"${series}" of "${label}"`, value, error);
  if (value < 0 || value > 1) throw new RangeError(`"${series}" of "${label}" is ${value}; a rate is from 0 to 1`);
}

const rateWords = ({ series, value, error }: RateValue): string =>
  `${series} ${fixedText(value, 3)} ± ${fixedText(error, 3)}`;

function legendItems(series: readonly string[], nominal: number): LegendItem[] {
  return [
    ...series.map((label, i) => ({ label, ...seriesStyle(i), dash: "none" })),
    { label: `nominal ${fixedText(nominal, 2)}`, colour: INK, dash: "5 3", thickness: 1.4 },
  ];
}

interface Placed extends Pick<RateRow, "rates"> {
  readonly label: string[];
  readonly note: string[];
  readonly middle: number;
  readonly bottom: number;
}

function placeRows(rows: readonly RateRow[], top: number, lanes: number): Placed[] {
  let y = top;
  return rows.map(({ label, note = "", rates }) => {
    const lines = wrapText(label, LEFT - 32, BOLD_SIZE, 3);
    const below = note === "" ? [] : wrapText(note, LEFT - 32, BOLD_SIZE, 2);
    const height = Math.max((lines.length + below.length) * LINE_HEIGHT, lanes * LANE) + 10;
    y += height;
    return { label: lines, note: below, rates, middle: y - height / 2, bottom: y };
  });
}

interface Axis {
  readonly series: readonly string[];
  readonly quantity: string;
  readonly nominal: number;
  readonly domain: readonly [number, number];
  readonly top: number;
  readonly bottom: number;
}

function plotOptions(placed: readonly Placed[], axis: Axis): Plot.PlotOptions {
  const { domain, nominal, quantity, series, top, bottom } = axis;
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT },
    ...{ marginTop: top, marginBottom: AXIS_HEIGHT },
    x: { domain, ticks: 6, label: quantity, labelAnchor: "center", labelArrow: "none" },
    y: { domain: [top, bottom], range: [top, bottom], axis: null },
    marks: [
      Plot.ruleY(placed.slice(0, -1).map(({ bottom }) => bottom), { stroke: RULE }),
      Plot.ruleX([nominal], { stroke: INK, strokeWidth: 1.4, strokeDasharray: "5 3" }),
      ...series.flatMap((_, i) => seriesMarks(placed, axis, i)),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

/** One method's dots and bars, in a lane of their own within every row. */
function seriesMarks(placed: readonly Placed[], { series, domain: [low, high] }: Axis, index: number): Plot.Markish[] {
  const { colour, symbol } = seriesStyle(index);
  const within = (value: number) => Math.min(high, Math.max(low, value));
  const found = placed.flatMap(({ rates, middle }) =>
    rates.filter((rate) => rate.series === series[index]).map(({ value, error }) => ({
      y: middle + (index - (series.length - 1) / 2) * LANE,
      x: within(value),
      outside: value !== within(value),
      ends: [within(value - 2 * error), within(value + 2 * error)] as const,
    }))
  );
  const dots = (outside: boolean) =>
    found.filter((one) => one.outside === outside).map(({ x, y }) => [x, y] as [number, number]);
  return [
    ...found.map(({ ends, y }) => Plot.line(ends.map((x) => [x, y]), { stroke: colour, strokeWidth: 1.6 })),
    symbolMark(dots(false), { colour, symbol }),
    symbolMark(dots(true), { colour, symbol, hollow: true }),
  ];
}
