import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { countText, fixedText, intervalText, LAMBDA, requireFinite, undefinedText } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";
import { wrapText } from "./text.ts";

/** λ̂ at one temperature, as measured and as published. */
export interface TemperaturePoint {
  /** T ≥ 0. */
  readonly temperature: number;
  /** Nats per round. Absent: undefined, for the `reason`. */
  readonly lambda?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly reason?: string | undefined;
  /** Absent: not published. */
  readonly published?: number | undefined;
  /** Runs that count, of `target` planned: `n` is said above the panel where some are missing. */
  readonly n: number;
  readonly target: number;
}

export interface TemperaturePanel {
  readonly title: string;
  readonly points: readonly TemperaturePoint[];
}

export interface TemperaturePlotOptions extends FigureOptions {
  /** One below the other, on one scale. */
  readonly panels: readonly TemperaturePanel[];
}

/**
 * λ̂ against the sampling temperature, one panel a committee, each estimate with its interval beside the published value.
 *
 * The axis is logarithmic. T = 0 has no place on it and stands to the left of a break, a decade below the least T > 0.
 * Source: Figure S1 of the deliberation paper.
 *
 * @throws {RangeError} when a number is not finite, a temperature is negative or comes twice in one panel.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const points = [{ temperature: 0, lambda: 0.08, low: 0.06, high: 0.1, published: 0.0838, n: 20, target: 20 }];
 * const { alt } = temperaturePlot({ panels: [{ title: "roles on", points }], synthetic: true });
 * assert.match(alt, /T = 0: measured 0\.0800 \[0\.0600, 0\.1000\], published 0\.0838, n = 20 of 20/);
 * ```
 */
export function temperaturePlot(options: TemperaturePlotOptions): Figure {
  const { panels } = options;
  panels.forEach(checkPanel);
  const points = panels.flatMap(({ points }) => points);
  const canvas = createCanvas();
  let y = drawLegend(canvas, legendItems(points), { y: 12 }) + 8;
  const axes = axesOf(points);
  if (points.length === 0) {
    canvas.text("No temperatures to draw.", WIDTH / 2, y + 12, { anchor: "middle", fill: MUTED });
  } else for (const panel of panels) y = drawPanel(canvas, panel, { ...axes, y });
  return toFigure(options, {
    kind: "temperature",
    canvas,
    height: points.length === 0 ? y + 2 * LINE_HEIGHT : y + LINE_HEIGHT,
    alt: [
      `${LAMBDA} in nats per round against temperature, ${countText(panels.length, "panel")}`,
      ...panels.map(({ title, points }) => `${title}: ${points.map(pointWords).join("; ")}`),
    ],
    caption: [
      `${LAMBDA} in nats per round against temperature T; logarithmic, with T = 0 left of the break`,
      ...(points.some(({ low }) => low !== undefined)
        ? ["Upright bars: 95 % percentile intervals over replicates"]
        : []),
      ...(points.some(({ published }) => published !== undefined) ? ["Hollow diamonds: published values"] : []),
      ...(points.some(isShort) ? ["Numbers above a panel: runs that count, where fewer than planned"] : []),
    ],
    rows: panels.flatMap(({ title: panel, points }) => points.map((point) => ({ panel, ...EMPTY_ROW, ...point }))),
  });
}

const EMPTY_ROW = { low: undefined, high: undefined, lambda: undefined, published: undefined, reason: undefined };
const LEFT = 64;
const RIGHT = 24;
const PANEL_HEIGHT = 230;

function checkPanel({ title, points }: TemperaturePanel): void {
  const seen = new Set<number>();
  for (const { reason: _, ...numbers } of points) {
    const { temperature } = numbers;
    requireFinite(`T = ${temperature} of "${title}"`, ...Object.values(numbers));
    if (temperature < 0) throw new RangeError(`"${title}" has T = ${temperature}: a temperature is never negative`);
    if (seen.has(temperature)) throw new RangeError(`"${title}" has T = ${temperature} twice: give each once`);
    seen.add(temperature);
  }
}

function legendItems(points: readonly TemperaturePoint[]): LegendItem[] {
  const [own, paper] = [COLOURS[0], COLOURS[1]];
  const items: LegendItem[] = [];
  if (points.some(({ lambda }) => lambda !== undefined)) {
    items.push({
      label: "measured, 95 % percentile interval",
      colour: own,
      symbol: "circle",
      dash: "none",
      thickness: 3,
    });
  }
  if (points.some(({ lambda }) => lambda === undefined)) {
    items.push({ label: "undefined", colour: own, symbol: "times" });
  }
  if (points.some(({ published }) => published !== undefined)) {
    items.push({ label: "published", colour: paper, symbol: "diamond", hollow: true });
  }
  return items;
}

const isShort = ({ n, target }: TemperaturePoint): boolean => n < target;

function pointWords({ temperature, lambda, low, high, reason, published, n, target }: TemperaturePoint): string {
  const interval = intervalText(low, high);
  const measured = lambda === undefined ? undefinedText(reason) : fixedText(lambda);
  return [
    `T = ${temperature}: measured ${measured}${interval === undefined ? "" : ` ${interval}`}`,
    published === undefined ? "not published" : `published ${fixedText(published)}`,
    `n = ${n} of ${target}`,
  ].join(", ");
}

interface Axes {
  /** Where a temperature stands: log10 T, and T = 0 a decade below the least other. */
  readonly at: (temperature: number) => number;
  readonly ticks: readonly number[];
  readonly wide: [number, number];
  readonly tall: [number, number];
  /** Where the axis is broken; absent without T = 0 or with nothing else. */
  readonly gap?: number;
}

function axesOf(points: readonly TemperaturePoint[]): Axes {
  const ticks = [...new Set(points.map(({ temperature }) => temperature))].sort((a, b) => a - b);
  const least = ticks.find((temperature) => temperature > 0);
  const zero = least === undefined ? 0 : Math.log10(least) - 1;
  const at = (temperature: number) => temperature === 0 ? zero : Math.log10(temperature);
  const [from = 0, to = 0] = extent(ticks, at);
  const values = points.flatMap(({ lambda, low, high, published }) => [lambda, low, high, published]);
  const [low = 0, high = 0] = extent([0, ...values.filter((value) => value !== undefined)]);
  const pad = (high - low) * 0.08 || 0.01;
  return {
    ...{ at, ticks, wide: [from - 0.3, to + 0.3], tall: [low - pad, high + pad] },
    ...(ticks[0] === 0 && least !== undefined && { gap: zero + 0.5 }),
  };
}

/** Returns the `y` below the panel. */
function drawPanel(canvas: Canvas, { title, points }: TemperaturePanel, axes: Axes & { y: number }): number {
  const { at, ticks, wide, tall, gap, y } = axes;
  const top = canvas.lines(wrapText(title, WIDTH - LEFT - RIGHT, BOLD_SIZE, 2), LEFT, y + 12, { weight: "bold" });
  const x = (value: number) => LEFT + (value - wide[0]) / (wide[1] - wide[0]) * (WIDTH - LEFT - RIGHT);
  for (const point of points.filter(isShort)) {
    canvas.text(String(point.n), x(at(point.temperature)), top, {
      anchor: "middle",
      size: 11,
      fill: MUTED,
    });
  }
  canvas.plot(
    {
      ...{ width: WIDTH, height: PANEL_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: 10, marginBottom: 42 },
      x: {
        domain: wide,
        ...{ ticks: ticks.map(at), tickFormat: (place: number) => `${ticks.find((one) => at(one) === place)}` },
        ...{ label: "Temperature T", labelAnchor: "center", labelArrow: "none" },
      },
      y: { domain: tall, ticks: 5, label: null },
      marks: [
        Plot.gridY({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
        Plot.ruleY([0], { stroke: INK, strokeWidth: 1.2 }),
        Plot.frame({ anchor: "bottom", stroke: INK }),
        ...(gap === undefined ? [] : [Plot.ruleX([gap - 0.03, gap + 0.03], { stroke: MUTED, strokeDasharray: "2 3" })]),
        ...points.flatMap((point) => pointMarks(point, at(point.temperature), { wide, tall })),
      ],
    },
    0,
    top,
  );
  return top + PANEL_HEIGHT + 12;
}

function pointMarks({ lambda, low, high, published }: TemperaturePoint, x: number, { wide, tall }: {
  wide: readonly [number, number];
  tall: readonly [number, number];
}): Plot.Markish[] {
  const [own, paper] = [COLOURS[0], COLOURS[1]];
  const aside = x + 9 * (wide[1] - wide[0]) / (WIDTH - LEFT - RIGHT);
  const bar = low === undefined || high === undefined
    ? []
    : [Plot.line([[x, low], [x, high]], { stroke: own, strokeWidth: 3 })];
  return [
    ...bar,
    lambda === undefined
      ? symbolMark([[x, tall[0] + (tall[1] - tall[0]) * 0.04]], { colour: own, symbol: "times" })
      : symbolMark([[x, lambda]], { colour: own, symbol: "circle", r: 5 }),
    ...(published === undefined
      ? []
      : [symbolMark([[aside, published]], { colour: paper, symbol: "diamond", hollow: true })]),
  ];
}
