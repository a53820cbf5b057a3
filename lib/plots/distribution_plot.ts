import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { bin, extent, ticks } from "d3-array";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { PUBLISHED_THRESHOLDS } from "../quality/classify.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { CARD, COLOURS, INK, MUTED, RULE } from "./palette.ts";
import { textWidth, wrapText } from "./text.ts";

type Place = readonly [x: number, y: number];

/** Where a label stands beside its sign. */
type Side = "left" | "right";

/** One group in pixels: three lanes, highlighted runs above all runs above published values. */
export interface PlacedGroup {
  readonly heading: readonly string[];
  readonly words: readonly string[];
  readonly top: number;
  readonly bottom: number;
  readonly highlights: readonly { readonly at: Place; readonly label: string; readonly side: Side }[];
  readonly dots: readonly Place[];
  readonly bars: readonly { x1: number; x2: number; y1: number; y2: number; readonly count: number }[];
  readonly published: readonly Place[];
}

const DOT = 3.2;
const SIGN = 4;
const LABEL_SIZE = 10;
const DOT_STEP = 2 * DOT + 0.6;
const SIGN_STEP = 2 * SIGN + 4;
const HISTOGRAM_HEIGHT = 60;

/** Where everything of a group stands; `top` is where the group before it ends. */
export function layOutGroup(
  { label, runs, published = [] }: DistributionGroup,
  { x, domain, top, mostDots, words }: {
    x: (value: number) => number;
    domain: readonly [number, number];
    top: number;
    mostDots: number;
    words: readonly string[];
  },
): PlacedGroup {
  const known = runs.flatMap((run) => run.value === undefined ? [] : [{ ...run, x: x(run.value) }]);
  const chosen = known.filter(({ highlight }) => highlight);
  const plain = known.filter(({ highlight }) => !highlight);
  const many = runs.length > mostDots;
  const sides = chosen.map(({ x: at, label = "" }): Side =>
    at + SIGN + labelWidth(label) > x(domain[1]) ? "left" : "right"
  );
  const lanes = {
    highlights: stack(chosen.map(({ x, label = "" }, i) => {
      const [near, far] = [SIGN + 2, SIGN + labelWidth(label)];
      return sides[i] === "left" ? [x - far, x + near] : [x - near, x + far];
    })),
    dots: many ? [] : stack(plain.map(({ x }) => [x - DOT_STEP / 2, x + DOT_STEP / 2])),
    published: stack(published.map((value) => [x(value) - SIGN - 1, x(value) + SIGN + 1])),
  };
  const heights = {
    highlights: laneHeight(lanes.highlights, SIGN_STEP),
    dots: many ? HISTOGRAM_HEIGHT + LINE_HEIGHT : laneHeight(lanes.dots, DOT_STEP),
    published: laneHeight(lanes.published, SIGN_STEP),
  };
  const heading = wrapText(label, 118, BOLD_SIZE, 4);
  const lines = words.flatMap((word) => wrapText(word, 146, TEXT_SIZE, 3));
  const drawn = heights.highlights + heights.dots + heights.published;
  const height = Math.max(drawn, heading.length * LINE_HEIGHT, lines.length * LINE_HEIGHT) + 20;
  const start = top + (height - drawn) / 2;
  const floor = start + heights.highlights + heights.dots;
  const above = (level: number, step: number, end: number) => end - 4 - (level + 0.5) * step;
  return {
    ...{ heading, words: lines, top, bottom: top + height },
    highlights: chosen.map(({ x, label = "" }, i) => ({
      at: [x, above(lanes.highlights[i]!, SIGN_STEP, start + heights.highlights)],
      label: shown(label),
      side: sides[i]!,
    })),
    dots: many ? [] : plain.map(({ x }, i) => [x, above(lanes.dots[i]!, DOT_STEP, floor)]),
    bars: many ? histogram(plain.map(({ value }) => value!), { x, domain, floor }) : [],
    published: published.map((value, i) => [x(value), floor + 4 + (lanes.published[i]! + 0.5) * SIGN_STEP]),
  };
}

/** A highlighted run's label stands right of its sign, cut where it is long. */
const shown = (label: string): string => label === "" ? "" : wrapText(label, 60, LABEL_SIZE, 1)[0]!;
const labelWidth = (label: string): number => label === "" ? 2 : 5 + textWidth(shown(label), LABEL_SIZE);

/** The lowest level at which each span meets none before it, from the left; in the order given. */
function stack(spans: readonly (readonly [left: number, right: number])[]): number[] {
  const ends: number[] = [];
  const levels: number[] = [];
  const order = spans.map((_, i) => i).sort((a, b) => spans[a]![0] - spans[b]![0] || a - b);
  for (const i of order) {
    const [left, right] = spans[i]!;
    const free = ends.findIndex((end) => end <= left);
    levels[i] = free < 0 ? ends.length : free;
    ends[levels[i]!] = right;
  }
  return levels;
}

const laneHeight = (levels: readonly number[], step: number): number =>
  levels.length === 0 ? 0 : (Math.max(...levels) + 1) * step + 4;

function histogram(
  values: readonly number[],
  { x, domain, floor }: { x: (value: number) => number; domain: readonly [number, number]; floor: number },
): PlacedGroup["bars"] {
  const bins = bin().domain([...domain]).thresholds(ticks(...domain, 40))(values);
  const most = Math.max(1, ...bins.map(({ length }) => length));
  return bins.filter(({ length }) => length > 0).map(({ x0, x1, length }) => ({
    ...{ x1: x(x0!), x2: x(x1!), y1: floor - (length / most) * HISTOGRAM_HEIGHT, y2: floor, count: length },
  }));
}

export function drawGroup(canvas: Canvas, group: PlacedGroup, { left, right }: { left: number; right: number }): void {
  const { heading, words, top, bottom, highlights, dots, bars, published } = group;
  const start = (lines: readonly string[]) => (top + bottom) / 2 - (lines.length * LINE_HEIGHT) / 2 + 12;
  canvas.lines(heading, left - 16, start(heading), { anchor: "end", weight: "bold" });
  canvas.lines(words, WIDTH - right + 14, start(words));
  canvas.marks(
    Plot.ruleY([bottom], { x1: 16, x2: WIDTH - 16, stroke: RULE }),
    Plot.rect(bars, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: COLOURS[0], fillOpacity: 0.55, inset: 0.4 }),
    Plot.dot(dots, { r: DOT, fill: COLOURS[0], fillOpacity: 0.75 }),
    symbolMark(published, { colour: INK, symbol: "diamond", hollow: true, r: SIGN }),
    symbolMark(highlights.map(({ at }) => at), { colour: COLOURS[1], symbol: "square", r: SIGN }),
  );
  const most = Math.max(0, ...bars.map(({ count }) => count));
  const fullest = bars.find(({ count }) => count === most);
  const labels = [
    ...highlights.map(({ at: [x, y], label, side }) => ({
      ...{ label, y: y + 4, fill: INK },
      ...(side === "left"
        ? { x: x - SIGN - 3, anchor: "end" as const }
        : { x: x + SIGN + 3, anchor: "start" as const }),
    })),
    ...(fullest
      ? [{
        label: String(most),
        x: (fullest.x1 + fullest.x2) / 2,
        y: fullest.y1 - 3,
        fill: MUTED,
        anchor: "middle" as const,
      }]
      : []),
  ].filter(({ label }) => label !== "");
  // White below the words, so that no threshold runs through them.
  const plates = labels.map(({ label, x, y, anchor }) => {
    const width = textWidth(label, LABEL_SIZE);
    const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * width;
    return { x1: left - 1, x2: left + width + 1, y1: y - 9, y2: y + 2 };
  });
  canvas.marks(Plot.rect(plates, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: CARD }));
  for (const { label, x, y, fill, anchor } of labels) canvas.text(label, x, y, { size: LABEL_SIZE, fill, anchor });
}

/** One run's value. */
export interface DistributionRun {
  /** Absent: not known; counted in words and not drawn. */
  readonly value?: number | undefined;
  /** Such as the seed; printed beside a highlighted run. */
  readonly label?: string | undefined;
  /** Drawn apart, such as the runs of the panel's seeds. */
  readonly highlight?: boolean | undefined;
}

export interface DistributionGroup {
  readonly label: string;
  readonly runs: readonly DistributionRun[];
  /** Published values of the same quantity. */
  readonly published?: readonly number[] | undefined;
  /** Words beside the group, such as its mean; nothing is computed here. */
  readonly note?: string | undefined;
}

export interface DistributionPlotOptions extends FigureOptions {
  /** A band each, in this order. */
  readonly groups: readonly DistributionGroup[];
  /** What the values are. Default: quality of survival q. */
  readonly quantity?: string;
  /** Marked across all groups. Default: the class thresholds of q, and none for another quantity. */
  readonly thresholds?: readonly { readonly label: string; readonly value: number }[];
  /** What the highlighted runs are. Default: panel seeds. */
  readonly highlighted?: string;
  /** Groups with more runs than this are drawn as a histogram. Default 120. */
  readonly mostDots?: number;
  /** Decimals of printed numbers. Default 3. */
  readonly digits?: number;
}

/**
 * The values of many runs by group: a dot for each run, or a histogram where there are many, with the published values
 * as hollow diamonds below and highlighted runs above.
 *
 * Source: the quality of survival with its classes, Tables 5, 8 and 11 of the station paper.
 *
 * @throws {RangeError} when a number is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const runs = [{ value: 0.707, label: "104", highlight: true }, { value: 0.731 }];
 * const { alt } = distributionPlot({ groups: [{ label: "no model", runs, published: [0.774] }], synthetic: true });
 * assert.match(alt, /no model: 2 runs, 0.707 to 0.731, 1 published, 0.774 to 0.774/);
 * ```
 */
export function distributionPlot(options: DistributionPlotOptions): Figure {
  const { groups, quantity = Q, highlighted = "panel seeds", digits = 3, mostDots = 120 } = options;
  const thresholds = options.thresholds ?? (options.quantity === undefined ? CLASSES : []);
  for (const { label, runs, published = [] } of groups) {
    requireFinite(`a value of "${label}"`, ...runs.map(({ value }) => value), ...published);
  }
  for (const { label, value } of thresholds) requireFinite(`threshold "${label}"`, value);
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(groups, { thresholds, highlighted, mostDots, digits }), { y: 12 }) + 8;
  const domain = axisDomain(groups, thresholds.map(({ value }) => value));
  const x = (value: number) => LEFT + ((value - domain[0]) / (domain[1] - domain[0])) * (WIDTH - LEFT - RIGHT);
  let y = top;
  const placed = groups.map((group): PlacedGroup => {
    const one = layOutGroup(group, { x, domain, top: y, mostDots, words: groupWords(group, digits) });
    y = one.bottom;
    return one;
  });
  if (placed.length > 0) {
    canvas.plot(axis({ domain, top, bottom: y, quantity, thresholds: thresholds.map(({ value }) => value) }), 0, 0);
  } else canvas.text("No runs to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  for (const group of placed) drawGroup(canvas, group, { left: LEFT, right: RIGHT });
  return toFigure(options, {
    kind: "distribution",
    canvas,
    height: y + (placed.length === 0 ? 2 * LINE_HEIGHT : AXIS_HEIGHT),
    alt: [
      `Distribution of ${quantity} in ${countText(groups.length, "group")}`,
      ...groups.map((group) => `${group.label}: ${groupWords(group, digits).join(", ")}`),
      ...thresholds.map(({ label, value }) => `${label} from ${fixedText(value, 2)}`),
    ],
    caption: captionSentences(options, { quantity, highlighted, mostDots }),
    rows: groups.flatMap(dataRows),
  });
}

const Q = "quality of survival q";
const CLASSES = [
  { label: "adequate", value: PUBLISHED_THRESHOLDS.adequate },
  { label: "strong", value: PUBLISHED_THRESHOLDS.strong },
];
const LEFT = 150;
const RIGHT = 170;
const AXIS_HEIGHT = 48;
const THRESHOLD_DASHES = ["6 3", "2 3", "10 3 2 3"];

function legendItems(
  groups: readonly DistributionGroup[],
  { thresholds, highlighted, mostDots, digits }: {
    thresholds: readonly { label: string; value: number }[];
    highlighted: string;
    mostDots: number;
    digits: number;
  },
): LegendItem[] {
  const items: (LegendItem | false)[] = [
    groups.some(({ runs }) => runs.length <= mostDots) && { label: "run", colour: COLOURS[0], symbol: "circle" },
    groups.some(({ runs }) => runs.length > mostDots) && { label: "runs, counted", colour: COLOURS[0], area: 0.55 },
    groups.some(({ runs }) => runs.some(({ highlight }) => highlight)) &&
    { label: highlighted, colour: COLOURS[1], symbol: "square" },
    groups.some(({ published = [] }) => published.length > 0) &&
    { label: "published", colour: INK, symbol: "diamond", hollow: true },
    ...thresholds.map(({ label, value }, i) => ({
      label: `${label} from ${fixedText(value, Math.min(digits, 2))}`,
      ...{ colour: INK, dash: THRESHOLD_DASHES[i % THRESHOLD_DASHES.length]!, thickness: 1.2 },
    })),
  ];
  return items.filter((item) => item !== false);
}

function axisDomain(groups: readonly DistributionGroup[], thresholds: readonly number[]): [number, number] {
  const values = groups.flatMap((
    { runs, published = [] },
  ) => [...runs.flatMap(({ value }) => value ?? []), ...published]);
  const [low = 0, high = 1] = extent([...values, ...thresholds]);
  const pad = (high - low) * 0.04 || Math.abs(high) * 0.1 || 1;
  return [low - pad, high + pad];
}

/** Number and range of what is drawn, and how much is not. */
function groupWords({ runs, published = [], note }: DistributionGroup, digits: number): string[] {
  const range = (values: readonly number[]) => {
    const [low, high] = extent(values);
    return low === undefined || high === undefined ? [] : [`${fixedText(low, digits)} to ${fixedText(high, digits)}`];
  };
  const values = runs.flatMap(({ value }) => value ?? []);
  const unknown = runs.length - values.length;
  return [
    countText(runs.length, "run"),
    ...range(values),
    ...(unknown === 0 ? [] : [`${unknown} without a value`]),
    ...(note === undefined ? [] : [note]),
    ...(published.length === 0 ? [] : [`${published.length} published`, ...range(published)]),
  ];
}

function axis({ domain, top, bottom, quantity, thresholds }: {
  domain: [number, number];
  top: number;
  bottom: number;
  quantity: string;
  thresholds: readonly number[];
}): Plot.PlotOptions {
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: top },
    marginBottom: AXIS_HEIGHT,
    x: {
      ...{ domain, ticks: 5, labelAnchor: "center", labelArrow: "none" },
      label: wrapText(quantity, WIDTH - LEFT - RIGHT, TEXT_SIZE, 1)[0]!,
    },
    y: { axis: null },
    marks: [
      Plot.gridX({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      ...thresholds.map((value, i) =>
        Plot.ruleX([value], {
          ...{ stroke: INK, strokeWidth: 1.2 },
          strokeDasharray: THRESHOLD_DASHES[i % THRESHOLD_DASHES.length]!,
        })
      ),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

function captionSentences(
  { groups }: DistributionPlotOptions,
  { quantity, highlighted, mostDots }: { quantity: string; highlighted: string; mostDots: number },
): string[] {
  const histogram = groups.some(({ runs }) => runs.length > mostDots);
  const dots = groups.some(({ runs }) => runs.length <= mostDots);
  return [
    `Values of ${quantity}, ${dots ? "a dot for each run" : "histograms of runs"}${
      dots && histogram ? `, a histogram for more than ${countText(mostDots, "run")}` : ""
    }`,
    ...(histogram ? ["The fullest bin of each histogram is as high as its band and counted at its top"] : []),
    ...(groups.some(({ runs }) => runs.some(({ highlight }) => highlight)) ? [`Squares: ${highlighted}`] : []),
    ...(groups.some(({ published = [] }) => published.length > 0) ? ["Hollow diamonds: published values"] : []),
  ];
}

function dataRows({ label: group, runs, published = [] }: DistributionGroup): Figure["rows"] {
  return [
    ...runs.map(({ value, label, highlight = false }) => ({ group, source: "run", label, highlight, value })),
    ...published.map((value) => ({ group, source: "published", label: undefined, highlight: false, value })),
  ];
}
