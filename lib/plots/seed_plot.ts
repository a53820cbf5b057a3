import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { INK, MUTED, RULE, seriesStyle } from "./palette.ts";
import { textWidth, wrapText } from "./text.ts";

/** One run on a seed. */
export interface SeedRun {
  readonly value: number;
  /** Whether the run failed: drawn as a cross, with its label. */
  readonly failed?: boolean | undefined;
  /** Such as the model; printed beside a failed run. */
  readonly label?: string | undefined;
}

/** The runs of one series on one seed. */
export interface SeedLane {
  /** What the runs are, such as `published`; equal names share sign and colour. */
  readonly series: string;
  readonly runs: readonly SeedRun[];
  /** Drawn as a bar across the lane; nothing is computed here. */
  readonly mean?: number | undefined;
}

export interface SeedPlotOptions extends FigureOptions {
  /** A band each, in this order. */
  readonly seeds: readonly { readonly label: string; readonly lanes: readonly SeedLane[] }[];
  /** What the values are. Default: quality of survival q. */
  readonly quantity?: string;
}

/**
 * How difficult seeds are: the runs on each seed, one lane a series, with each lane's mean; failed runs are crosses.
 *
 * Source: Table 7 of the station paper, with the single runs of Table 11 behind its means.
 *
 * @throws {RangeError} when a number is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const runs = [{ value: 0.8 }, { value: 0.659, failed: true, label: "Gemini" }];
 * const seeds = [{ label: "104", lanes: [{ series: "published", runs, mean: 0.73 }] }];
 * const { alt } = seedPlot({ seeds, synthetic: false });
 * assert.match(alt, /104, published: mean 0\.730 of 2 runs, 0\.659 to 0\.800, failed: Gemini 0\.659/);
 * ```
 */
export function seedPlot(options: SeedPlotOptions): Figure {
  const { seeds, quantity = "quality of survival q" } = options;
  const lanes = seeds.flatMap(({ lanes }) => lanes);
  for (const { series, runs, mean } of lanes) {
    requireFinite(
      `lane "${series}"`,
      mean,
      ...runs.map(({ value }) => value),
    );
  }
  const series = [...new Set(lanes.map((lane) => lane.series))];
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(series, lanes), { y: 12 }) + 8;
  const bands = place(seeds, top);
  const bottom = bands.at(-1)?.bottom ?? top;
  const domain = domainOf(lanes);
  if (domain === undefined) canvas.text("No runs to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  else canvas.plot(axis({ bands, domain, quantity, top, bottom }), 0, 0);
  for (const band of bands) drawBand(canvas, band, { domain: domain ?? [0, 1], series });
  return toFigure(options, {
    kind: "seeds",
    canvas,
    height: bottom + (domain === undefined ? 2 * LINE_HEIGHT : AXIS_HEIGHT),
    alt: [
      `Dots of ${quantity} on ${countText(seeds.length, "seed")}`,
      ...seeds.flatMap(({ label, lanes }) => lanes.map((lane) => `${label}, ${lane.series}: ${laneWords(lane)}`)),
    ],
    caption: [
      `Runs by seed: ${quantity}`,
      ...(lanes.some(({ mean }) => mean !== undefined) ? ["Upright bars, and numbers at the right: means"] : []),
      ...(lanes.some(({ runs }) => runs.some(({ failed }) => failed)) ? ["Crosses: runs that did not stabilise"] : []),
    ],
    rows: seeds.flatMap(({ label: seed, lanes }) =>
      lanes.flatMap(({ series, runs, mean }) =>
        runs.map(({ value, label, failed }) => ({ seed, series, label, value, failed: failed ?? false, mean }))
      )
    ),
  });
}

const LEFT = 110;
const RIGHT = 214;
const AXIS_HEIGHT = 48;
const LANE_HEIGHT = 22;
const LABEL_SIZE = 11;

interface Band {
  readonly heading: readonly string[];
  readonly lanes: readonly { readonly lane: SeedLane; readonly note: readonly string[]; readonly middle: number }[];
  readonly top: number;
  readonly bottom: number;
}

function legendItems(series: readonly string[], lanes: readonly SeedLane[]): LegendItem[] {
  const failed = lanes.some(({ runs }) => runs.some(({ failed }) => failed));
  return [
    ...series.map((label, i) => ({
      label,
      colour: seriesStyle(i).colour,
      symbol: seriesStyle(i).symbol,
      hollow: true,
    })),
    ...(failed ? [{ label: "did not stabilise", colour: INK, symbol: "times" } as const] : []),
  ];
}

function place(seeds: SeedPlotOptions["seeds"], top: number): Band[] {
  let y = top;
  return seeds.map(({ label, lanes }) => {
    const heading = wrapText(label, LEFT - 28, BOLD_SIZE, 3);
    const start = y;
    y += 6;
    const placed = lanes.map((lane) => {
      const note = wrapText(noteOf(lane), RIGHT - 28, TEXT_SIZE, 2);
      const height = Math.max(LANE_HEIGHT, note.length * LINE_HEIGHT + 4);
      y += height;
      return { lane, note, middle: y - height / 2 };
    });
    y = Math.max(y, start + heading.length * LINE_HEIGHT + 6) + 6;
    return { heading, lanes: placed, top: start, bottom: y };
  });
}

const noteOf = ({ series, mean }: SeedLane): string => mean === undefined ? series : `${fixedText(mean, 3)} ${series}`;

function domainOf(lanes: readonly SeedLane[]): [number, number] | undefined {
  const [low, high] = extent(
    lanes.flatMap(({ runs, mean }) => [...runs.map(({ value }) => value), ...(mean === undefined ? [] : [mean])]),
  );
  if (low === undefined || high === undefined) return undefined;
  const pad = (high - low) * 0.05 || 0.05;
  return [low - pad, high + pad];
}

function axis({ bands, domain, quantity, top, bottom }: {
  bands: readonly Band[];
  domain: readonly [number, number];
  quantity: string;
  top: number;
  bottom: number;
}): Plot.PlotOptions {
  const borders = bands.slice(0, -1).map(({ bottom }) => bottom);
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: top },
    marginBottom: AXIS_HEIGHT,
    x: {
      ...{ domain: [...domain], ticks: 5, labelAnchor: "center", labelArrow: "none" },
      label: wrapText(quantity, WIDTH - LEFT - RIGHT, TEXT_SIZE, 1)[0]!,
    },
    y: { type: "identity", axis: null },
    marks: [
      Plot.gridX({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      Plot.ruleY(borders, { stroke: RULE, insetLeft: -LEFT + 16, insetRight: -RIGHT + 16 }),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

function drawBand(
  canvas: Canvas,
  { heading, lanes, top, bottom }: Band,
  { domain: [low, high], series }: { domain: readonly [number, number]; series: readonly string[] },
): void {
  const at = (value: number) => LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low);
  const start = (count: number, middle: number) => middle - (count * LINE_HEIGHT) / 2 + 12;
  canvas.lines(heading, LEFT - 14, start(heading.length, (top + bottom) / 2), { anchor: "end", weight: "bold" });
  for (const { lane, note, middle } of lanes) {
    canvas.lines(note, WIDTH - RIGHT + 14, start(note.length, middle));
    drawLane(canvas, lane, { at, middle, style: seriesStyle(series.indexOf(lane.series)) });
  }
}

function drawLane(
  canvas: Canvas,
  { runs, mean }: SeedLane,
  { at, middle, style }: { at: (value: number) => number; middle: number; style: ReturnType<typeof seriesStyle> },
): void {
  const points = (failed: boolean) =>
    runs.filter((run) => (run.failed ?? false) === failed).map(({ value }) => [at(value), middle] as const);
  const { colour, symbol } = style;
  canvas.marks(
    ...(mean === undefined
      ? []
      : [Plot.line([[at(mean), middle - 9], [at(mean), middle + 9]], { stroke: colour, strokeWidth: 3 })]),
    symbolMark(points(false), { colour, symbol, hollow: true }),
    symbolMark(points(true), { colour, symbol: "times", r: 5 }),
  );
  const named = runs.filter(({ failed, label }) => failed && label !== undefined);
  // One name a lane has room; the others stand in alt text and rows.
  for (const { value, label } of named.slice(0, 1)) drawName(canvas, label!, at(value), middle);
}

/** The name beside a cross, on the side with more room. */
function drawName(canvas: Canvas, label: string, x: number, middle: number): void {
  const [left, right] = [x - LEFT, WIDTH - RIGHT - x];
  const [text] = wrapText(label, Math.max(left, right) - 14, LABEL_SIZE, 1);
  const [anchor, shift] = right >= left ? ["start", 9] as const : ["end", -9] as const;
  const width = textWidth(text!, LABEL_SIZE);
  const edge = anchor === "start" ? x + shift - 2 : x + shift + 2 - width;
  const card = { x1: edge, x2: edge + width, y1: middle - 7, y2: middle + 7 };
  canvas.marks(Plot.rect([card], { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "white", fillOpacity: 0.7 }));
  canvas.text(text!, x + shift, middle + 4, { anchor, size: LABEL_SIZE });
}

function laneWords({ runs, mean }: SeedLane): string {
  const [low, high] = extent(runs.map(({ value }) => value));
  const failed = runs.filter((run) => run.failed).map(({ label = "a run", value }) =>
    `${label} ${fixedText(value, 3)}`
  );
  const count = countText(runs.length, "run");
  return [
    mean === undefined ? count : `mean ${fixedText(mean, 3)} of ${count}`,
    ...(low === undefined || high === undefined ? [] : [`${fixedText(low, 3)} to ${fixedText(high, 3)}`]),
    ...(failed.length === 0 ? [] : [`failed: ${failed.join(", ")}`]),
  ].join(", ");
}
